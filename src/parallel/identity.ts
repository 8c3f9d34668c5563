import type { Column } from '../core/column.js';

const buffers = new WeakMap<ArrayBufferLike, number>();
let count = 0;

/** Tells two views apart: the same buffer, place and length give the same text. */
function identityOf(view: Uint8Array): string {
  let number = buffers.get(view.buffer);
  if (number === undefined) {
    number = ++count;
    buffers.set(view.buffer, number);
  }
  return `${number}:${view.byteOffset}:${view.length}`;
}

/** Tells two dictionaries apart: the same buffers and length give the same text. */
export function dictionaryIdentity({
  values,
  offsets,
  validity,
  bitOffset,
  length,
  buffers = [],
}: Column): string {
  const views = [values, offsets, validity, ...buffers].map((view) =>
    view === undefined ? '' : identityOf(view),
  );
  return `${views.join(' ')} ${bitOffset} ${length}`;
}
