import type { RecordBatch, Schema } from 'apache-arrow';
import type { Batch } from '../core/column.js';
import { concat } from '../core/concat.js';
import { batchOf, columnOrListOf } from '../core/from-arrow.js';
import { slice } from '../core/slice.js';
import { recordBatchOf } from '../core/to-arrow.js';

/** Rows of a batch in a file. */
export const fileBatchRows = 65_536;

/**
 * The same rows in batches of `rows` each, the last one shorter. Their bytes depend on the rows only, not on how
 * they were cut before. Columns own their memory.
 */
export async function* recut(
  schema: Schema,
  batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
  rows: number = fileBatchRows,
): AsyncGenerator<RecordBatch, void> {
  const all = schema.fields.map((_, i) => i);
  let pieces: Batch[] = [];
  let have = 0;
  for await (const recordBatch of batches) {
    const batch = batchOf(recordBatch, all, 'batch', columnOrListOf);
    for (let at = 0; at < batch.rows; ) {
      const end = Math.min(batch.rows, at + rows - have);
      pieces.push({ rows: end - at, columns: batch.columns.map((column) => slice(column, at, end)) });
      have += end - at;
      at = end;
      if (have < rows) continue;
      yield recordBatchOf(schema, joined(pieces, have));
      pieces = [];
      have = 0;
    }
  }
  if (have > 0) yield recordBatchOf(schema, joined(pieces, have));
}

function joined(pieces: readonly Batch[], rows: number): Batch {
  const [first, ...rest] = pieces;
  const columns = first.columns.map((column, i) =>
    concat([column, ...rest.map((piece) => piece.columns[i])], `column ${i}`),
  );
  return { rows, columns };
}
