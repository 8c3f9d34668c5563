import type { Column } from '../core/column.js';
import type { KernelMemory } from './memory.js';

/** Bytes that all threads see: a view of a SharedArrayBuffer, or a place in kernel memory, which all of them have. */
export type SharedBytes = Uint8Array | { readonly at: number; readonly length: number };

/** A column whose buffers all threads see; plain data for a message. */
export interface SharedColumn
  extends Omit<Column, 'values' | 'offsets' | 'validity' | 'buffers' | 'dictionary'> {
  readonly values: SharedBytes;
  readonly offsets?: SharedBytes;
  readonly validity?: SharedBytes;
  readonly buffers?: readonly SharedBytes[];
  readonly dictionary?: SharedColumn;
}

/** A column as it is sent to the workers: of one that is not `read`, its validity alone. */
export function toShared(memory: KernelMemory, column: Column, read: boolean): SharedColumn {
  const share = (view: Uint8Array): SharedBytes => {
    const at = memory.addressOf(view);
    return at === undefined ? view : { at, length: view.length };
  };
  const { type, length, nulls, bitOffset, values, offsets, buffers, dictionary } = column;
  const validity = nulls > 0 ? column.validity : undefined;
  const seen = {
    type,
    length,
    nulls,
    bitOffset,
    ...(validity === undefined ? {} : { validity: share(validity) }),
  };
  if (!read) return { ...seen, values: { at: 0, length: 0 } };
  return {
    ...seen,
    values: share(values),
    ...(offsets === undefined ? {} : { offsets: share(offsets) }),
    ...(buffers === undefined ? {} : { buffers: buffers.map(share) }),
    ...(dictionary === undefined ? {} : { dictionary: toShared(memory, dictionary, true) }),
  };
}

/** The column that a worker reads. */
export function fromShared(memory: KernelMemory, column: SharedColumn): Column {
  const view = (bytes: SharedBytes): Uint8Array =>
    bytes instanceof Uint8Array ? bytes : memory.bytes.subarray(bytes.at, bytes.at + bytes.length);
  const { type, length, nulls, bitOffset, values, offsets, validity, buffers, dictionary } = column;
  return {
    type,
    length,
    nulls,
    bitOffset,
    values: view(values),
    ...(offsets === undefined ? {} : { offsets: view(offsets) }),
    ...(validity === undefined ? {} : { validity: view(validity) }),
    ...(buffers === undefined ? {} : { buffers: buffers.map(view) }),
    ...(dictionary === undefined ? {} : { dictionary: fromShared(memory, dictionary) }),
  };
}
