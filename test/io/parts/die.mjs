/** A part module that ends its thread. */
export function describe() {
  process.exit(3);
}

export function* read() {
  yield { rows: 1, columns: [] };
  setTimeout(() => {
    throw new Error('out of nowhere');
  });
  for (let end = Date.now() + 20; Date.now() < end; );
  yield { rows: 1, columns: [] };
}
