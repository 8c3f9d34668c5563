import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { RecordBatch } from 'apache-arrow';
import fc from 'fast-check';
import { asc, count, createParallel, createReference, desc, max, min, sum } from 'rangefold';
import { afterAll, describe, it } from 'vitest';
import type { Cell } from '../support/cell.js';
import { cellsOf, expected } from '../support/cells.js';
import { batchOf, dataOf } from '../support/notation.js';
import { runs } from '../support/runs.js';

// DuckDB is a dependency of the bench package alone. It agrees with the rules in what is asked here: integers, text by
// bytes, dates, decimals and booleans; NULLS LAST; NaN as the greatest number. (It keeps -0 apart from 0 in its output and
// does not round float sums exactly, so neither is asked.)

const rivals = new URL('../../bench/rivals/package.json', import.meta.url);
const installed = existsSync(new URL('node_modules/@duckdb/node-api', rivals));
if (!installed)
  console.warn('DuckDB is not installed (npm ci in bench/rivals): the comparison with it is skipped');

interface Connection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRowsJson(): (string | number | boolean | null)[][] }>;
}

async function connect(): Promise<Connection> {
  const path = createRequire(rivals).resolve('@duckdb/node-api');
  const { DuckDBInstance } = await import(pathToFileURL(path).href);
  return (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
}

/** A type in both languages: ours, DuckDB's, values as cells, a cell as SQL, and DuckDB's answer as a cell. */
interface Both {
  readonly ours: string;
  readonly theirs: string;
  readonly values: fc.Arbitrary<Cell>;
  readonly summed: boolean;
  toSql(cell: Exclude<Cell, null>): string;
  fromJson(value: string | number | boolean): Cell;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const integer = (ours: string, theirs: string, bits: number, signed: boolean): Both => ({
  ours,
  theirs,
  values: fc
    .bigInt(signed ? -(2n ** BigInt(bits - 1)) : 0n, 2n ** BigInt(signed ? bits - 1 : bits) - 1n)
    .map((value) => (bits === 64 ? `${value}` : Number(value))),
  summed: bits < 64,
  // in quotes: a minus before a cast would be applied after it
  toSql: (cell) => `${quoted(`${cell}`)}::${theirs}`,
  fromJson: (value) => (bits === 64 ? `${value}` : Number(value)),
});
const day = (days: number): string => new Date(days * 86_400_000).toISOString().slice(0, 10);

const TYPES: readonly Both[] = [
  integer('i8', 'TINYINT', 8, true),
  integer('i16', 'SMALLINT', 16, true),
  integer('i32', 'INTEGER', 32, true),
  integer('i64', 'BIGINT', 64, true),
  integer('u8', 'UTINYINT', 8, false),
  integer('u32', 'UINTEGER', 32, false),
  integer('u64', 'UBIGINT', 64, false),
  {
    ours: 'bool',
    theirs: 'BOOLEAN',
    values: fc.boolean(),
    summed: false,
    toSql: (cell) => `${cell}`,
    fromJson: (value) => value === true,
  },
  {
    ours: 'utf8',
    theirs: 'VARCHAR',
    values: fc.constantFrom(
      '',
      'a',
      'ab',
      "it's",
      'z',
      'é',
      '\uffff',
      '\u{10000}',
      'a longer text than seven',
      'Z',
    ),
    summed: false,
    toSql: (cell) => quoted(`${cell}`),
    fromJson: (value) => `${value}`,
  },
  {
    ours: 'date32',
    theirs: 'DATE',
    values: fc.integer({ min: -25_000, max: 25_000 }),
    summed: false,
    toSql: (cell) => `DATE ${quoted(day(Number(cell)))}`,
    fromJson: (value) => Date.parse(`${value}`) / 86_400_000,
  },
  {
    ours: 'f64',
    theirs: 'DOUBLE',
    values: fc.constantFrom(-1.5, 0, 0.1, 1e300, -1e-300, 'NaN', 'Inf', '-Inf'),
    summed: false,
    toSql: (cell) => `${quoted(`${cell}`)}::DOUBLE`,
    fromJson: (value) =>
      value === 'Infinity' ? 'Inf' : value === '-Infinity' ? '-Inf' : value === 'NaN' ? 'NaN' : Number(value),
  },
  {
    ours: 'decimal128(18,2)',
    theirs: 'DECIMAL(18, 2)',
    values: fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => (cents / 100).toFixed(2)),
    summed: false,
    toSql: (cell) => `${quoted(`${cell}`)}::DECIMAL(18, 2)`,
    fromJson: (value) => `${value}`,
  },
];

interface Question {
  readonly columns: readonly { readonly type: Both; readonly cells: readonly (Cell | null)[] }[];
  readonly keys: readonly { readonly descending: boolean; readonly first: boolean }[];
  readonly cuts: readonly number[];
}

const questions: fc.Arbitrary<Question> = fc
  .record({ rows: fc.integer({ min: 1, max: 60 }), width: fc.integer({ min: 1, max: 5 }) })
  .chain(({ rows, width }) =>
    fc.record({
      columns: fc.array(columnOf(rows), { minLength: width, maxLength: width }),
      keys: fc.array(fc.record({ descending: fc.boolean(), first: fc.boolean() }), {
        minLength: 1,
        maxLength: Math.min(3, width),
      }),
      cuts: fc.array(fc.integer({ min: 0, max: rows }), { maxLength: 3 }),
    }),
  );

function columnOf(rows: number): fc.Arbitrary<Question['columns'][number]> {
  return fc.constantFrom(...TYPES).chain((type) =>
    fc
      .array(type.values, { minLength: 1, maxLength: 6 })
      .chain((few) =>
        fc.array(fc.option(fc.constantFrom(...few), { freq: 6 }), { minLength: rows, maxLength: rows }),
      )
      .map((cells) => ({ type, cells })),
  );
}

function batchesOf({ columns, cuts }: Question): RecordBatch[] {
  const rows = columns[0].cells.length;
  const edges = [0, ...[...cuts].sort((a, b) => a - b), rows];
  return edges
    .slice(1)
    .map((end, i) =>
      batchOf(
        columns.map(({ type, cells }, c) => [
          `c${c}`,
          dataOf({ type: type.ours, values: cells.slice(edges[i], end) }),
        ]),
      ),
    );
}

describe.skipIf(!installed)('DuckDB', async () => {
  const engines = [
    createReference(),
    createParallel({ workers: 2, tuning: { groupsPerWorker: 1, morselRows: 7 } }),
  ];
  const connection = installed ? await connect() : undefined;

  afterAll(async () => {
    for (const engine of engines) await engine.close();
  });

  it('gives the answer of both engines', async () => {
    await fc.assert(
      fc.asyncProperty(questions, async (question) => {
        if (connection === undefined) throw new Error('no DuckDB');
        const wanted = await theirs(connection, question);
        for (const engine of engines) {
          const { table } = await engine.aggregate(batchesOf(question), ours(question));
          const came = cellsOf(table).rows.map((row) => row.join(' | '));
          if (came.join('\n') !== wanted.join('\n')) {
            throw new Error(`${engine.name}:\n${came.join('\n')}\nDuckDB:\n${wanted.join('\n')}`);
          }
        }
      }),
      runs(60),
    );
  }, 600_000);
});

function ours({ columns, keys }: Question): Parameters<ReturnType<typeof createReference>['aggregate']>[1] {
  const by = keys.map(({ descending, first }, k) =>
    (descending ? desc : asc)(`c${k}`, { nulls: first ? 'first' : 'last' }),
  );
  const pairs = columns.flatMap(({ type }, c) => [
    [`count${c}`, count(`c${c}`)] as const,
    [`min${c}`, min(`c${c}`)] as const,
    [`max${c}`, max(`c${c}`)] as const,
    ...(type.summed ? [[`sum${c}`, sum(`c${c}`)] as const] : []),
  ]);
  return { by, aggregates: [['rows', count()], ...pairs] };
}

async function theirs(connection: Connection, { columns, keys }: Question): Promise<string[]> {
  const names = columns.map((_, c) => `c${c}`);
  const types = columns.map(({ type }) => type);
  await connection.run(
    `CREATE OR REPLACE TABLE t (${names.map((name, c) => `${name} ${types[c].theirs}`).join(', ')})`,
  );
  const rows = columns[0].cells.map((_, row) => {
    const cells = columns.map(({ type, cells }) => (cells[row] === null ? 'NULL' : type.toSql(cells[row])));
    return `(${cells.join(', ')})`;
  });
  await connection.run(`INSERT INTO t VALUES ${rows.join(', ')}`);
  const aggregates = names.flatMap((name, c) => [
    `count(${name})`,
    `min(${name})`,
    `max(${name})`,
    ...(types[c].summed ? [`sum(${name})::${types[c].ours.startsWith('u') ? 'UBIGINT' : 'BIGINT'}`] : []),
  ]);
  const by = names.slice(0, keys.length);
  const order = keys.map(
    ({ descending, first }, k) => `c${k} ${descending ? 'DESC' : 'ASC'} NULLS ${first ? 'FIRST' : 'LAST'}`,
  );
  const sql = `SELECT ${[...by, 'count(*)', ...aggregates].join(', ')} FROM t GROUP BY ${by.join(', ')} ORDER BY ${order.join(', ')}`;
  const read = columns.flatMap(({ type }) => {
    const counted = [(value: string | number | boolean) => expected('i64', `${value}`)];
    const same = (value: string | number | boolean): string => expected(type.ours, type.fromJson(value));
    const total = type.ours.startsWith('u') ? 'u64' : 'i64';
    return [
      ...counted,
      same,
      same,
      ...(type.summed ? [(value: string | number | boolean) => expected(total, `${value}`)] : []),
    ];
  });
  const readers = [
    ...types.slice(0, keys.length).map(
      (type) =>
        (value: string | number | boolean): string =>
          expected(type.ours, type.fromJson(value)),
    ),
    (value: string | number | boolean): string => expected('i64', `${value}`),
    ...read,
  ];
  const answer = await connection.runAndReadAll(sql);
  return answer
    .getRowsJson()
    .map((row) => row.map((value, i) => (value === null ? 'null' : readers[i](value))).join(' | '));
}
