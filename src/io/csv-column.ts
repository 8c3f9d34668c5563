import { isUtf8 } from 'node:buffer';
import { byteWidth } from '../core/byte-width.js';
import type { Column } from '../core/column.js';
import type { DataType } from '../core/type.js';
import { floatAt, integerAt } from './csv-number.js';
import { Quoting } from './csv-scan.js';
import { dateAt, timestampAt } from './csv-time.js';

/** A column under construction, for at most `capacity` rows; used again for batch after batch. */
export interface CsvColumn {
  /** Sets the value of a row from the text of a field; false where the text is no value of the column's type. */
  set(row: number, bytes: Uint8Array, start: number, end: number, quoting: number): boolean;
  setNull(row: number): void;
  /** The first `rows` rows; it lasts until the next `set`. */
  take(rows: number): Column;
}

/** The types that a column of text can be read as. */
export function isCsvType(type: DataType): boolean {
  switch (type.kind) {
    case 'bool':
    case 'int':
    case 'timestamp':
      return true;
    case 'float':
      return type.bits > 16;
    case 'date':
      return type.unit === 'day';
    case 'utf8':
      return type.form === 'plain';
    default:
      return false;
  }
}

/** @param strict refuses text that another writing of the same value would not give back: `007`, `+1`. */
export function createCsvColumn(type: DataType, capacity: number, strict: boolean): CsvColumn {
  if (type.kind === 'utf8') return new TextColumn(type, capacity);
  return new FixedColumn(type, capacity, strict);
}

type SetValue = (row: number, bytes: Uint8Array, start: number, end: number) => boolean;

class Validity {
  private readonly bits: Uint8Array;
  private nulls = 0;

  constructor(capacity: number) {
    this.bits = new Uint8Array((capacity + 7) >> 3).fill(255);
  }

  setNull(row: number): void {
    this.bits[row >> 3] &= ~(1 << (row & 7));
    this.nulls += 1;
  }

  /** Bits of `rows` rows, where any is null; all are set again. */
  take(rows: number): Pick<Column, 'nulls' | 'validity'> {
    const { nulls } = this;
    if (nulls === 0) return { nulls };
    const validity = this.bits.slice(0, (rows + 7) >> 3);
    this.bits.fill(255);
    this.nulls = 0;
    return { nulls, validity };
  }
}

class FixedColumn implements CsvColumn {
  private readonly validity: Validity;
  private readonly values: Uint8Array;
  private readonly setValue: SetValue;

  constructor(
    private readonly type: DataType,
    capacity: number,
    strict: boolean,
  ) {
    const width = byteWidth(type);
    this.validity = new Validity(capacity);
    // Whole words, so that any typed array fits over it.
    this.values = new Uint8Array(Math.ceil(width === undefined ? capacity / 64 : (capacity * width) / 8) * 8);
    this.setValue = setterOf(type, this.values, strict);
  }

  set(row: number, bytes: Uint8Array, start: number, end: number): boolean {
    return this.setValue(row, bytes, start, end);
  }

  setNull(row: number): void {
    this.validity.setNull(row);
    const width = byteWidth(this.type);
    if (width === undefined) this.values[row >> 3] &= ~(1 << (row & 7));
    else this.values.fill(0, row * width, (row + 1) * width);
  }

  take(rows: number): Column {
    const width = byteWidth(this.type);
    const size = width === undefined ? (rows + 7) >> 3 : rows * width;
    const values = this.values.subarray(0, size);
    return { type: this.type, length: rows, bitOffset: 0, values, ...this.validity.take(rows) };
  }
}

function setterOf(type: DataType, { buffer }: Uint8Array, strict: boolean): SetValue {
  switch (type.kind) {
    case 'bool':
      return boolSetter(new Uint8Array(buffer));
    case 'int':
      return integerSetter(type.bits, type.signed, buffer, strict);
    case 'float': {
      const values = type.bits === 64 ? new Float64Array(buffer) : new Float32Array(buffer);
      return (row, bytes, start, end) => {
        const value = floatAt(bytes, start, end, strict);
        if (value === undefined) return false;
        values[row] = value;
        // A finite number beyond the range of 32 bits is no value of it.
        return Number.isFinite(values[row]) === Number.isFinite(value);
      };
    }
    case 'date': {
      const values = new Int32Array(buffer);
      return (row, bytes, start, end) => {
        const value = dateAt(bytes, start, end);
        if (value !== undefined) values[row] = value;
        return value !== undefined;
      };
    }
    case 'timestamp': {
      const values = new BigInt64Array(buffer);
      const zoned = type.zone !== null;
      return (row, bytes, start, end) => {
        const value = timestampAt(bytes, start, end, type.unit, zoned);
        if (value !== undefined) values[row] = value;
        return value !== undefined;
      };
    }
    default:
      throw new TypeError(`no text can be read as ${type.kind}`);
  }
}

function integerSetter(
  bits: 8 | 16 | 32 | 64,
  signed: boolean,
  buffer: ArrayBufferLike,
  strict: boolean,
): SetValue {
  const view = new DataView(buffer);
  const least = signed ? -(2 ** (bits - 1)) : 0;
  const greatest = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  const store: (row: number, value: number) => void = {
    8: (row: number, value: number) => view.setInt8(row, value),
    16: (row: number, value: number) => view.setInt16(row * 2, value, true),
    32: (row: number, value: number) => view.setInt32(row * 4, value, true),
    // Two halves: a BigInt for every value takes several times as long.
    64: (row: number, value: number) => {
      view.setInt32(row * 8, value, true);
      view.setInt32(row * 8 + 4, Math.floor(value / 2 ** 32), true);
    },
  }[bits];
  return (row, bytes, start, end) => {
    const value = integerAt(bytes, start, end, strict);
    if (value === undefined) return false;
    if (typeof value === 'number') {
      if (value < least || value > greatest) return false;
      store(row, value);
      return true;
    }
    if (value !== (signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value))) return false;
    if (bits === 64) view.setBigInt64(row * 8, value, true);
    else store(row, Number(value));
    return true;
  };
}

function boolSetter(bits: Uint8Array): SetValue {
  return (row, bytes, start, end) => {
    const value = boolAt(bytes, start, end);
    if (value === undefined) return false;
    if (value) bits[row >> 3] |= 1 << (row & 7);
    else bits[row >> 3] &= ~(1 << (row & 7));
    return true;
  };
}

function boolAt(bytes: Uint8Array, start: number, end: number): boolean | undefined {
  if (end - start > 5) return undefined;
  const text = String.fromCharCode(...bytes.subarray(start, end));
  if (text === 'true' || text === 'True' || text === 'TRUE') return true;
  return text === 'false' || text === 'False' || text === 'FALSE' ? false : undefined;
}

const quote = 34;

class TextColumn implements CsvColumn {
  private readonly validity: Validity;
  private readonly offsets: Int32Array;
  private values = new Uint8Array(1 << 16);

  constructor(
    private readonly type: DataType,
    capacity: number,
  ) {
    this.validity = new Validity(capacity);
    this.offsets = new Int32Array(capacity + 1);
  }

  set(row: number, bytes: Uint8Array, start: number, end: number, quoting: number): boolean {
    let at = this.offsets[row];
    if (at + end - start > this.values.length) this.grow(at + end - start);
    const { values } = this;
    const from = at;
    let high = 0;
    for (let i = start; i < end; i++) {
      const byte = bytes[i];
      values[at++] = byte;
      high |= byte;
      if (byte === quote && quoting === Quoting.doubled) i += 1;
    }
    this.offsets[row + 1] = at;
    return high < 128 || isUtf8(values.subarray(from, at));
  }

  setNull(row: number): void {
    this.validity.setNull(row);
    this.offsets[row + 1] = this.offsets[row];
  }

  take(rows: number): Column {
    const values = this.values.subarray(0, this.offsets[rows]);
    const offsets = new Uint8Array(this.offsets.buffer, 0, (rows + 1) * 4);
    return { type: this.type, length: rows, bitOffset: 0, values, offsets, ...this.validity.take(rows) };
  }

  private grow(size: number): void {
    const wide = new Uint8Array(Math.max(size, this.values.length * 2));
    wide.set(this.values);
    this.values = wide;
  }
}
