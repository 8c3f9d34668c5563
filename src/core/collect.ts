import type { RecordBatch, Table } from 'apache-arrow';
import type { Aggregation, OutputTypes, Query } from './aggregator.js';
import type { Answer } from './answer.js';
import { tableOf } from './to-arrow.js';

/** Reads an answer to its end: the public form of an answer that is there as a whole. */
export async function collect<Q extends Query>(answer: Answer): Promise<Aggregation<Q>> {
  const batches: RecordBatch[] = [];
  const ranges: { readonly start: number; length: number }[] = [];
  let rows = 0;
  for await (const { range, batch } of answer.batches) {
    while (ranges.length <= range) ranges.push({ start: rows, length: 0 });
    ranges[range].length += batch.numRows;
    rows += batch.numRows;
    batches.push(batch);
  }
  // The columns are those that check() made of the query, whose names and types Q spells out.
  const table = tableOf(answer.schema, batches) as Table<OutputTypes<Q>>;
  return { table, ranges, stats: await answer.stats };
}
