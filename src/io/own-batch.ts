import type { Batch, Column } from '../core/column.js';

/** A batch and the one buffer that all of it lies in, to be handed to another thread as it is. */
export interface OwnedBatch {
  readonly batch: Batch;
  readonly memory: ArrayBuffer;
}

/** Copies a batch out of memory that will change. */
export function ownBatch(batch: Batch): OwnedBatch {
  const memory = new ArrayBuffer(batch.columns.reduce((size, column) => size + sizeOf(column), 0));
  let at = 0;
  const copy = (bytes: Uint8Array): Uint8Array => {
    const target = new Uint8Array(memory, at, bytes.length);
    target.set(bytes);
    at += aligned(bytes.length);
    return target;
  };
  const columnOf = ({ values, offsets, validity, buffers, dictionary, ...rest }: Column): Column => ({
    ...rest,
    values: copy(values),
    ...(offsets && { offsets: copy(offsets) }),
    ...(validity && { validity: copy(validity) }),
    ...(buffers && { buffers: buffers.map(copy) }),
    ...(dictionary && { dictionary: columnOf(dictionary) }),
  });
  return { batch: { rows: batch.rows, columns: batch.columns.map(columnOf) }, memory };
}

function sizeOf({ values, offsets, validity, buffers = [], dictionary }: Column): number {
  const own = [values, offsets, validity, ...buffers].reduce((sum, it) => sum + aligned(it?.length ?? 0), 0);
  return own + (dictionary === undefined ? 0 : sizeOf(dictionary));
}

/** Typed arrays over the values need them at a multiple of their width, 8 at most. */
function aligned(length: number): number {
  return Math.ceil(length / 8) * 8;
}
