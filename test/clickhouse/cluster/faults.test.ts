import { setTimeout } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import type { RecordBatch } from 'apache-arrow';
import {
  AggregateOverflowError,
  count,
  createReference,
  EngineClosedError,
  first,
  gt,
  isNull,
  MemoryLimitError,
  max,
  type Query,
  RangefoldError,
  sum,
  WorkerError,
} from 'rangefold';
import { type ClickHouseClient, createClickHouse } from 'rangefold/clickhouse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLUSTER, type Nodes, startNodes } from '../../cluster/nodes.mjs';
import { cellsOf } from '../../support/cells.js';
import { CLUSTER_URLS, clusterClients, createCluster } from '../../support/cluster.js';
import { batchOf, dataOf } from '../../support/notation.js';

const clients = clusterClients();
const [client] = clients;

type Settings = NonNullable<Parameters<typeof createClient>[0]>;

/** An engine whose client has such settings, asked in place. */
function engineWith(settings: Settings): ReturnType<typeof createClickHouse> {
  return createClickHouse({ client: createClient({ url: CLUSTER_URLS[0], ...settings }) });
}

async function command(query: string, on: typeof client = client): Promise<void> {
  await on.command({ query, clickhouse_settings: { wait_end_of_query: 1 } });
}

async function errorOf(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

/** A database of this file's own: others load into the same servers at the same time. */
const DATABASE = 'faults';

/** The tables that the engine has left behind there. */
async function left(): Promise<string[]> {
  const found = await Promise.all(
    clients.map(async (on) => {
      const query = `SELECT name FROM system.tables WHERE database = '${DATABASE}'`;
      const answer = await on.query({ query, format: 'JSONEachRow' });
      return (await answer.json<{ name: string }>()).map(({ name }) => name);
    }),
  );
  return found.flat();
}

const batch = batchOf([
  ['k', dataOf({ type: 'i32', cycle: [2, 1, null, 3, 1], length: 40 })],
  ['v', dataOf({ type: 'i64', range: [0, 40] })],
]);
const BY_K = { by: ['k'], aggregates: { n: count(), s: sum('v') } } as const satisfies Query;

beforeAll(async () => {
  await command(
    "CREATE VIEW late AS SELECT number + throwIf(number = 700000, 'too late') AS k FROM numbers(1000000)",
  );
  await command(
    'CREATE VIEW slow AS SELECT number % 10 + sleepEachRow(0.01) AS k FROM numbers(100000) SETTINGS max_block_size = 100, max_threads = 1',
  );
  await command('CREATE VIEW many AS SELECT number AS k FROM numbers(300000)');
  await command('CREATE TABLE one (k Nullable(Int32)) ENGINE = Memory');
  await command('INSERT INTO one VALUES (1), (2), (NULL), (2), (3), (3)');
  for (const on of clients) await command('CREATE TABLE kept_local (k Nullable(Int32)) ENGINE = Memory', on);
  await command(
    `CREATE TABLE kept AS kept_local ENGINE = Distributed('${CLUSTER}', currentDatabase(), kept_local)`,
  );
  await command('INSERT INTO kept_local VALUES (1), (2), (NULL)', clients[0]);
  await command('INSERT INTO kept_local VALUES (2), (3), (3)', clients[1]);
});

afterAll(async () => {
  for (const view of ['late', 'slow', 'many']) await command(`DROP VIEW ${view}`);
  await command('DROP TABLE one');
  await command('DROP TABLE kept');
  for (const on of clients) await command('DROP TABLE kept_local', on);
});

describe('a fault', () => {
  it('of a shard that is gone is a WorkerError, whatever the settings of the client', async () => {
    const nodes: Nodes = await startNodes(2);
    try {
      const settings = { prefer_localhost_replica: 0, skip_unavailable_shards: 1 } as const;
      const [own, other] = nodes.urls.map((url) => createClient({ url, clickhouse_settings: settings }));
      const engine = createClickHouse({ client: own, shards: { cluster: CLUSTER, clients: [own, other] } });
      const { table } = await engine.aggregate(batch, BY_K);
      expect(table.numRows).toBe(4);
      await command('CREATE TABLE here (k Int32) ENGINE = Memory', own);
      await command('CREATE TABLE here (k Int32) ENGINE = Memory', other);
      await command(
        `CREATE TABLE whole AS here ENGINE = Distributed('${CLUSTER}', currentDatabase(), here)`,
        own,
      );
      await command('INSERT INTO here VALUES (1)', own);
      await command('INSERT INTO here VALUES (2)', other);
      const query = { by: ['k'], aggregates: { n: count() } };
      expect((await engine.aggregate('whole', query)).table.numRows).toBe(2);
      await nodes.kill(1);
      const gone = await errorOf(engine.aggregate('whole', query));
      expect(gone).toBeInstanceOf(WorkerError);
      // ALL_CONNECTION_TRIES_FAILED
      expect(gone).toMatchObject({ came: expect.stringMatching(/^error 279, Connection refused/) });
      await expect(engine.aggregate(batch, BY_K)).rejects.toThrow(WorkerError);
      await nodes.kill(0);
      await expect(engine.aggregate('whole', query)).rejects.toThrow(WorkerError);
      await Promise.all([own.close(), other.close()]);
    } finally {
      await nodes.stop();
    }
  });

  it('of the server in the middle of its work is a WorkerError before the first batch', async () => {
    const engine = createCluster();
    const query = { by: ['k'], aggregates: { n: count() } };
    await expect(engine.stream('late', query)).rejects.toThrow(WorkerError);
    await expect(engine.aggregate('late', query)).rejects.toThrow(/too late/);
  });

  it('of a connection that breaks in the middle of an answer is a WorkerError', async () => {
    const query = { by: ['k'], aggregates: { n: count() } };
    const cut = (how: 'ends' | 'breaks'): ClickHouseClient => ({
      async exec(parameters) {
        const response = await client.exec(parameters);
        if (!parameters.query.includes('GROUP BY')) return response;
        async function* some(): AsyncGenerator<Uint8Array> {
          let bytes = 0;
          for await (const chunk of response.stream) {
            bytes += chunk.length;
            yield chunk;
            if (bytes < 1_000_000) continue;
            if (how === 'breaks') throw new Error('socket hang up');
            return;
          }
        }
        const stream = Object.assign(some(), { destroy: () => response.stream.destroy() });
        return { ...response, stream };
      },
    });
    for (const how of ['ends', 'breaks'] as const) {
      const engine = createClickHouse({ client: cut(how) });
      await expect(engine.aggregate('many', query)).rejects.toThrow(WorkerError);
      const { batches, stats } = await engine.stream('many', query);
      const read = async (): Promise<void> => {
        for await (const _ of batches) await setTimeout(0);
      };
      await expect(read()).rejects.toThrow(WorkerError);
      await expect(stats).rejects.toThrow(WorkerError);
    }
    const { table } = await createClickHouse({ client }).aggregate('many', query);
    expect(table.numRows).toBe(300_000);
  });

  it('of time is a WorkerError, by the clock of the client or of the server', async () => {
    const query = { by: ['k'], aggregates: { n: count() } };
    await expect(engineWith({ request_timeout: 300 }).aggregate('slow', query)).rejects.toThrow(WorkerError);
    const settings = { max_execution_time: 1, timeout_overflow_mode: 'break' } as const;
    const engine = engineWith({ clickhouse_settings: settings });
    await expect(engine.aggregate('slow', query)).rejects.toThrow(WorkerError);
  });

  it('of memory is a MemoryLimitError', async () => {
    const engine = engineWith({ clickhouse_settings: { max_memory_usage: '3000000' } });
    await expect(engine.aggregate('many', { by: ['k'], aggregates: { n: count() } })).rejects.toThrow(
      MemoryLimitError,
    );
  });

  it('of a server that is nowhere is a WorkerError', async () => {
    const engine = createClickHouse({ client: createClient({ url: 'http://127.0.0.1:1' }) });
    for (const input of ['many', batch])
      await expect(engine.aggregate(input, BY_K)).rejects.toThrow(WorkerError);
  });

  it('has its cause, and says what came', async () => {
    const error = await errorOf(createCluster().aggregate('late', { by: ['k'], aggregates: {} }));
    expect(error).toBeInstanceOf(RangefoldError);
    expect(error).toMatchObject({ parameter: 'ClickHouse', came: expect.stringContaining('too late') });
    expect((error as Error).cause).toBeInstanceOf(Error);
  });
});

describe('an aborted run', () => {
  it('rejects with the reason of the signal while a server works', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const run = createCluster().aggregate(
      'slow',
      { by: ['k'], aggregates: {} },
      { signal: controller.signal },
    );
    const start = performance.now();
    setTimeout(200).then(() => controller.abort(reason));
    await expect(run).rejects.toBe(reason);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('rejects while an answer is read', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const { batches } = await createCluster().stream(
      'many',
      { by: ['k'], aggregates: {} },
      { signal: controller.signal },
    );
    const read = async (): Promise<void> => {
      for await (const _ of batches) controller.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
  });

  it('rejects where the engine is closed', async () => {
    const engine = createCluster();
    const run = engine.aggregate('slow', { by: ['k'], aggregates: {} });
    setTimeout(100).then(() => engine.close());
    await expect(run).rejects.toThrow(EngineClosedError);
  });
});

describe('a table that an input was loaded into', () => {
  it('is dropped at the end, after a failure, and after an abort', async () => {
    await Promise.all(clients.map((on) => command(`CREATE DATABASE IF NOT EXISTS ${DATABASE}`, on)));
    const engine = createCluster({ database: DATABASE });
    await engine.aggregate(batch, BY_K);
    expect(await left()).toEqual([]);
    const big = batchOf([['v', dataOf({ type: 'i64', values: ['9223372036854775807', '1'] })]]);
    await expect(engine.aggregate(big, { by: [], aggregates: { s: sum('v') } })).rejects.toThrow(
      AggregateOverflowError,
    );
    async function* broken(): AsyncGenerator<RecordBatch> {
      yield batch;
      throw new Error('the disk is gone');
    }
    await expect(engine.aggregate(broken(), BY_K)).rejects.toThrow('the disk is gone');
    const controller = new AbortController();
    async function* aborting(): AsyncGenerator<RecordBatch> {
      yield batch;
      controller.abort(new Error('enough'));
      for (;;) yield batch;
    }
    await expect(engine.aggregate(aborting(), BY_K, { signal: controller.signal })).rejects.toThrow('enough');
    const early = await engine.stream(batch, BY_K);
    for await (const _ of early.batches) break;
    expect(await left()).toEqual([]);
  });
});

describe('settings of the client', () => {
  const rows = batchOf([['k', dataOf({ type: 'i32', values: [1, 2, null, 2, 3, 3] })]]);
  const queries: readonly Query[] = [
    { by: ['k'], aggregates: { n: count(), hi: max('k'), s: sum('k', { where: gt('k', 2) }) } },
    { by: [], aggregates: { n: count(), s: sum('k') }, where: gt('k', 5) },
    { by: ['k'], aggregates: { n: count() }, where: isNull('k') },
  ];

  it.each([
    ['kept', { distributed_group_by_no_merge: '1' }],
    ['kept', { distributed_group_by_no_merge: '2' }],
    ['kept', { skip_unavailable_shards: 1 }],
    ['one', { limit: '1' }],
    ['one', { offset: '1' }],
    ['one', { extremes: 1 }],
    ['one', { aggregate_functions_null_for_empty: 1 }],
    ['one', { transform_null_in: 1 }],
    ['one', { group_by_use_nulls: 1 }],
    ['one', { empty_result_for_aggregation_by_empty_set: 1 }],
    ['one', { use_query_cache: 1 }],
    ['one', { output_format_arrow_compression_method: 'lz4_frame' }],
    ['one', { output_format_arrow_string_as_string: 1 }],
    ['one', { prefer_column_name_to_alias: 1 }],
    ['one', { cast_keep_nullable: 1 }],
    ['one', { wait_end_of_query: 0 }],
  ] as const)('that would make another answer of %s do not: %j', async (table, settings) => {
    const all: Settings['clickhouse_settings'] = { prefer_localhost_replica: 0, ...settings };
    const engine = engineWith({ clickhouse_settings: all });
    for (const query of queries) {
      const wanted = await createReference().aggregate(rows, query);
      expect(cellsOf((await engine.aggregate(table, query)).table)).toEqual(cellsOf(wanted.table));
    }
  });

  it.each([
    { max_rows_to_group_by: '1', group_by_overflow_mode: 'any' },
    { max_result_rows: '1', result_overflow_mode: 'break' },
    { max_rows_to_read: '1', read_overflow_mode: 'break' },
    { max_rows_to_sort: '1', sort_overflow_mode: 'break' },
  ] as const)('that would make a part of an answer make an error: %j', async (settings) => {
    const engine = engineWith({ clickhouse_settings: settings });
    await expect(engine.aggregate('many', { by: ['k'], aggregates: { n: count() } })).rejects.toThrow(
      WorkerError,
    );
  });
});

it('the row number of a table of two shards is one over both', async () => {
  for (const on of clients)
    await command('CREATE TABLE turns_local (row UInt64, v Int32) ENGINE = Memory', on);
  await command(
    `CREATE TABLE turns AS turns_local ENGINE = Distributed('${CLUSTER}', currentDatabase(), turns_local)`,
  );
  try {
    await command('INSERT INTO turns_local VALUES (3, 30), (2, 20)', clients[0]);
    await command('INSERT INTO turns_local VALUES (1, 10), (4, 40)', clients[1]);
    const engine = createClickHouse({ client, rowNumber: 'row' });
    const { table } = await engine.aggregate('turns', { by: [], aggregates: { f: first('v') } });
    expect(cellsOf(table).rows).toEqual([['10']]);
  } finally {
    await command('DROP TABLE turns');
    for (const on of clients) await command('DROP TABLE turns_local', on);
  }
});
