import {
  TimeUnit as ArrowTimeUnit,
  type DataType as ArrowType,
  type Data,
  type Date_,
  DateUnit,
  type Decimal,
  type Dictionary,
  type Duration,
  type FixedSizeBinary,
  type Float,
  type Int,
  type Interval,
  IntervalUnit,
  type List,
  type RecordBatch,
  type Schema,
  type Time,
  type Timestamp,
  Type,
  type Vector,
} from 'apache-arrow';
import { byteWidth, offsetWidth } from './byte-width.js';
import { type Batch, type Column, isValid } from './column.js';
import { concat } from './concat.js';
import { countBits } from './count-bits.js';
import { inputError } from './errors.js';
import type { BytesForm, DataType, Field, IntType, TimeUnit } from './type.js';
import { typeName } from './type.js';
import { validateColumn } from './validate-column.js';

/** The fields of a schema, in order. Types are told by their ids, so any copy of apache-arrow may have made them. */
export function fieldsOf(schema: Schema): Field[] {
  return schema.fields.map((field) => ({ name: field.name, type: typeOf(field.type) }));
}

/** A type as plain data; one that rangefold does not know is of kind 'other' under Arrow's own word for it. */
export function typeOf(arrow: ArrowType): DataType {
  switch (arrow.typeId as Type) {
    case Type.Null:
      return { kind: 'null' };
    case Type.Bool:
      return { kind: 'bool' };
    case Type.Int:
      return intTypeOf(arrow as Int);
    case Type.Float:
      return { kind: 'float', bits: ([16, 32, 64] as const)[(arrow as Float).precision] };
    case Type.Decimal: {
      const { bitWidth, precision, scale } = arrow as Decimal;
      const bits = ([32, 64, 128, 256] as const).find((width) => width === bitWidth);
      return bits === undefined ? otherType(arrow) : { kind: 'decimal', bits, precision, scale };
    }
    case Type.Utf8:
      return bytesType('utf8', 'plain');
    case Type.LargeUtf8:
      return bytesType('utf8', 'large');
    case Type.Utf8View:
      return bytesType('utf8', 'view');
    case Type.Binary:
      return bytesType('binary', 'plain');
    case Type.LargeBinary:
      return bytesType('binary', 'large');
    case Type.BinaryView:
      return bytesType('binary', 'view');
    case Type.FixedSizeBinary:
      return { kind: 'fixedBinary', width: (arrow as FixedSizeBinary).byteWidth };
    case Type.Date:
      return { kind: 'date', unit: (arrow as Date_).unit === DateUnit.DAY ? 'day' : 'ms' };
    case Type.Time: {
      const type: DataType = { kind: 'time', unit: timeUnitOf((arrow as Time).unit) };
      // The format ties the width to the unit; apache-arrow makes any pair of them.
      return byteWidth(type) === (arrow as Time).bitWidth / 8 ? type : otherType(arrow);
    }
    case Type.Timestamp: {
      const { unit, timezone } = arrow as Timestamp;
      // Arrow's schema format gives the empty zone the meaning of no zone.
      return { kind: 'timestamp', unit: timeUnitOf(unit), zone: timezone ? timezone : null };
    }
    case Type.Duration:
      return { kind: 'duration', unit: timeUnitOf((arrow as Duration).unit) };
    case Type.Interval:
      // Days and months have no common length, so the other intervals have no order.
      return (arrow as Interval).unit === IntervalUnit.YEAR_MONTH ? { kind: 'interval' } : otherType(arrow);
    case Type.Dictionary: {
      const { indices, dictionary, isOrdered } = arrow as Dictionary;
      const value = typeOf(dictionary);
      if (value.kind === 'dictionary') return otherType(arrow);
      return { kind: 'dictionary', index: intTypeOf(indices), value, ordered: isOrdered };
    }
    case Type.List:
      return { kind: 'list', item: typeOf((arrow as List).valueType) };
    default:
      return otherType(arrow);
  }
}

function otherType(arrow: ArrowType): DataType {
  return { kind: 'other', name: String(arrow) };
}

function intTypeOf(arrow: Int): IntType {
  return { kind: 'int', bits: arrow.bitWidth, signed: arrow.isSigned };
}

function bytesType(kind: 'utf8' | 'binary', form: BytesForm): DataType {
  return { kind, form };
}

function timeUnitOf(unit: ArrowTimeUnit): TimeUnit {
  switch (unit) {
    case ArrowTimeUnit.SECOND:
      return 's';
    case ArrowTimeUnit.MILLISECOND:
      return 'ms';
    case ArrowTimeUnit.MICROSECOND:
      return 'us';
    case ArrowTimeUnit.NANOSECOND:
      return 'ns';
  }
}

/**
 * The columns of a record batch at `indices`, in that order, without copying.
 * @param place names the batch in errors, as `batch 3`.
 * @throws InputError where a column is not as long as its batch, or a buffer too short for its rows.
 */
export function batchOf(recordBatch: RecordBatch, indices: readonly number[], place = 'batch'): Batch {
  const rows = recordBatch.numRows;
  const columns = indices.map((index) => {
    const where = `${place}, column ${JSON.stringify(recordBatch.schema.fields[index]?.name)}`;
    const data = recordBatch.data.children[index];
    if (data === undefined) throw inputError(where, 'no data', `a column of ${rows} rows`);
    if (data.length !== rows)
      throw inputError(where, `${data.length} rows`, `${rows}, the rows of its batch`);
    return columnOf(data, where);
  });
  return { rows, columns };
}

/**
 * Our view of one chunk of a column, without copying. Batches that share a dictionary get the same object as
 * `dictionary`.
 * @param place names the column in errors.
 * @throws InputError where a buffer is too short, or the type is one that rangefold does not read.
 */
export function columnOf(data: Data, place = 'column'): Column {
  const type = typeOf(data.type);
  const { length } = data;
  if (type.kind === 'null') {
    return { type, length, nulls: length, bitOffset: 0, values: new Uint8Array(0) };
  }
  if (type.kind === 'list' || type.kind === 'other') {
    throw inputError(place, typeName(type), 'a type that is not nested');
  }
  // Data.slice() cuts `values` and `valueOffsets` to the row, but leaves bit buffers whole and moves `offset`.
  const bitOffset = data.offset & 7;
  const head = { type, length, bitOffset, ...validityOf(data, bitOffset, place) };
  return { ...head, ...contentOf(data, head, place) };
}

type Head = Omit<Column, 'values'>;

function validityOf(data: Data, bitOffset: number, place: string): Pick<Column, 'nulls' | 'validity'> {
  const bitmap = bytesOf(data.nullBitmap);
  const { nullCount } = data;
  // apache-arrow does not look at the bits where it is told that there are no nulls, and neither must we.
  if (nullCount === 0 || bitmap.length === 0) {
    if (nullCount > 0) throw inputError(place, `${nullCount} nulls and no validity`, 'a validity bitmap');
    return { nulls: 0 };
  }
  const validity = bitsFrom(bitmap, data.offset, data.length);
  if (validity.length * 8 < bitOffset + data.length) {
    throw inputError(
      place,
      `${bitmap.length} bytes of validity`,
      `bits for ${data.offset + data.length} rows`,
    );
  }
  const nulls = data.length - countBits(validity, bitOffset, data.length);
  return nulls === 0 ? { nulls } : { nulls, validity };
}

function contentOf(
  data: Data,
  head: Head,
  place: string,
): Pick<Column, 'values' | 'offsets' | 'buffers' | 'dictionary'> {
  const { type, length } = head;
  const values = bytesOf(data.values);
  if (type.kind === 'bool') {
    const bits = bitsFrom(values, data.offset, length);
    const have = Math.max(0, bits.length * 8 - head.bitOffset);
    return { values: padded(bits, have, (head.bitOffset + length + 7) >> 3, head, place) };
  }
  const offset = offsetWidth(type);
  if (offset !== undefined) {
    return { values, offsets: paddedOffsets(bytesOf(data.valueOffsets), offset, head, place) };
  }
  const width = byteWidth(type) ?? 0;
  const rows = padded(values, Math.floor(values.length / width), length * width, head, place);
  if (type.kind === 'dictionary') {
    return { values: rows, dictionary: dictionaryOf(data.dictionary, `${place}, dictionary`) };
  }
  if (type.kind === 'utf8' || type.kind === 'binary') {
    return { values: rows, buffers: (data.variadicBuffers ?? []).map(bytesOf) };
  }
  return { values: rows };
}

/**
 * `size` bytes of a buffer that holds `have` rows. A shorter one is filled up with zeros where all rows that it
 * lacks are null, for this is how apache-arrow itself makes the columns of a table equally long.
 */
function padded(bytes: Uint8Array, have: number, size: number, head: Head, place: string): Uint8Array {
  if (bytes.length >= size) return bytes.subarray(0, size);
  requireNulls(have, bytes.length, size, head, place);
  const wide = new Uint8Array(size);
  wide.set(bytes);
  return wide;
}

function paddedOffsets(bytes: Uint8Array, width: 4 | 8, head: Head, place: string): Uint8Array {
  const size = (head.length + 1) * width;
  if (bytes.length >= size) return bytes.subarray(0, size);
  const have = Math.floor(bytes.length / width);
  requireNulls(Math.max(0, have - 1), bytes.length, size, head, place);
  const wide = new Uint8Array(size);
  wide.set(bytes.subarray(0, have * width));
  for (let i = Math.max(1, have); i <= head.length; i++)
    wide.copyWithin(i * width, (i - 1) * width, i * width);
  return wide;
}

function requireNulls(from: number, came: number, wanted: number, head: Head, place: string): void {
  for (let row = from; row < head.length; row++) {
    if (isValid(head, row)) {
      throw inputError(place, `a buffer of ${came} bytes`, `${wanted}, for ${head.length} rows`);
    }
  }
}

const dictionaries = new WeakMap<Vector, Column>();

/** A dictionary that grew while its stream was read is a vector of several chunks; codes count through them all. */
function dictionaryOf(vector: Vector | undefined, place: string): Column {
  if (vector === undefined) throw inputError(place, 'none', 'the values of the codes');
  const known = dictionaries.get(vector);
  if (known !== undefined) return known;
  const [first, ...rest] = vector.data.map((data) => columnOf(data, place));
  if (first === undefined) throw inputError(place, 'no chunk', 'the values of the codes');
  for (const chunk of rest.length === 0 ? [] : [first, ...rest]) validateColumn(chunk, place);
  const column = rest.length === 0 ? first : concat([first, ...rest], place);
  dictionaries.set(vector, column);
  return column;
}

/** The whole bytes that hold `length` bits from bit `start` on, or fewer where the buffer ends before. */
function bitsFrom(bytes: Uint8Array, start: number, length: number): Uint8Array {
  return bytes.subarray(start >> 3, (start + length + 7) >> 3);
}

function bytesOf(buffer: unknown): Uint8Array {
  if (!ArrayBuffer.isView(buffer)) return new Uint8Array(0);
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
