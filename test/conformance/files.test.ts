import { Float64, Int64, tableToIPC, Utf8 } from 'apache-arrow';
import * as parquet from 'parquet-wasm/node';
import { type Aggregator, count, max, mean, open, sum } from 'rangefold';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../support/cells.js';
import { ENGINES } from '../support/engines.js';
import { column, tableOf } from '../support/files.js';

/** Rows of each file, one row group each: a page's usual number of rows, one, one more than usual, and many. */
const ROW_GROUPS = [40_960, 1, 40_961, 70_789];
const DISTINCT = 30_000;

/** Rows first..first + rows of one long table, by arithmetic. */
function rowsOf(first: number, rows: number) {
  const numbers = Array.from({ length: rows }, (_, i) => first + i);
  return tableOf({
    k: column(
      new Utf8(),
      numbers.map((i) => `key number ${(i * 7919) % DISTINCT}`),
    ),
    x: column(
      new Float64(),
      numbers.map((i) => (i % 17 === 0 ? null : i / 3)),
    ),
    i: column(
      new Int64(),
      numbers.map((i) => BigInt(i) * 1_000_003n),
    ),
  });
}

/** A file whose column chunks begin with a dictionary and go on without: the dictionary page may hold 4 KiB. */
function fileOf(first: number, rows: number): Uint8Array {
  const properties = new parquet.WriterPropertiesBuilder()
    .setMaxRowGroupSize(rows)
    .setDictionaryPageSizeLimit(4096)
    .setDataPageSizeLimit(16_384)
    .build();
  const ipc = tableToIPC(rowsOf(first, rows), 'stream');
  return parquet.writeParquet(parquet.Table.fromIPCStream(ipc), properties);
}

const firsts = ROW_GROUPS.map((_, i) => ROW_GROUPS.slice(0, i).reduce((sum, rows) => sum + rows, 0));
const QUERY = {
  by: ['k'],
  aggregates: { n: count(), m: mean('x'), s: sum('x'), t: sum('i'), last: max('k') },
};

describe.each(ENGINES)('$name', ({ create }) => {
  let engine: Aggregator;
  beforeAll(() => {
    engine = create();
  });
  afterAll(() => engine.close());

  it('answers from Parquet what it answers from Arrow, whatever the row groups and encodings', async () => {
    const files = await open(ROW_GROUPS.map((rows, i) => fileOf(firsts[i], rows)));
    const batches = ROW_GROUPS.flatMap((rows, i) => rowsOf(firsts[i], rows).batches);
    const fromFiles = await engine.aggregate(files, QUERY);
    const fromBatches = await engine.aggregate(batches, QUERY);
    expect(fromFiles.stats.rows).toBe(152_711);
    expect(fromFiles.stats.groups).toBe(DISTINCT);
    const came = cellsOf(fromFiles.table);
    const wanted = cellsOf(fromBatches.table);
    expect(came.columns).toEqual(wanted.columns);
    expect(came.rows.join('\n') === wanted.rows.join('\n')).toBe(true);
  });
});
