import type { Data, RecordBatch, Schema, Vector } from 'apache-arrow';
import { typeOf } from './arrow-type.js';
import { byteOf, bytesFor, countBits } from './bits.js';
import { byteWidth, offsetWidth } from './byte-width.js';
import { type Batch, type Column, isValid } from './column.js';
import { concat } from './concat.js';
import { inputError } from './errors.js';
import { type Field, layoutOf, typeName } from './type.js';
import { validateColumn } from './validate-column.js';

/** The fields of a schema, in order. Types are told by their ids, so any copy of apache-arrow may have made them. */
export function fieldsOf(schema: Schema): Field[] {
  return schema.fields.map((field) => ({ name: field.name, type: typeOf(field.type) }));
}

/**
 * The columns of a record batch at `indices`, in that order, without copying.
 * @param place names the batch in errors, as `batch 3`.
 * @param read reads a column of it.
 * @throws InputError where a column is not as long as its batch, or a buffer too short for its rows.
 */
export function batchOf(
  recordBatch: RecordBatch,
  indices: readonly number[],
  place = 'batch',
  read: (data: Data, place: string) => Column = columnOf,
): Batch {
  const rows = recordBatch.numRows;
  const columns = indices.map((index) => {
    const where = `${place}, column ${JSON.stringify(recordBatch.schema.fields[index]?.name)}`;
    const data = recordBatch.data.children[index];
    if (data === undefined) throw inputError(where, 'no data', `a column of ${rows} rows`);
    if (data.length !== rows)
      throw inputError(where, `${data.length} rows`, `${rows}, the rows of its batch`);
    return read(data, where);
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
  const { form } = layoutOf(type);
  if (form === 'none') return { type, length, nulls: length, bitOffset: 0, values: new Uint8Array(0) };
  if (form === 'nested') throw inputError(place, typeName(type), 'a type that is not nested');
  // Data.slice() cuts `values` and `valueOffsets` to the row, but leaves bit buffers whole and moves `offset`.
  const bitOffset = data.offset & 7;
  const head = { type, length, bitOffset, ...validityOf(data, bitOffset, place) };
  return { ...head, ...contentOf(data, head, place) };
}

/** As {@link columnOf}, lists of what that reads included: answers have them, inputs are not read by them. */
export function columnOrListOf(data: Data, place = 'column'): Column {
  const type = typeOf(data.type);
  if (type.kind !== 'list') return columnOf(data, place);
  const bitOffset = data.offset & 7;
  const head = { type, length: data.length, bitOffset, ...validityOf(data, bitOffset, place) };
  const offsets = paddedOffsets(bytesOf(data.valueOffsets), 4, head, place);
  const items = columnOf(data.children[0], `${place}, items`);
  return { ...head, values: new Uint8Array(0), offsets, items };
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
  const { form } = layoutOf(type);
  const values = bytesOf(data.values);
  if (form === 'bits') {
    const bits = bitsFrom(values, data.offset, length);
    const have = Math.max(0, bits.length * 8 - head.bitOffset);
    return { values: padded(bits, have, bytesFor(head.bitOffset + length), head, place) };
  }
  const offset = offsetWidth(type);
  if (offset !== undefined) {
    return { values, offsets: paddedOffsets(bytesOf(data.valueOffsets), offset, head, place) };
  }
  const width = byteWidth(type) ?? 0;
  const rows = padded(values, Math.floor(values.length / width), length * width, head, place);
  if (form === 'codes') {
    return { values: rows, dictionary: dictionaryOf(data.dictionary, `${place}, dictionary`) };
  }
  return form === 'views'
    ? { values: rows, buffers: (data.variadicBuffers ?? []).map(bytesOf) }
    : { values: rows };
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
  return bytes.subarray(byteOf(start), bytesFor(start + length));
}

function bytesOf(buffer: unknown): Uint8Array {
  if (!ArrayBuffer.isView(buffer)) return new Uint8Array(0);
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
