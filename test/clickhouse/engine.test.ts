import { type RecordBatch, Table } from 'apache-arrow';
import * as fc from 'fast-check';
import {
  AggregateOverflowError,
  and,
  bucket,
  count,
  eq,
  gt,
  isIn,
  join,
  max,
  mean,
  named,
  type Query,
  QueryError,
  quantile,
  sum,
  WorkerError,
} from 'rangefold';
import { createClickHouse } from 'rangefold/clickhouse';
import { describe, expect, it } from 'vitest';
import { cellsOf } from '../support/cells.js';
import { batchOf, type ColumnNotation, dataOf } from '../support/notation.js';
import { runs } from '../support/runs.js';
import { type Asked, fakeServer } from './fake-server.js';

const TABLE = { k: 'Nullable(String)', v: 'Nullable(Int64)', f: 'Nullable(Float64)', t: 'DateTime' };

const rowsOf = (...columns: ColumnNotation[]): RecordBatch =>
  batchOf(columns.map((column, i) => [`r${i}`, dataOf(column)]));

/** Groups as a server sends them: the set, the key, rows, rows with a value, the sum as 16 bytes. */
function sums(...groups: readonly (readonly [key: string, sum: bigint])[]): RecordBatch {
  const wide = ([, sum]: readonly [string, bigint]): string =>
    `0x${Buffer.from(BigInt.asUintN(128, sum).toString(16).padStart(32, '0'), 'hex').reverse().toString('hex')}`;
  return rowsOf(
    { type: 'u8', values: groups.map(() => 0) },
    { type: 'binary', values: groups.map(([key]) => key) },
    { type: 'u64', values: groups.map(() => '2') },
    { type: 'u64', values: groups.map(() => '2') },
    { type: 'fixed(16)', values: groups.map(wide) },
  );
}

const SUM = { by: ['k'], aggregates: { s: sum('v') } } as const;

describe('what an engine makes of what a server sends', () => {
  it('is the answer in the types of the query, batch by batch', async () => {
    const { client } = fakeServer(TABLE, () => [sums(['a', -5n], ['b', 2n ** 62n]), sums(['c', 0n])]);
    const engine = createClickHouse({ client });
    const { table, stats } = await engine.aggregate('t', SUM);
    expect(cellsOf(table)).toEqual({
      columns: ['k: Utf8', 's: Int64'],
      rows: [
        ['"a" 61', '-5'],
        ['"b" 62', '4611686018427387904'],
        ['"c" 63', '0'],
      ],
    });
    expect(stats).toMatchObject({ engine: 'clickhouse', rows: 100, groups: 3, strategies: ['select'] });
    const { batches } = await engine.stream('t', SUM);
    const sizes: number[] = [];
    for await (const batch of batches) sizes.push(batch.numRows);
    expect(sizes).toEqual([2, 1]);
  });

  it('is an error where a sum of any group does not fit, of the first in key order, kept or not', async () => {
    const { client } = fakeServer(TABLE, () => [
      sums(['a', 1n]),
      sums(['b', 2n ** 63n], ['c', 2n ** 64n]),
      sums(['d', 2n ** 65n]),
    ]);
    const engine = createClickHouse({ client });
    const words = 'aggregate "s": got 9223372036854775808 in group k=b, wanted a sum that fits Int64';
    for (const query of [
      SUM,
      { ...SUM, limit: 1 },
      { ...SUM, having: eq('k', 'a') },
      { ...SUM, sort: ['s'] },
    ]) {
      await expect(engine.aggregate('t', query)).rejects.toThrow(AggregateOverflowError);
      await expect(engine.aggregate('t', query)).rejects.toThrow(words);
    }
  });

  it('is an error where rows are missing, also where they are the last', async () => {
    const short = fakeServer(TABLE, () => [sums(['a', 1n])]);
    const exec = async (asked: Asked): ReturnType<typeof short.client.exec> => {
      const response = await short.client.exec(asked);
      return response.summary === undefined
        ? response
        : { ...response, summary: { ...response.summary, result_rows: '2' } };
    };
    const run = createClickHouse({ client: { exec } }).aggregate('t', SUM);
    await expect(run).rejects.toThrow(WorkerError);
    await expect(createClickHouse({ client: { exec } }).aggregate('t', SUM)).rejects.toThrow(
      'ClickHouse: got 1 groups, wanted 2, as the server counted',
    );
  });

  it('is one group of no rows without keys, and none with them', async () => {
    const empty = fakeServer(TABLE, () => new Table([sums()]));
    const engine = createClickHouse({ client: empty.client });
    expect((await engine.aggregate('t', SUM)).table.numRows).toBe(0);
    const none = fakeServer(TABLE, () => [
      rowsOf({ type: 'u8', values: [0] }, { type: 'u64', values: ['0'] }),
    ]);
    const all = await createClickHouse({ client: none.client }).aggregate('t', {
      by: [],
      aggregates: { n: count() },
    });
    expect(cellsOf(all.table).rows).toEqual([['0']]);
    expect(all.stats.groups).toBe(1);
  });
});

describe('what an engine sends', () => {
  /** The SELECT of a query; what comes of it does not matter. */
  async function sent(query: Query, columns: Readonly<Record<string, string>> = TABLE): Promise<Asked> {
    const { client, asked } = fakeServer(columns, () => [sums()]);
    await createClickHouse({ client, database: 'd', rowNumber: 'v' })
      .aggregate('t', query)
      .catch(() => {});
    const select = asked.find((one) => one.query.startsWith('SELECT'));
    if (select === undefined) throw new Error('no SELECT was sent');
    return select;
  }

  it('is one SELECT, with every setting on which an answer depends', async () => {
    const { client, asked } = fakeServer(TABLE, () => [sums()]);
    await createClickHouse({ client }).aggregate('t', SUM);
    expect(asked.map(({ query }) => query.split(' ')[0])).toEqual(['DESCRIBE', 'SELECT']);
    expect(asked[1]?.clickhouse_settings).toMatchObject({
      wait_end_of_query: 1,
      skip_unavailable_shards: 0,
      distributed_group_by_no_merge: 0,
      output_format_arrow_compression_method: 'none',
      compile_expressions: 0,
      limit: 0,
      timeout_overflow_mode: 'throw',
    });
  });

  it('has no byte of a name or value that is not quoted or a digit', async () => {
    const texts = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((text) => !/\p{Surrogate}/u.test(text));
    const hostile = fc.oneof(
      texts,
      texts.map((text) => `\`${text}'"\\`),
      fc.constantFrom("'); DROP TABLE t; --", '\\', '`', "\\'", '{p:String}', '\0'),
    );
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, async (name, value, output) => {
        const columns = { [name]: 'String', v: 'Int64' };
        fc.pre(name !== 'v' && output !== name);
        const asking = (as: string): Query => ({
          by: [name],
          aggregates: [named(as, join(name, value, { where: gt(name, value) }))],
          where: and(eq(name, value), isIn(name, [value, 'x'])),
        });
        const { query: sql } = await sent(asking(output), columns);
        const quoted = `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('\0', '\\0')}\``;
        const rest = sql.replaceAll('`d`.`t`', ' ').replaceAll(quoted, ' ').replaceAll('`v`', ' ');
        // Of what is left every quote opens or closes the hexadecimal digits of a value, or the name of a type.
        expect(rest).toMatch(/^[\w\s(),.=<>*+-]*(?:'[\dA-Za-z()]*'[\w\s(),.=<>*+-]*)*$/);
        // An output's name is not sent at all.
        expect(await sent(asking(`${name} and more`), columns)).toMatchObject({ query: sql });
      }),
      runs(200),
    );
  });

  it('is over the table in its database', async () => {
    const { query } = await sent(SUM);
    expect(query).toContain('FROM `d`.`t`\n');
    expect(query.endsWith('FORMAT ArrowStream')).toBe(true);
  });

  it('asks for one array of values for all quantiles of a column', async () => {
    const { query } = await sent({
      by: [],
      aggregates: { a: quantile('f', 0.1), b: quantile('f', 0.9), c: max('f'), d: mean('f') },
    });
    const arrays = query.split('arraySort(groupArrayIf(').slice(1);
    expect(arrays.length).toBeGreaterThan(3);
    expect(new Set(arrays.map((text) => text.slice(0, 120))).size).toBe(1);
  });
});

describe('what cannot be done', () => {
  it.each<[string, Query, RegExp]>([
    [
      'a bucket wider than any number',
      { by: [bucket('v', 2n ** 260n)], aggregates: {} },
      /key "v", width.*wanted at most/,
    ],
    ['a quantile of a text between two', { by: [], aggregates: { q: quantile('k', 0.5) } }, /aggregate "q"/],
  ])('is a QueryError: %s', async (_, query, words) => {
    const { client } = fakeServer(TABLE, () => [sums()]);
    const run = createClickHouse({ client }).aggregate('t', query);
    await expect(run).rejects.toThrow(QueryError);
    await expect(createClickHouse({ client }).aggregate('t', query)).rejects.toThrow(words);
  });
});
