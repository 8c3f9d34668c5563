import { execFile } from 'node:child_process';
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { count, createParallel, createReference, max, mean, open, type Query } from 'rangefold';
import { createClickHouse } from 'rangefold/clickhouse';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeFile } from '../../../dist/io/write.js';
import { CLUSTER } from '../../cluster/nodes.mjs';
import { blocksOf, follow, workplace } from '../../support/blocks.mjs';
import { CLUSTER_URLS, clusterClients, createCluster } from '../../support/cluster.js';

const run = promisify(execFile);
const clients = clusterClients();
const [client] = clients;
const flights = createRequire(import.meta.url)
  .resolve('vega-datasets')
  .replace(/build.*$/, 'data/flights-3m.parquet');
const folder = mkdtempSync(join(tmpdir(), 'rangefold flights '));
const reference = createReference();
const parallel = createParallel({ workers: 2 });
const cluster = createClickHouse({ client });
const loading = createCluster();

async function command(query: string, on = client): Promise<void> {
  await on.command({ query, clickhouse_settings: { wait_end_of_query: 1 } });
}

// As the page on clusters says: a Parquet file, through one server, to the shards.
beforeAll(async () => {
  const columns =
    'date DateTime64(6), delay Nullable(Int64), distance Nullable(Int64), origin Nullable(String), destination Nullable(String)';
  for (const on of clients)
    await command(`CREATE TABLE flights_local (${columns}) ENGINE = MergeTree ORDER BY tuple()`, on);
  await command(
    `CREATE TABLE flights (${columns}) ENGINE = Distributed('${CLUSTER}', currentDatabase(), flights_local, rand())`,
  );
  const { stream } = await client.exec({
    query: 'INSERT INTO flights FORMAT Parquet',
    values: createReadStream(flights),
    clickhouse_settings: { distributed_foreground_insert: 1, wait_end_of_query: 1 },
  });
  for await (const _ of stream);
}, 120_000);

afterAll(async () => {
  await command('DROP TABLE flights');
  for (const on of clients) await command('DROP TABLE flights_local SYNC', on);
  await Promise.all([reference, parallel, cluster, loading].map((engine) => engine.close()));
  rmSync(folder, { recursive: true, force: true });
});

/** The bytes of a file that an answer is written to. */
async function bytesOf(answer: Parameters<typeof writeFile>[0], name: string): Promise<Buffer> {
  const path = join(folder, name);
  await writeFile(answer, name.endsWith('.csv') ? 'csv' : 'arrow', path);
  return readFileSync(path);
}

async function* each<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all;
}

it('the flights question has the same bytes from all three engines', async () => {
  const source = await open(flights);
  const query = {
    by: ['origin', 'destination'],
    aggregates: { flights: count(), mean_delay: mean('delay'), max_delay: max('delay') },
  } satisfies Query;
  const answers = [
    await reference.aggregate(source, query),
    await parallel.aggregate(source, query),
    await cluster.aggregate('flights', query),
    await loading.aggregate(source, query),
  ];
  for (const form of ['answer.arrow', 'answer.csv']) {
    const files = [];
    for (const { table } of answers)
      files.push(await bytesOf({ schema: table.schema, batches: each(table.batches) }, form));
    const [wanted = Buffer.of(), ...others] = files;
    expect(wanted.length).toBeGreaterThan(50_000);
    for (const bytes of others) expect(bytes.equals(wanted)).toBe(true);
  }
  for (const { stats } of answers) expect(stats).toMatchObject({ rows: 3_000_000 });
}, 240_000);

/**
 * Does what the page's SQL says. `ON CLUSTER` takes a Keeper, which there is none of, and `FROM INFILE` the client of ClickHouse's own, so
 * what these do is done here.
 */
async function load(sql: string): Promise<void> {
  for (const statement of sql.split(';').map((one) => one.trim())) {
    if (statement.startsWith('CREATE')) {
      const isEverywhere = statement.includes(' ON CLUSTER c ');
      const query = statement
        .replace(' ON CLUSTER c ', ' ')
        .replace('Distributed(c, db,', `Distributed('${CLUSTER}', default,`);
      for (const on of isEverywhere ? clients : [client]) await command(query, on);
    } else if (statement !== '') {
      const query = statement.replace(" FROM INFILE 'flights-3m.parquet'", '');
      const values = createReadStream(flights);
      const { stream } = await client.exec({ query, values, clickhouse_settings: { wait_end_of_query: 1 } });
      for await (const _ of stream);
    }
  }
}

it('the page on clusters says what happens', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const here = workplace(mkdtempSync(join(root, 'test/.page-')), join(root, 'dist/cli/main.js'));
  try {
    const page = readFileSync(join(root, 'docs/clickhouse.md'), 'utf8')
      .replaceAll('http://localhost:8123', CLUSTER_URLS[0] ?? '')
      .replace(/db\.(flights\w*)/g, 'default.page_$1')
      .replace('flights_local, rand()', 'page_flights_local, rand()');
    const blocks = blocksOf(page);
    const sql = blocks.filter(({ language }) => language === 'sql');
    expect(sql).toHaveLength(1);
    for (const { code } of sql) await load(code);
    const others = blocks.filter(({ language }) => language !== 'sql');
    const [program, asked] = others.map((block) => follow(block, here));
    expect(program).toBe('229 origins\n');
    expect(asked).toContain('229 rows');
    expect(others).toHaveLength(2);
  } finally {
    for (const on of clients) {
      for (const name of ['page_flights', 'page_flights_local'])
        await command(`DROP TABLE IF EXISTS ${name} SYNC`, on);
    }
    rmSync(here, { recursive: true, force: true });
  }
}, 120_000);

it('groups that the client has no memory for are streamed to a file', async () => {
  const program = fileURLToPath(new URL('stream-groups.mjs', import.meta.url));
  const path = join(folder, 'groups.arrow');
  const { stdout } = await run(process.execPath, [
    '--max-old-space-size=96',
    '--expose-gc',
    program,
    CLUSTER_URLS[0] ?? '',
    path,
  ]);
  const { groups, bytes, early, most } = JSON.parse(stdout) as Readonly<
    Record<'groups' | 'bytes' | 'early' | 'most', number>
  >;
  expect(groups).toBe(2_000_000);
  const answer = readFileSync(path);
  expect(answer.length).toBe(bytes);
  expect(answer.length).toBeGreaterThan(60_000_000);
  // Three quarters of the answer come after what is held early on; a few batches more or less are on their way at times.
  expect(most - early).toBeLessThan(answer.length / 4);
  const query: Query = { by: ['id', 'half'], aggregates: { n: count(), m: mean('x') } };
  const wanted = await bytesOf(await parallel.stream(await idsOf(), query), 'wanted.arrow');
  expect(answer.equals(wanted)).toBe(true);
}, 240_000);

/** The rows of the view that stream-groups.mjs makes. */
async function idsOf(): Promise<Parameters<typeof parallel.aggregate>[0]> {
  const { makeVector, Table } = await import('apache-arrow');
  const ids = Array.from({ length: 2_000_000 }, (_, i) => i);
  return new Table({
    id: makeVector(BigUint64Array.from(ids, BigInt)),
    half: makeVector(BigUint64Array.from(ids, (i) => BigInt(i >> 1))),
    x: makeVector(Float64Array.from(ids, (i) => i / 3)),
  });
}
