import { Field, makeData, RecordBatch, Schema, Struct, Table } from 'apache-arrow';
import { keyColumn, valueColumn } from './columns.mjs';
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
  const children = [
    ...shape.keys.map((key) => keyColumn(key, group, next, allocate)),
    valueColumn(values, allocate),
  ];
  const names = [...shape.keys.map(({ name }) => name), 'value'];
  const schema = new Schema(names.map((name, i) => new Field(name, children[i].type, false)));
  const data = makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children });
  return new Table(schema, [new RecordBatch(schema, data)]);
}

/** Bytes of a table's buffers. */
export function bytesOf(table) {
  return table.batches
    .flatMap(({ data }) => data.children)
    .reduce((sum, { values, valueOffsets }) => sum + values.byteLength + (valueOffsets?.byteLength ?? 0), 0);
}
