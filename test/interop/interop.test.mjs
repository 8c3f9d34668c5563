// Answers go into other programs' tables, and their tables come in: once each way, compared with sums done by hand.
// nodejs-polars stays at 0.24: from 0.25 its program needs Node 22. Arquero is held to a flechette whose own packages can
// be had. apache-arrow is the project's own copy, as it is the only one in a project that has rangefold installed.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BIGINT, DOUBLE, DuckDBDataChunk, DuckDBInstance, VARCHAR } from '@duckdb/node-api';
import * as Plot from '@observablehq/plot';
import { Float64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import * as aq from 'arquero';
import { parseHTML } from 'linkedom';
import pl from 'nodejs-polars';
import { count, createParallel, open, sum } from '../../dist/index.js';
import { blocksOf, follow, packagesOf, workplace } from '../support/blocks.mjs';

const engine = createParallel({ workers: 2 });
after(() => engine.close());

const rows = 100_000;
const query = { by: ['k'], aggregates: { n: count(), sum: sum('v') } };
/** Rows have the keys a, b, c in turns and 0, 0.5, 1 ... as values. */
const keyOf = (i) => 'abc'[i % 3];
const numberOf = (i) => i / 2;
/** i / 2 over i = r, r + 3 ... : n terms, of which the last is r + 3 (n - 1). */
const right = [0, 1, 2].map((r) => {
  const n = Math.ceil((rows - r) / 3);
  return { k: 'abc'[r], n, sum: (n * (2 * r + 3 * (n - 1))) / 4 };
});
const plain = (table) => table.toArray().map(({ k, n, sum }) => ({ k, n: Number(n), sum }));

async function answer() {
  const k = vectorFromArray(
    Array.from({ length: rows }, (_, i) => keyOf(i)),
    new Utf8(),
  );
  const v = vectorFromArray(
    Float64Array.from({ length: rows }, (_, i) => numberOf(i)),
    new Float64(),
  );
  const { table } = await engine.aggregate(new Table({ k, v }), query);
  return table;
}

test('a query of DuckDB comes in as a stream of batches', async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  const result = await connection.stream(
    `select substr('abc', (i % 3 + 1)::int, 1) as k, i / 2 as v from range(${rows}) t(i)`,
  );
  let batches = 0;
  async function* stream() {
    for (let chunk = await result.fetchChunk(); chunk?.rowCount > 0; chunk = await result.fetchChunk()) {
      const [k, v] = chunk.getColumns();
      batches += 1;
      yield* new Table({ k: vectorFromArray(k, new Utf8()), v: vectorFromArray(v, new Float64()) }).batches;
    }
  }
  const { table, stats } = await engine.aggregate(stream(), query);
  assert.ok(batches > 10);
  assert.equal(stats.rows, rows);
  assert.deepEqual(plain(table), right);
});

test('an answer goes into DuckDB', async () => {
  const table = await answer();
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run('create table answer (k varchar, n bigint, sum double)');
  const appender = await connection.createAppender('answer');
  for (const batch of table.batches) {
    const chunk = DuckDBDataChunk.create([VARCHAR, BIGINT, DOUBLE], batch.numRows);
    chunk.setColumns(batch.schema.fields.map(({ name }) => [...batch.getChild(name)]));
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  const reader = await connection.runAndReadAll('select k, n::int as n, sum from answer');
  assert.deepEqual(
    reader.getRowObjects().map((row) => ({ ...row })),
    right,
  );
});

test('a data frame of Polars comes in, compressed or not', async () => {
  const frame = pl.DataFrame({
    k: Array.from({ length: rows }, (_, i) => keyOf(i)),
    v: Array.from({ length: rows }, (_, i) => numberOf(i)),
  });
  for (const compression of ['uncompressed', 'lz4', 'zstd']) {
    const { table } = await engine.aggregate(await open(frame.writeIPC({ compression })), query);
    assert.deepEqual(plain(table), right, compression);
  }
});

test('an answer goes into Polars', async () => {
  const frame = pl.readIPC(Buffer.from(tableToIPC(await answer(), 'file')));
  assert.deepEqual(
    frame.toRecords().map((row) => ({ ...row, n: Number(row.n) })),
    right,
  );
});

test('a table of Arquero comes in', async () => {
  const table = aq.table({
    k: Array.from({ length: rows }, (_, i) => keyOf(i)),
    v: Float64Array.from({ length: rows }, (_, i) => numberOf(i)),
  });
  const { table: answered } = await engine.aggregate(await open(table.toArrowIPC()), query);
  assert.deepEqual(plain(answered), right);
});

test('an answer goes into Arquero', async () => {
  const table = aq.fromArrow(await answer());
  assert.deepEqual(
    table.objects().map((row) => ({ ...row, n: Number(row.n) })),
    right,
  );
});

test('an answer is drawn by Observable Plot', async () => {
  const { document } = parseHTML('<html></html>');
  const drawn = Plot.barY(await answer(), { x: 'k', y: 'sum' }).plot({ document });
  const bars = [...drawn.querySelectorAll('[aria-label="bar"] rect')];
  assert.equal(bars.length, 3);
  const heights = bars.map((bar) => Number(bar.getAttribute('height')));
  const most = Math.max(...right.map(({ sum }) => sum));
  for (const [i, { sum }] of right.entries()) {
    assert.ok(Math.abs(heights[i] / Math.max(...heights) - sum / most) < 1e-3);
  }
});

test('the programs of docs/coming-from.md do what they say', () => {
  const here = (path) => fileURLToPath(new URL(path, import.meta.url));
  const { dependencies } = JSON.parse(readFileSync(here('package.json'), 'utf8'));
  const page = readFileSync(here('../../docs/coming-from.md'), 'utf8');
  const folder = workplace(here(`.docs-${process.pid}`), here('../../dist/cli/main.js'));
  try {
    const seen = new Set();
    for (const block of blocksOf(page)) {
      const others = packagesOf(block.code).filter((name) => name in dependencies);
      if (others.length === 0) continue;
      for (const name of others) seen.add(name);
      const code = block.code.replaceAll("'rangefold'", "'../../../dist/index.js'");
      assert.equal(follow({ ...block, code }, folder), block.output, `line ${block.line}`);
    }
    assert.deepEqual([...seen].sort(), Object.keys(dependencies).sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
