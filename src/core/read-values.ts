import { type Column, isValid } from './column.js';
import { fromFloat16 } from './float16.js';
import type { DataType, IntType } from './type.js';

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
  return isLarge(column.type)
    ? (i) => Number(view.getBigInt64(i * 8, true))
    : (i) => view.getInt32(i * 4, true);
}

/** Code of a row of a dictionary column, as a number. */
export function codeReader(index: IntType, column: Column): (row: number) => number {
  const read = intReader(index.bits, index.signed, viewOf(column.values));
  return (row) => Number(read(row));
}

function presentReader(column: Column): (row: number) => Value | null {
  const { type, values } = column;
  const view = viewOf(values);
  switch (type.kind) {
    case 'bool':
      return (row) => {
        const bit = column.bitOffset + row;
        return ((values[bit >> 3] >> (bit & 7)) & 1) === 1;
      };
    case 'int':
      return intReader(type.bits, type.signed, view);
    case 'float':
      if (type.bits === 64) return (row) => view.getFloat64(row * 8, true);
      if (type.bits === 32) return (row) => view.getFloat32(row * 4, true);
      return (row) => fromFloat16(view.getUint16(row * 2, true));
    case 'decimal':
      return decimalReader(type.bits / 32, view);
    case 'utf8':
    case 'binary':
      return type.form === 'view' ? viewReader(column, view) : spanReader(column);
    case 'fixedBinary':
      return (row) => values.subarray(row * type.width, (row + 1) * type.width);
    case 'date':
      return intReader(type.unit === 'day' ? 32 : 64, true, view);
    case 'time':
      return intReader(type.unit === 's' || type.unit === 'ms' ? 32 : 64, true, view);
    case 'timestamp':
    case 'duration':
      return intReader(64, true, view);
    case 'interval':
      return intReader(32, true, view);
    case 'dictionary': {
      const { dictionary } = column;
      if (dictionary === undefined) return () => null;
      const code = codeReader(type.index, column);
      const read = valueReader(dictionary);
      return (row) => read(code(row));
    }
    case 'null':
    case 'list':
    case 'other':
      return () => null;
  }
}

function intReader(bits: IntType['bits'], signed: boolean, view: DataView): (row: number) => bigint {
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
  }
}

function decimalReader(words: number, view: DataView): (row: number) => bigint {
  return (row) => {
    let value = 0n;
    for (let word = words - 1; word >= 0; word--) {
      value = (value << 32n) | BigInt(view.getUint32((row * words + word) * 4, true));
    }
    return BigInt.asIntN(words * 32, value);
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

function isLarge(type: DataType): boolean {
  return (type.kind === 'utf8' || type.kind === 'binary') && type.form === 'large';
}
