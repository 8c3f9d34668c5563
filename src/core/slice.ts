import { byteOf, bytesFor, countBits } from './bits.js';
import { byteWidth, offsetWidth } from './byte-width.js';
import type { Column } from './column.js';

/** Rows `from` to before `to` of a column, over the same memory. */
export function slice(column: Column, from: number, to: number): Column {
  const { type, values, offsets, validity } = column;
  const length = to - from;
  const bit = column.bitOffset + from;
  const bits = (bytes: Uint8Array): Uint8Array => bytes.subarray(byteOf(bit), bytesFor(bit + length));
  const nulls = validity === undefined ? column.nulls && length : length - countBits(validity, bit, length);
  const head = {
    ...column,
    length,
    nulls,
    bitOffset: bit & 7,
    ...(validity && { validity: bits(validity) }),
  };
  if (type.kind === 'bool') return { ...head, values: bits(values) };
  const offset = type.kind === 'list' ? 4 : offsetWidth(type);
  if (offset !== undefined) return { ...head, offsets: offsets?.subarray(from * offset, (to + 1) * offset) };
  const width = byteWidth(type) ?? 0;
  return { ...head, values: values.subarray(from * width, to * width) };
}
