import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Float64, Int32, Table, tableFromIPC, tableToIPC, Utf8 } from 'apache-arrow';
import {
  type Aggregate,
  type Aggregator,
  correlation,
  count,
  createParallel,
  createReference,
  max,
  mean,
  median,
  min,
  stddev,
  sum,
  top,
} from 'rangefold';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { cellsOf } from '../support/cells.js';
import { column, createFolder } from '../support/files.js';
import { Random } from '../support/random.js';

// The ten questions of the db-benchmark group-by task (h2oai/db-benchmark), on rows made as its data are: id1 to id3
// texts, id4 to id6 integers, v1 in 1..5, v2 in 1..15, v3 below 100 with six decimals.

vi.setConfig({ testTimeout: 120_000 });

const ROWS = 20_000;
/** Groups of the small ids; the large ones have this many times fewer rows than there are. */
const K = 100;

interface Row {
  readonly id1: string;
  readonly id2: string;
  readonly id3: string;
  readonly id4: number;
  readonly id5: number;
  readonly id6: number;
  readonly v1: number;
  readonly v2: number;
  readonly v3: number;
}

const random = new Random(42);
const ROW_LIST: readonly Row[] = Array.from({ length: ROWS }, () => {
  const below = (n: number): number => 1 + random.below(n);
  const text = (n: number, digits: number): string => `id${String(below(n)).padStart(digits, '0')}`;
  return {
    id1: text(K, 3),
    id2: text(K, 3),
    id3: text(ROWS / K, 10),
    id4: below(K),
    id5: below(K),
    id6: below(ROWS / K),
    v1: below(5),
    v2: below(15),
    v3: random.below(100_000_000) / 1e6,
  };
});

const texts = (name: 'id1' | 'id2' | 'id3') =>
  column(
    new Utf8(),
    ROW_LIST.map((row) => row[name]),
  );
const integers = (name: 'id4' | 'id5' | 'id6' | 'v1' | 'v2') =>
  column(
    new Int32(),
    ROW_LIST.map((row) => row[name]),
  );
const TABLE = new Table({
  id1: texts('id1'),
  id2: texts('id2'),
  id3: texts('id3'),
  id4: integers('id4'),
  id5: integers('id5'),
  id6: integers('id6'),
  v1: integers('v1'),
  v2: integers('v2'),
  v3: column(
    new Float64(),
    ROW_LIST.map(({ v3 }) => v3),
  ),
});

type Key = 'id1' | 'id2' | 'id3' | 'id4' | 'id5' | 'id6';
/** One aggregate: as the library asks, as the command asks, and of the rows of a group by the plainest way. */
type Ask = readonly [
  name: string,
  aggregate: Aggregate,
  text: string,
  plain: (rows: readonly Row[]) => unknown,
];

const total = (name: 'v1' | 'v2' | 'v3', rows: readonly Row[]): number =>
  rows.reduce((all, row) => all + row[name], 0);
const average = (name: 'v1' | 'v2' | 'v3', rows: readonly Row[]): number => total(name, rows) / rows.length;
const sums = (name: 'v1' | 'v2' | 'v3'): Ask => [
  name,
  sum(name),
  `sum(${name})`,
  (rows) => total(name, rows),
];
const means = (name: 'v1' | 'v2' | 'v3'): Ask => [
  name,
  mean(name),
  `mean(${name})`,
  (rows) => average(name, rows),
];

function medianOf(rows: readonly Row[]): number {
  const values = rows.map(({ v3 }) => v3).toSorted((a, b) => a - b);
  const middle = (values.length - 1) / 2;
  return (values[Math.floor(middle)] + values[Math.ceil(middle)]) / 2;
}

function deviationOf(rows: readonly Row[]): number | null {
  if (rows.length < 2) return null;
  const middle = average('v3', rows);
  return Math.sqrt(rows.reduce((all, { v3 }) => all + (v3 - middle) ** 2, 0) / (rows.length - 1));
}

function correlationOf(rows: readonly Row[]): number | null {
  const [x, y] = [average('v1', rows), average('v2', rows)];
  const product = (f: (row: Row) => number, g: (row: Row) => number): number =>
    rows.reduce((all, row) => all + f(row) * g(row), 0);
  const [dx, dy] = [({ v1 }: Row) => v1 - x, ({ v2 }: Row) => v2 - y];
  const spread = product(dx, dx) * product(dy, dy);
  return spread === 0 ? null : product(dx, dy) / Math.sqrt(spread);
}

const QUESTIONS: readonly (readonly [name: string, by: readonly Key[], asks: readonly Ask[]])[] = [
  ['q1', ['id1'], [sums('v1')]],
  ['q2', ['id1', 'id2'], [sums('v1')]],
  ['q3', ['id3'], [sums('v1'), means('v3')]],
  ['q4', ['id4'], [means('v1'), means('v2'), means('v3')]],
  ['q5', ['id6'], [sums('v1'), sums('v2'), sums('v3')]],
  [
    'q6',
    ['id4', 'id5'],
    [
      ['median_v3', median('v3'), 'median(v3)', medianOf],
      ['sd_v3', stddev('v3'), 'stddev(v3)', deviationOf],
    ],
  ],
  [
    // the range is a difference of two outputs
    'q7',
    ['id3'],
    [
      ['max_v1', max('v1'), 'max(v1)', (rows) => Math.max(...rows.map(({ v1 }) => v1))],
      ['min_v2', min('v2'), 'min(v2)', (rows) => Math.min(...rows.map(({ v2 }) => v2))],
    ],
  ],
  [
    'q8',
    ['id6'],
    [
      [
        'largest2_v3',
        top('v3', 2),
        'top(v3,2)',
        (rows) =>
          rows
            .map(({ v3 }) => v3)
            .toSorted((a, b) => b - a)
            .slice(0, 2),
      ],
    ],
  ],
  // its square is taken of the output
  ['q9', ['id2', 'id4'], [['r', correlation('v1', 'v2'), 'correlation(v1,v2)', correlationOf]]],
  [
    'q10',
    ['id1', 'id2', 'id3', 'id4', 'id5', 'id6'],
    [sums('v3'), ['count', count(), 'count()', (rows) => rows.length]],
  ],
];

/** The groups of the question in key order, by a Map and a sort; every key is as wide as its fellows, or a number. */
function plainly(by: readonly Key[], asks: readonly Ask[]): unknown[][] {
  const groups = new Map<string, Row[]>();
  for (const row of ROW_LIST) {
    const key = JSON.stringify(by.map((name) => row[name]));
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [row]);
    else known.push(row);
  }
  const keys = [...groups.values()].toSorted(([a], [b]) => {
    const differs = by.find((name) => a[name] !== b[name]) ?? by[0];
    return a[differs] < b[differs] ? -1 : 1;
  });
  return keys.map((rows) => [
    ...by.map((name) => rows[0][name]),
    ...asks.map(([, , , plain]) => plain(rows)),
  ]);
}

/** Whether a value is the right one: floats were added in another order, and need not agree in their last digits. */
function isRight(came: unknown, right: unknown): boolean {
  if (Array.isArray(right)) {
    const items = [...(came as Iterable<unknown>)];
    return items.length === right.length && right.every((item, i) => isRight(items[i], item));
  }
  if (typeof right === 'number' && !Number.isInteger(right))
    return Math.abs(Number(came) - right) <= 1e-9 * Math.max(1, Math.abs(right));
  return (typeof came === 'bigint' ? Number(came) : came) === right;
}

const ENGINES: readonly Aggregator[] = [
  createReference(),
  createParallel({ workers: 1 }),
  createParallel({ workers: 3, tuning: { inlineRows: 0, morselRows: 5000 } }),
];
afterAll(() => Promise.all(ENGINES.map((engine) => engine.close())));

const file = createFolder();
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const execute = promisify(execFile);

describe('the questions of db-benchmark', () => {
  const path = file('rows.arrow', tableToIPC(TABLE, 'file'));

  it.each(QUESTIONS)('%s is answered alike by the engines, and right', async (_, by, asks) => {
    const aggregates = Object.fromEntries(asks.map(([name, aggregate]) => [name, aggregate]));
    const answers = await Promise.all(ENGINES.map((engine) => engine.aggregate(TABLE, { by, aggregates })));
    const [{ table }, ...others] = answers;
    for (const other of others) expect(cellsOf(other.table)).toEqual(cellsOf(table));
    const right = plainly(by, asks);
    expect(table.numRows).toBe(right.length);
    const columns = table.schema.fields.map((__, c) => table.getChildAt(c));
    const wrong = right.flatMap((row, r) =>
      row.flatMap((value, c) => {
        const came: unknown = columns[c]?.get(r);
        return isRight(came, value) ? [] : [{ row: r, column: c, came, value }];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it.each(QUESTIONS)(
    '%s is answered by the command, with the same bytes from both engines',
    async (name, by, asks) => {
      const answers = await Promise.all(
        ['reference', 'parallel'].map(async (engine) => {
          const output = file(`${name}-${engine}.arrow`, '');
          const asked = asks.flatMap(([as, , text]) => ['--agg', `${as}=${text}`]);
          const parameters = ['--engine', engine, '--by', by.join(), ...asked, '--output', output];
          await execute(process.execPath, [main, path, ...parameters]);
          return readFileSync(output);
        }),
      );
      expect(answers[1].equals(answers[0])).toBe(true);
      const aggregates = Object.fromEntries(asks.map(([as, aggregate]) => [as, aggregate]));
      const { table } = await ENGINES[1].aggregate(TABLE, { by, aggregates });
      expect(tableFromIPC(answers[1]).toArray().map(String)).toEqual(table.toArray().map(String));
    },
  );
});
