import type { RecordBatch } from 'apache-arrow';

type Cut = (batch: RecordBatch) => RecordBatch[];

/** Ways to cut the rows of an input into batches, none of which may show in the answer. */
const ANY: readonly (readonly [name: string, cut: Cut])[] = [
  ['one batch', (batch) => [batch]],
  ['an empty batch at the start, in the middle and at the end', withEmpty],
];
const SINGLE: typeof ANY = [['batches of 1 row', (batch) => cutBy(batch, 1)]];
const LARGE: typeof ANY = [['batches of 997 rows', (batch) => cutBy(batch, 997)]];

/** The most rows that are cut into single ones, unless the long tests run. */
const SINGLE_ROWS = 1000;

/** The cuts for an input of so many rows. */
export function cutsOf(rows: number): typeof ANY {
  if (rows <= SINGLE_ROWS) return [...ANY, ...SINGLE];
  if (Number(process.env.RANGEFOLD_RUNS ?? 1) > 1) return [...ANY, ...LARGE, ...SINGLE];
  console.info(`${rows} rows are cut into batches of 1 row in test:long only`);
  return [...ANY, ...LARGE];
}

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
