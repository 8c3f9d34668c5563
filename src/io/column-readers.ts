import type { RecordBatch } from 'apache-arrow';
import type { Column } from '../core/column.js';
import { isValid } from '../core/column.js';
import { batchOf, columnOrListOf } from '../core/from-arrow.js';
import { type Value, valueReader } from '../core/read-values.js';

/** An exact value, or of a list its items; null where there is none. */
export type Cell = Value | readonly (Value | null)[] | null;

/** For every column of a batch a function from row to cell. */
export function columnReaders(batch: RecordBatch): ((row: number) => Cell)[] {
  const all = batch.schema.fields.map((_, i) => i);
  return batchOf(batch, all, 'batch', columnOrListOf).columns.map((column) =>
    column.type.kind === 'list' ? listReader(column) : valueReader(column),
  );
}

function listReader(column: Column): (row: number) => Cell {
  const { items, offsets } = column;
  if (items === undefined || offsets === undefined) return () => null;
  const ends = new DataView(offsets.buffer, offsets.byteOffset, offsets.byteLength);
  const read = valueReader(items);
  return (row) => {
    if (!isValid(column, row)) return null;
    const first = ends.getInt32(row * 4, true);
    return Array.from({ length: ends.getInt32((row + 1) * 4, true) - first }, (_, i) => read(first + i));
  };
}
