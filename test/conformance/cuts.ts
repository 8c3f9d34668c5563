import type { RecordBatch } from 'apache-arrow';

type Cut = (batch: RecordBatch) => RecordBatch[];

/** Ways to cut the rows of an input into batches, none of which may show in the answer. */
const ALL: readonly (readonly [name: string, cut: Cut])[] = [
  ['one batch', (batch) => [batch]],
  ['an empty batch at the start, in the middle and at the end', withEmpty],
  ['batches of 997 rows', (batch) => cutBy(batch, 997)],
];
const SMALL: typeof ALL = [
  ['batches of 1 row', (batch) => cutBy(batch, 1)],
  ['batches of 3 rows', (batch) => cutBy(batch, 3)],
];

/** The most rows that are cut into batches of a few, unless the long tests run. */
const SMALL_ROWS = 1000;
let told = false;

export function cutsOf(rows: number): typeof ALL {
  if (rows <= SMALL_ROWS || process.env.RANGEFOLD_RUNS !== undefined) return [...ALL, ...SMALL];
  if (!told)
    console.info(`Inputs of more than ${SMALL_ROWS} rows are cut into batches of 1 row in test:long only.`);
  told = true;
  return ALL;
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
