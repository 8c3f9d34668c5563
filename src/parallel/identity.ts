const buffers = new WeakMap<ArrayBufferLike, number>();
let count = 0;

/** Tells two views apart: the same buffer, place and length give the same text. */
export function identityOf(view: Uint8Array): string {
  let number = buffers.get(view.buffer);
  if (number === undefined) {
    number = ++count;
    buffers.set(view.buffer, number);
  }
  return `${number}:${view.byteOffset}:${view.length}`;
}
