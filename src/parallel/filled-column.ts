import { byteWidth, offsetWidth } from '../core/byte-width.js';
import { type DataType, layoutOf } from '../core/type.js';
import type { BuiltColumn } from './protocol.js';

/** A column of `rows` nulls. */
export function nullsOf(type: DataType, rows: number): BuiltColumn {
  const column = { nulls: rows };
  const bits = new Uint8Array((rows + 7) >> 3);
  const { form } = layoutOf(type);
  if (form === 'none') return { ...column, values: new Uint8Array(0) };
  if (form === 'bits') return { ...column, values: bits, validity: bits };
  const offsets = offsetWidth(type);
  if (offsets !== undefined) {
    const none = { values: new Uint8Array(0), offsets: new Uint8Array((rows + 1) * offsets) };
    return { ...column, ...none, validity: bits };
  }
  const values = new Uint8Array(rows * (byteWidth(type) ?? 0));
  return { ...column, values, validity: bits, ...(form === 'views' && { buffers: [] }) };
}

/** A column of `rows` times the same Int32. */
export function integersOf(value: number, rows: number): BuiltColumn {
  const values = new Int32Array(rows).fill(value);
  return { nulls: 0, values: new Uint8Array(values.buffer) };
}
