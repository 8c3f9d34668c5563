import { byteWidth, offsetWidth } from './byte-width.js';
import type { Batch, Column } from './column.js';
import { describe } from './describe.js';
import { inputError } from './errors.js';
import { type DataType, type Field, layoutOf, sameType, typeName } from './type.js';

/**
 * Checks, in O(columns), that what a source's module gave is a batch of these columns, with buffers as long as its rows need:
 * whoever wrote it. What offsets, views and codes say is checked where they are read.
 * @param place names the batch in errors, as `part 3`.
 * @throws InputError
 */
export function requireBatch(
  batch: unknown,
  fields: readonly Field[],
  place: string,
): asserts batch is Batch {
  if (!isObject(batch)) throw inputError(place, describe(batch), 'a batch: { rows, columns }');
  const { rows, columns } = batch as Partial<Batch>;
  if (!isCount(rows)) throw inputError(`${place}, rows`, describe(rows), 'a whole number from 0');
  if (!Array.isArray(columns) || columns.length !== fields.length) {
    const came = Array.isArray(columns) ? `${columns.length} columns` : describe(columns);
    throw inputError(`${place}, columns`, came, `${fields.length}, those that were named`);
  }
  fields.forEach(({ name, type }, i) => {
    requireColumn(columns[i], type, rows, `${place}, column ${JSON.stringify(name)}`);
  });
}

function requireColumn(came: unknown, type: DataType, rows: number, place: string): void {
  if (!isObject(came)) throw inputError(place, describe(came), 'a column');
  const column = came as Partial<Column>;
  if (!isObject(column.type) || !sameType(column.type as DataType, type)) {
    const other = isObject(column.type) ? (typeName(column.type as DataType) ?? 'unknown') : 'none';
    throw inputError(place, `type ${other}`, typeName(type));
  }
  if (column.length !== rows)
    throw inputError(place, `${describe(column.length)} rows`, `${rows}, the rows of its batch`);
  if (rows === 0) return;
  const { nulls, bitOffset, validity, values, offsets } = column;
  if (!isCount(nulls) || nulls > rows) throw inputError(`${place}, nulls`, describe(nulls), `0 to ${rows}`);
  if (!isCount(bitOffset))
    throw inputError(`${place}, bitOffset`, describe(bitOffset), 'a whole number from 0');
  const { form } = layoutOf(type);
  const bits = Math.ceil((bitOffset + rows) / 8);
  if (nulls > 0 && form !== 'none') requireBytes(validity, bits, rows, `${place}, validity`);
  const width = form === 'bits' ? bits : rows * (byteWidth(type) ?? 0);
  requireBytes(values, width, rows, `${place}, values`);
  const offset = offsetWidth(type);
  if (offset !== undefined) requireBytes(offsets, offset * (rows + 1), rows, `${place}, offsets`);
  if (form === 'views') {
    const { buffers = [] } = column;
    if (!Array.isArray(buffers))
      throw inputError(`${place}, buffers`, describe(buffers), 'a list of buffers');
    for (const [i, buffer] of buffers.entries()) requireBytes(buffer, 0, rows, `${place}, buffer ${i}`);
  }
  if (type.kind === 'dictionary') {
    const { dictionary } = column;
    const entries = isObject(dictionary) ? dictionary.length : undefined;
    if (!isCount(entries))
      throw inputError(`${place}, dictionary`, describe(dictionary), 'the values of the codes');
    requireColumn(dictionary, type.value, entries, `${place}, dictionary`);
  }
}

function requireBytes(came: unknown, bytes: number, rows: number, place: string): void {
  const wanted = `bytes (Uint8Array), ${bytes} or more for ${rows} rows`;
  if (!(came instanceof Uint8Array)) throw inputError(place, describe(came), wanted);
  if (came.length < bytes) throw inputError(place, `${came.length} bytes`, wanted);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
