/** A part module that throws something else than it should. */
export function describe() {
  throw new TypeError('a bug');
}

export function* read() {
  const bytes = new Uint8Array(new WebAssembly.Memory({ initial: 1 }).buffer);
  yield {
    rows: 2,
    columns: [
      {
        type: { kind: 'int', bits: 8, signed: true },
        length: 2,
        nulls: 0,
        bitOffset: 0,
        values: bytes.subarray(0, 2),
      },
    ],
  };
  bytes.fill(255);
  yield { rows: 0, columns: [] };
  throw new TypeError('a bug');
}
