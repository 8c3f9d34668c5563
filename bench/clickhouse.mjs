/**
 * One question on every engine: 3,000,000 flights by origin and destination, in a file, held, and on two ClickHouse servers of this
 * machine; and what exact float sums cost there. Answers are compared bit for bit. `npm run bench:cluster` installs the servers.
 */
import { createReadStream } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { createClient } from '@clickhouse/client';
import { Table } from 'apache-arrow';
import { count, createParallel, createReference, max, mean, open, sum } from 'rangefold';
import { createClickHouse } from 'rangefold/clickhouse';
import { CLUSTER, isInstalled, startNodes } from '../test/cluster/nodes.mjs';
import { requireSame } from './agree.mjs';
import { FLIGHTS as path } from './data/flights.mjs';
import { held } from './held.mjs';

const RUNS = 5;
const FLOATS = 1_000_000;

if (!isInstalled)
  throw new Error('the servers are not installed, which are there for Linux on x64: npm ci in test/cluster');
const nodes = await startNodes(2);
const clients = nodes.urls.map((url) =>
  createClient({ url, clickhouse_settings: { prefer_localhost_replica: 0 } }),
);
const [client] = clients;
const engines = {
  reference: createReference(),
  parallel: createParallel(),
  cluster: createClickHouse({ client }),
  loading: createClickHouse({ client, shards: { cluster: CLUSTER, clients } }),
  fast: createClickHouse({ client, floatSums: 'fast' }),
};

try {
  say(
    `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), load ${loadavg()[0]?.toFixed(1)}`,
  );
  await createFlights();
  const file = await open(path);
  const table = await held(engines.parallel, await tableOf(file));
  const query = {
    by: ['origin', 'destination'],
    aggregates: { flights: count(), mean_delay: mean('delay'), max_delay: max('delay') },
  };
  say(`\n3,000,000 flights by origin and destination; the least of ${RUNS} runs\n`);
  const expected = (await engines.reference.aggregate(file, query)).table;
  await timed('reference, from the Parquet file', engines.reference, file, query, expected, 1);
  await timed('parallel, from the Parquet file', engines.parallel, file, query, expected);
  await timed('parallel, held', engines.parallel, table, query, expected);
  await timed('clickhouse, in place on two shards', engines.cluster, 'flights', query, expected);
  await timed('clickhouse, loaded first', engines.loading, file, query, expected, 1);

  say(`\nThe sum of ${FLOATS.toLocaleString('en')} floats in 1,000 groups, on two shards\n`);
  await createFloats();
  const floats = { by: ['k'], aggregates: { s: sum('x') } };
  const exact = (await engines.cluster.aggregate('floats', floats)).table;
  await timed("floatSums: 'exact'", engines.cluster, 'floats', floats, exact);
  await timed("floatSums: 'fast'", engines.fast, 'floats', floats);
} finally {
  await Promise.all(Object.values(engines).map((engine) => engine.close()));
  await Promise.all(clients.map((one) => one.close()));
  await nodes.stop();
}

async function tableOf(file) {
  const batches = [];
  for await (const batch of file.batches()) batches.push(batch);
  return new Table(batches);
}

async function timed(name, engine, input, query, expected, runs = RUNS) {
  const times = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    const { table } = await engine.aggregate(input, query);
    times.push(performance.now() - start);
    if (expected !== undefined) await requireSame(name, table, 'the reference', expected);
  }
  say(
    `${name.padEnd(36)} ${Math.min(...times)
      .toFixed(0)
      .padStart(7)} ms`,
  );
}

async function createFlights() {
  const columns =
    'date DateTime64(6), delay Nullable(Int64), distance Nullable(Int64), origin Nullable(String), destination Nullable(String)';
  for (const one of clients)
    await command(`CREATE TABLE flights_local (${columns}) ENGINE = MergeTree ORDER BY tuple()`, one);
  await command(
    `CREATE TABLE flights (${columns}) ENGINE = Distributed(${CLUSTER}, currentDatabase(), flights_local, rand())`,
  );
  const start = performance.now();
  const { stream } = await client.exec({
    query: 'INSERT INTO flights FORMAT Parquet',
    values: createReadStream(path),
    clickhouse_settings: { distributed_foreground_insert: 1, wait_end_of_query: 1 },
  });
  for await (const _ of stream);
  say(`the Parquet file was loaded onto the shards in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

async function createFloats() {
  for (const [shard, one] of clients.entries())
    await command(
      `CREATE TABLE floats_local ENGINE = MergeTree ORDER BY tuple() AS SELECT number % 1000 AS k, sin(number) * exp(number % 40) AS x FROM numbers(${shard}, ${FLOATS / 2})`,
      one,
    );
  await command(
    `CREATE TABLE floats AS floats_local ENGINE = Distributed(${CLUSTER}, currentDatabase(), floats_local)`,
  );
}

async function command(query, one = client) {
  await one.command({ query, clickhouse_settings: { wait_end_of_query: 1 } });
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
