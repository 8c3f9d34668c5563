import type { RecordBatch } from 'apache-arrow';
import { batchOf } from '../core/from-arrow.js';
import { type Value, valueReader } from '../core/read-values.js';

/** For every column of a batch a function from row to exact value, null where there is none. */
export function columnReaders(batch: RecordBatch): ((row: number) => Value | null)[] {
  const all = batch.schema.fields.map((_, i) => i);
  return batchOf(batch, all).columns.map(valueReader);
}
