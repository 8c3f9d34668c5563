import { Field, makeData, RecordBatch, Schema, Struct, Table } from 'apache-arrow';
import { keyColumn, valueColumn, withNulls } from './columns.mjs';
import { random32 } from './random.mjs';
import { rowsOf } from './rows.mjs';

const SEED = 20260117;

/** Memory that every thread sees, so that workers read it where it lies. */
export const shared = (size) => new SharedArrayBuffer(size);
/** Memory as a program has it that knows nothing of threads. */
export const ordinary = (size) => new ArrayBuffer(size);

/**
 * The rows of a shape as an Arrow table of one record batch: key columns, then `value`. The same shape and number of
 * rows give the same table, whichever kind of memory it lies in.
 */
export function tableOf(shape, rows, allocate) {
  const { group, values } = rowsOf(shape, rows, random32(SEED));
  // a generator of their own, so that the sorted shape has the keys of the shuffled one
  const next = random32(SEED + 1);
  const keys = shape.keys.map((key) => [key.name, keyColumn(key, group, next, allocate)]);
  const value = valueColumn(values, allocate);
  return tableFrom([...keys, ['value', shape.nullableValue ? withNulls(value, next, allocate) : value]]);
}

/** Columns by name as a table of one record batch; those are nullable that have nulls. */
export function tableFrom(columns) {
  const children = columns.map(([, column]) => column);
  const fields = columns.map(([name, { type, nullCount }]) => new Field(name, type, nullCount > 0));
  const schema = new Schema(fields);
  const data = makeData({ type: new Struct(fields), length: children[0].length, nullCount: 0, children });
  return new Table(schema, [new RecordBatch(schema, data)]);
}

/** Bytes of a table's buffers. */
export function bytesOf(table) {
  return table.batches
    .flatMap(({ data }) => data.children)
    .reduce((sum, { values, valueOffsets }) => sum + values.byteLength + (valueOffsets?.byteLength ?? 0), 0);
}
