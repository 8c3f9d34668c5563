/** A part module that ends its thread. */
export function describe() {
  process.exit(3);
}

export async function* read() {
  yield { rows: 1, columns: [] };
  setTimeout(() => {
    throw new Error('out of nowhere');
  });
  await new Promise(() => undefined);
}
