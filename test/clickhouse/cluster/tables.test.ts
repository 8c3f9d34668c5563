import { Field, Int64, Schema, TimestampMicrosecond, Utf8 } from 'apache-arrow';
import {
  and,
  argMin,
  asc,
  bucket,
  count,
  countDistinct,
  createReference,
  desc,
  eq,
  first,
  ge,
  gt,
  InputError,
  isIn,
  join,
  last,
  list,
  max,
  mean,
  min,
  mode,
  not,
  or,
  type Query,
  QueryError,
  rollup,
  stddev,
  sum,
  timeBucket,
  WorkerError,
} from 'rangefold';
import { createClickHouse } from 'rangefold/clickhouse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../../support/cells.js';
import { clusterClients, createCluster } from '../../support/cluster.js';
import { batchOf, type ColumnNotation, dataOf } from '../../support/notation.js';

// Tables that are read in place. Each has the rows of an Arrow batch beside it, of which the reference tells the answer.

const clients = clusterClients();
const [client] = clients;
const reference = createReference();
const engine = createCluster({ rowNumber: 'seq' });

/** A name with everything in it that SQL could trip over. */
const HOSTILE = 'x`; DROP TABLE events; -- \\ \' " \n \u0000 {p:String} é';

const quoted = (name: string): string =>
  `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('\0', '\\0')}\``;

const COLUMNS: Readonly<Record<string, readonly [type: string, ColumnNotation]>> = {
  seq: ['UInt64', { type: 'u64', range: [0, 12] }],
  k: ['LowCardinality(Nullable(String))', { type: 'utf8', cycle: ['b', 'a', null, 'é'], length: 12 }],
  b: ['Bool', { type: 'bool', cycle: [true, false, false], length: 12 }],
  i: ['Nullable(Int32)', { type: 'i32', cycle: [5, null, -7, 2147483647], length: 12 }],
  f: ['Nullable(Float64)', { type: 'f64', cycle: [0.1, 'NaN', '-0', null, 1e300, '-Inf', 0.2], length: 12 }],
  g: ['Float32', { type: 'f32', cycle: [0.5, '-0', 16777216, 'NaN'], length: 12 }],
  d: [
    'Decimal(12, 3)',
    { type: 'decimal128(12,3)', cycle: ['-1.500', '999999999.999', '0.001'], length: 12 },
  ],
  w: [
    'Nullable(Decimal(60, 2))',
    { type: 'decimal256(60,2)', cycle: [`-1${'0'.repeat(50)}.25`, null, '0.01'], length: 12 },
  ],
  s: ['FixedString(3)', { type: 'fixed(3)', cycle: ['0x616263', '0x610000', '0xff0001'], length: 12 }],
  day: ['Date', { type: 'date32', cycle: [0, 19000, 3], length: 12 }],
  wide: ['Nullable(Date32)', { type: 'date32', cycle: [-20000, null, 40000], length: 12 }],
  at: [
    "DateTime('Europe/Berlin')",
    { type: 'timestamp[s,Europe/Berlin]', cycle: ['1698454800', '0', '1698465600'], length: 12 },
  ],
  us: [
    'Nullable(DateTime64(6))',
    { type: 'timestamp[us]', cycle: ['-1500000', '1700000000000001', null], length: 12 },
  ],
  e: ["Enum8('low' = 1, 'it''s' = 2)", { type: 'utf8', cycle: ['low', "it's"], length: 12 }],
  [HOSTILE]: ['Int64', { type: 'i64', cycle: ['3', '-4'], length: 12 }],
};

const rows = batchOf(Object.entries(COLUMNS).map(([name, [, notation]]) => [name, dataOf(notation)]));

/** The cells as ClickHouse reads them in JSON, its own way: nothing of the engine writes them. */
function jsonOf(row: number): unknown[] {
  return Object.values(COLUMNS).map(([type, { cycle, range, type: ours }]) => {
    const cell = range === undefined ? (cycle ?? [])[row % (cycle ?? []).length] : range[0] + row;
    if (cell === null || cell === undefined) return null;
    if (cell === 'NaN') return 'nan';
    if (cell === '-Inf') return '-inf';
    if (cell === '-0') return '-0.';
    if (type === 'Date' || type.includes('Date32'))
      return new Date(Number(cell) * 86_400_000).toISOString().slice(0, 10);
    if (type.startsWith('FixedString'))
      return String.fromCharCode(...Buffer.from(String(cell).slice(2), 'hex'));
    if (ours.startsWith('timestamp[us')) {
      const ticks = BigInt(String(cell));
      const digits = String(ticks < 0n ? -ticks : ticks).padStart(7, '0');
      return `${ticks < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
    }
    return ours.startsWith('timestamp') ? Number(cell) : cell;
  });
}

async function command(query: string, on = client): Promise<void> {
  await on.command({ query, clickhouse_settings: { wait_end_of_query: 1 } });
}

const sqlOf = (value: unknown): string => {
  if (value === null) return 'NULL';
  if (typeof value !== 'string') return String(value);
  if (['nan', '-inf', '-0.'].includes(value)) return value;
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
};

beforeAll(async () => {
  const fields = Object.entries(COLUMNS)
    .map(([name, [type]]) => `${quoted(name)} ${type}`)
    .join(', ');
  for (const [shard, on] of clients.entries()) {
    await command(
      `CREATE TABLE events_local (${fields}) ENGINE = MergeTree ORDER BY tuple() SETTINGS allow_nullable_key = 1`,
      on,
    );
    for (let row = shard; row < rows.numRows; row += clients.length) {
      const values = Object.values(COLUMNS).map(([type], i) => {
        const value = jsonOf(row)[i];
        if (type.startsWith('FixedString'))
          return `unhex('${Buffer.from(String(value), 'latin1').toString('hex')}')`;
        if (type.includes('DateTime64')) return value === null ? 'NULL' : `toDecimal64('${value}', 6)`;
        return sqlOf(value);
      });
      await command(`INSERT INTO events_local SELECT ${values.join(', ')}`, on);
    }
  }
  await command(
    "CREATE TABLE events AS events_local ENGINE = Distributed('shards', currentDatabase(), events_local)",
  );
});

afterAll(async () => {
  await command('DROP TABLE events');
  await Promise.all(clients.map((on) => command('DROP TABLE events_local SYNC', on)));
  await Promise.all([reference.close(), engine.close()]);
});

async function same(query: Query): Promise<void> {
  const wanted = await reference.aggregate(rows, query);
  const came = await engine.aggregate('events', query);
  expect(cellsOf(came.table)).toEqual(cellsOf(wanted.table));
  expect(came.stats.groups).toBe(wanted.stats.groups);
  expect(came.stats.rows).toBe(rows.numRows);
}

describe('a table that is read in place', () => {
  it.each(Object.keys(COLUMNS))(
    'has column %j as key, and its least, greatest, first and last',
    async (name) => {
      const value = await engine.aggregate('events', { by: [name], aggregates: {} });
      expect(value.table.numRows).toBeGreaterThan(1);
      await same({
        by: [desc(name, { nulls: 'first' })],
        aggregates: {
          rows: count(name),
          distinct: countDistinct(name),
          least: min(name),
          greatest: max(name),
          earliest: first(name),
          latest: last(name, { ignoreNulls: true }),
          all: list(name),
          most: mode(name),
        },
      });
      await same({
        by: [],
        aggregates: { lo: min(name), hi: max(name), a: argMin('i', name), all: list(name) },
      });
    },
  );

  it('adds, averages and spreads numbers of every type', async () => {
    const numbers = ['b', 'i', 'f', 'g', 'd', 'w', HOSTILE];
    await same({
      by: ['k'],
      aggregates: numbers.flatMap((name, i) => [
        [`s${i}`, sum(name)] as const,
        [`m${i}`, mean(name)] as const,
        [`v${i}`, stddev(name)] as const,
      ]),
    });
  });

  it('keeps rows by conditions on columns of every type', async () => {
    for (const where of [
      gt('i', 0),
      ge('f', Number.NaN),
      isIn('k', ['a', 'é', "'); DROP TABLE events; --"]),
      eq(HOSTILE, 3),
      gt('d', '0.0005'),
      ge('at', '1970-01-01T00:00:01Z'),
      eq('day', '1970-01-04'),
      eq('e', "it's"),
      eq('s', Uint8Array.of(0x61, 0, 0)),
      eq('b', true),
    ]) {
      const before = await reference.aggregate(rows, { by: ['k'], aggregates: { n: count() }, where });
      const after = await engine.aggregate('events', { by: ['k'], aggregates: { n: count() }, where });
      expect(cellsOf(after.table)).toEqual(cellsOf(before.table));
      expect(before.table.numRows).toBeGreaterThan(0);
    }
  });

  // A condition that is the same for all rows was a constant to one server and a column to the other.
  it('aggregates by conditions that no row decides', async () => {
    await same({
      by: ['k'],
      aggregates: {
        unknown: count('i', { where: eq('i', null) }),
        never: sum('i', { where: or() }),
        always: list('i', { where: and() }),
        filtered: max('f', { where: not(eq(HOSTILE, null)) }),
      },
    });
  });

  it('has buckets and grouping sets', async () => {
    await same({
      by: rollup(bucket('i', 10), timeBucket('at', '1 hour').as('hour')),
      aggregates: { n: count() },
    });
    await same({
      by: [timeBucket('us', '1 month'), timeBucket('wide', '1 year')],
      aggregates: { n: count() },
    });
    await same({ by: [asc(bucket('d', '0.5', { offset: '0.25' }))], aggregates: { j: join('k', HOSTILE) } });
  });

  it('is found in the database of the engine, or in one that its name says', async () => {
    const query = { by: ['b'], aggregates: { n: count() } };
    const own = createClickHouse({ client, database: 'default' });
    const { table } = await own.aggregate('events', query);
    expect(cellsOf((await own.aggregate('default.events', query)).table)).toEqual(cellsOf(table));
    await expect(own.aggregate('system.events_', query)).rejects.toThrow(QueryError);
    await own.close();
  });

  it('can be called anything', async () => {
    // A database of a name of its own: that of the library by default looks for files of the name as well.
    await command('CREATE DATABASE IF NOT EXISTS named ENGINE = Atomic');
    const table = `named.${quoted(HOSTILE)}`;
    await command(`CREATE TABLE ${table} (${quoted(HOSTILE)} Int8) ENGINE = Memory`);
    try {
      await command(`INSERT INTO ${table} VALUES (1), (1), (2)`);
      const own = engineOf({ database: 'named' });
      const answer = await own.aggregate(HOSTILE, { by: [HOSTILE], aggregates: { n: count() } });
      expect(cellsOf(answer.table).rows).toEqual([
        ['1', '2'],
        ['2', '1'],
      ]);
    } finally {
      await command(`DROP TABLE ${table}`);
    }
  });

  it('may have columns that are called as the engine calls its own', async () => {
    const names = ['rangefold_key0', 'rangefold_part0', 'rangefold_set', 't', 'row'];
    await command(`CREATE TABLE names (${names.map((name) => `${name} Int8`).join(', ')}) ENGINE = Memory`);
    try {
      await command('INSERT INTO names VALUES (1, 2, 3, 4, 5), (1, 3, 3, 5, 6)');
      const { table } = await engineOf({ rowNumber: 'row' }).aggregate('names', {
        by: ['rangefold_part0'],
        aggregates: { k: sum('rangefold_key0'), l: list('t'), s: min('rangefold_set') },
      });
      expect(cellsOf(table).rows).toEqual([
        ['2', '1', '[4]', '3'],
        ['3', '1', '[5]', '3'],
      ]);
    } finally {
      await command('DROP TABLE names');
    }
  });
});

function engineOf(
  options: Partial<Parameters<typeof createClickHouse>[0]>,
): ReturnType<typeof createClickHouse> {
  return createClickHouse({ client, ...options });
}

describe('a table that is not what was said', () => {
  const query = { by: ['k'], aggregates: { n: count() } } as const;
  const said = (...fields: Field[]): { schema: Schema } => ({ schema: new Schema(fields) });

  it('is taken for what it carries', async () => {
    const { table } = await engine.aggregate(
      'events',
      { by: [HOSTILE], aggregates: { n: count() } },
      said(new Field(HOSTILE, new TimestampMicrosecond('UTC'), true)),
    );
    expect(cellsOf(table)).toEqual({
      columns: [`${HOSTILE}: Timestamp<MICROSECOND, UTC>`, 'n: Int64'],
      rows: [
        ['-4', '6'],
        ['3', '6'],
      ],
    });
  });

  it.each([
    [
      'a column is missing',
      new Field('nowhere', new Utf8(), true),
      /column "nowhere": got none, wanted .*Utf8/,
    ],
    [
      'a column is of another type',
      new Field('k', new Int64(), true),
      /column "k": got LowCardinality.*wanted .*Int64/,
    ],
    [
      'a number is no time',
      new Field('i', new TimestampMicrosecond(), true),
      /column "i": got Nullable\(Int32\)/,
    ],
  ])('is an InputError where %s', async (_, field, words) => {
    const run = engine.aggregate('events', { by: [field.name], aggregates: {} }, said(field));
    await expect(run).rejects.toThrow(InputError);
    await expect(
      engine.aggregate('events', { by: [field.name], aggregates: {} }, said(field)),
    ).rejects.toThrow(words);
  });

  it('is a QueryError where there is none, or no such column', async () => {
    await expect(engine.aggregate('nothing', query)).rejects.toThrow(QueryError);
    await expect(engine.aggregate('events', { by: ['q'], aggregates: {} })).rejects.toThrow(
      /unknown column "q"/,
    );
    await expect(engine.aggregate('', query)).rejects.toThrow(QueryError);
  });

  it('is a QueryError where a column is of a type that rangefold does not read', async () => {
    await command('CREATE TABLE odd (u UUID, a Array(Int8), n Int128, k Int8) ENGINE = Memory');
    try {
      for (const name of ['u', 'a', 'n'])
        await expect(engineOf({}).aggregate('odd', { by: [name], aggregates: {} })).rejects.toThrow(
          /column ".".* (UUID|Array\(Int8\)|Int128)/,
        );
      expect((await engineOf({}).aggregate('odd', { by: ['k'], aggregates: {} })).table.numRows).toBe(0);
    } finally {
      await command('DROP TABLE odd');
    }
  });

  it('has no order of rows unless a column tells it', async () => {
    const ordered: Query = { by: [], aggregates: { f: first('i') } };
    const run = engineOf({}).aggregate('events', ordered);
    await expect(run).rejects.toThrow(/aggregate "f": got first of a table.*wanted the option rowNumber/);
    await expect(engineOf({ rowNumber: 'nowhere' }).aggregate('events', ordered)).rejects.toThrow(QueryError);
    await expect(engineOf({ rowNumber: 'k' }).aggregate('events', ordered)).rejects.toThrow(
      /option rowNumber/,
    );
  });
});

describe('float sums', () => {
  it('are those of the server where fast ones are asked for, and the stats say which', async () => {
    const query: Query = { by: [], aggregates: { s: sum('v'), m: mean('v') } };
    const batch = batchOf([['v', dataOf({ type: 'f64', values: [1e16, 1, -1e16, 1] })]]);
    const exact = await createCluster().aggregate(batch, query);
    expect(exact.stats.strategies).toEqual(['select', 'exact float sums']);
    expect(exact.table.toArray().map((row) => [...Object.values(row)])).toEqual([[2, 0.5]]);
    const fast = await createCluster({ floatSums: 'fast' }).aggregate(batch, query);
    expect(fast.stats.strategies).toEqual(['select', 'fast float sums']);
    expect([0, 1, 2]).toContain(fast.table.getChild('s')?.get(0));
    const ints = await engine.aggregate('events', { by: [], aggregates: { s: sum('i') } });
    expect(ints.stats.strategies).toEqual(['select']);
  });

  // A server that compiles an expression when it has come three times must not change what it means.
  it('of negative wide decimals are the same however often they are asked', async () => {
    const batch = batchOf([
      ['v', dataOf({ type: 'decimal128(38,0)', values: ['-5', '-18446744073709551617'] })],
    ]);
    for (let run = 0; run < 8; run++) {
      const { table } = await createCluster().aggregate(batch, { by: [], aggregates: { s: sum('v') } });
      expect(cellsOf(table).rows).toEqual([['-18446744073709551622']]);
    }
  });
});

describe('the options', () => {
  it.each([
    [{}, /option client/],
    [{ client, colour: 1 }, /"colour"/],
    [{ client, floatSums: 'quick' }, /option floatSums: got "quick", wanted 'exact' or 'fast'/],
    [{ client, database: 7 }, /option database/],
    [{ client, rowNumber: '' }, /option rowNumber/],
    [{ client, shards: { cluster: 'shards', clients: [] } }, /option shards.clients/],
  ])('%# are refused with a QueryError', (options, words) => {
    const make = (): unknown =>
      createClickHouse(options as unknown as Parameters<typeof createClickHouse>[0]);
    expect(make).toThrow(QueryError);
    expect(make).toThrow(words);
  });

  it('have a name that no server has', async () => {
    const nowhere = createClickHouse({ client, shards: { cluster: 'no such cluster', clients: [client] } });
    await expect(nowhere.aggregate(rows, { by: [], aggregates: { n: count() } })).rejects.toThrow(
      WorkerError,
    );
  });
});
