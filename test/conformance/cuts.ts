import type { RecordBatch } from 'apache-arrow';

/** Ways to cut the rows of an input into batches, none of which may show in the answer. */
export const CUTS: readonly (readonly [name: string, cut: (batch: RecordBatch) => RecordBatch[]])[] = [
  ['one batch', (batch) => [batch]],
  ['batches of 1 row', (batch) => cutBy(batch, 1)],
  ['batches of 3 rows', (batch) => cutBy(batch, 3)],
  ['an empty batch at the start, in the middle and at the end', withEmpty],
];

export function cutBy(batch: RecordBatch, rows: number): RecordBatch[] {
  const cut: RecordBatch[] = [];
  for (let row = 0; row < batch.numRows; row += rows) cut.push(batch.slice(row, row + rows));
  return cut;
}

function withEmpty(batch: RecordBatch): RecordBatch[] {
  const middle = batch.numRows >> 1;
  const empty = batch.slice(0, 0);
  return [empty, batch.slice(0, middle), empty, batch.slice(middle, batch.numRows), empty];
}
