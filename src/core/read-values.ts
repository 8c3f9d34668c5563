import { isSet } from './bits.js';
import { offsetWidth } from './byte-width.js';
import { type Column, isValid } from './column.js';
import { fromFloat16 } from './float16.js';
import { type IntType, layoutOf } from './type.js';

/**
 * One value as JavaScript holds it without loss: boolean; bigint for integers, decimals (unscaled), dates, times,
 * timestamps, durations and intervals; number for floats; bytes for text and binary.
 */
export type Value = boolean | bigint | number | Uint8Array;

/**
 * A function from row to value, null where there is none; dictionaries are looked through. Bytes are views into
 * the column, good for as long as the column is. The column's offsets and codes must be valid (`validateColumn`).
 */
export function valueReader(column: Column): (row: number) => Value | null {
  const read = presentReader(column);
  return (row) => (isValid(column, row) ? read(row) : null);
}

/** Offset `i` of a text or binary column with offsets, as a number. */
export function offsetReader(column: Column): (i: number) => number {
  const bytes = column.offsets ?? new Uint8Array(8);
  const view = viewOf(bytes);
  return offsetWidth(column.type) === 8
    ? (i) => Number(view.getBigInt64(i * 8, true))
    : (i) => view.getInt32(i * 4, true);
}

/** Code of a row of a dictionary column, as a number. */
export function codeReader(index: Pick<IntType, 'bits' | 'signed'>, column: Column): (row: number) => number {
  const read = intReader(index.bits, index.signed, viewOf(column.values));
  return (row) => Number(read(row));
}

function presentReader(column: Column): (row: number) => Value | null {
  const { type, values } = column;
  const view = viewOf(values);
  const layout = layoutOf(type);
  switch (layout.form) {
    case 'bits':
      return (row) => isSet(values, column.bitOffset + row);
    case 'integer':
      return intReader(layout.bits, layout.signed, view);
    case 'float':
      if (layout.bits === 64) return (row) => view.getFloat64(row * 8, true);
      if (layout.bits === 32) return (row) => view.getFloat32(row * 4, true);
      return (row) => fromFloat16(view.getUint16(row * 2, true));
    case 'offsets':
      return spanReader(column);
    case 'views':
      return viewReader(column, view);
    case 'bytes':
      return (row) => values.subarray(row * layout.width, (row + 1) * layout.width);
    case 'codes': {
      const { dictionary } = column;
      if (dictionary === undefined) return () => null;
      const code = codeReader(layout, column);
      const read = valueReader(dictionary);
      return (row) => read(code(row));
    }
    case 'none':
    case 'nested':
      return () => null;
  }
}

function intReader(bits: number, signed: boolean, view: DataView): (row: number) => bigint {
  switch (bits) {
    case 8:
      return signed ? (row) => BigInt(view.getInt8(row)) : (row) => BigInt(view.getUint8(row));
    case 16:
      return signed
        ? (row) => BigInt(view.getInt16(row * 2, true))
        : (row) => BigInt(view.getUint16(row * 2, true));
    case 32:
      return signed
        ? (row) => BigInt(view.getInt32(row * 4, true))
        : (row) => BigInt(view.getUint32(row * 4, true));
    case 64:
      return signed ? (row) => view.getBigInt64(row * 8, true) : (row) => view.getBigUint64(row * 8, true);
    default:
      return wideReader(bits / 64, signed, view);
  }
}

/** Integers of several words of 64 bits. */
function wideReader(words: number, signed: boolean, view: DataView): (row: number) => bigint {
  return (row) => {
    let value = 0n;
    for (let word = words - 1; word >= 0; word--) {
      value = (value << 64n) | view.getBigUint64((row * words + word) * 8, true);
    }
    return signed ? BigInt.asIntN(words * 64, value) : value;
  };
}

function spanReader(column: Column): (row: number) => Uint8Array {
  const offset = offsetReader(column);
  return (row) => column.values.subarray(offset(row), offset(row + 1));
}

/** A view holds up to 12 bytes in place, else 4 bytes of prefix, the number of a buffer and an offset into it. */
function viewReader(column: Column, view: DataView): (row: number) => Uint8Array {
  const buffers = column.buffers ?? [];
  return (row) => {
    const at = row * 16;
    const length = view.getInt32(at, true);
    if (length <= 12) return column.values.subarray(at + 4, at + 4 + length);
    const from = view.getInt32(at + 12, true);
    return buffers[view.getInt32(at + 8, true)].subarray(from, from + length);
  };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
