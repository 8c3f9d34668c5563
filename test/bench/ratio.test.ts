import { Float64, Int64, Table } from 'apache-arrow';
import { expect, test } from 'vitest';
import { requireEqual } from '../../bench/agree.mjs';
import { CASES, caseNames, GROUPS } from '../../bench/data/cases.mjs';
import { below, raised } from '../../bench/floors.mjs';
import { workAndSpan } from '../../bench/projection.mjs';
import { estimate, left } from '../../bench/rivals/estimate.mjs';
import { page } from '../../bench/rivals/page.mjs';
import { fasterRival, summaries } from '../../bench/rivals/ratio.mjs';
import { summaryOf } from '../../bench/turns.mjs';
import { column } from '../support/files.js';

const contestant = (rival: string, ...runs: number[]) => ({
  rival,
  name: rival,
  timed: '',
  milliseconds: summaryOf(runs),
});
const raced = (name: string, group: string, ...contestants: [object, ...object[]]) => ({
  name,
  title: name,
  group,
  groups: 1,
  strategies: [],
  rows: 10,
  contestants,
});

test('of the engines the faster one counts, turn by turn; those that fail or are no engine do not', () => {
  const one = raced(
    'a',
    'shapes',
    contestant('rangefold', 10, 20, 10),
    contestant('duckdb', 40, 60, 20),
    contestant('polars', 20, 60, 30),
    contestant('map', 1, 1, 1),
    { rival: 'duckdb-unordered', name: '', timed: '', failure: 'got exit by 1' },
  );
  // duckdb 4, 3, 2; polars 2, 3, 3
  expect(fasterRival(one).ratio).toBe(3);
});

test('a rival with fewer runs is compared in the turns that it took', () => {
  const one = raced('a', 'shapes', contestant('rangefold', 10, 1, 1), contestant('polars', 50));
  expect(fasterRival(one)).toEqual({ rival: 'polars', ratio: 5 });
});

test('the summary has the geometric mean, the least and those below the bar', () => {
  const results = [
    raced('a', 'shapes', contestant('rangefold', 1), contestant('duckdb', 8)),
    raced('b', 'questions', contestant('rangefold', 1), contestant('duckdb', 1)),
    raced('c', 'more', contestant('rangefold', 1), contestant('polars', 1)),
    raced('d', 'small', contestant('rangefold', 1), contestant('duckdb', 0.01)),
    raced('e', 'aggregates', contestant('rangefold', 4), contestant('duckdb', 1)),
  ];
  const { engines, aggregates } = summaries(results);
  expect(engines).toMatchObject({ cases: 3, least: { ratio: 1 }, below: ['b', 'c'] });
  expect(engines?.mean).toBeCloseTo(2, 12);
  expect(aggregates).toMatchObject({ cases: 1, mean: 0.25, below: ['e'] });
});

test('a page has a row for each case, marks few runs and names what failed', () => {
  const results = {
    ...{ node: 'v20', cpu: 'one', cores: 2, load: 0, date: '2026-01-02T00:00:00Z', command: 'npm run x' },
    ...{ rows: 10, threads: 2, turns: 3 },
    cases: [
      raced('a', 'shapes', contestant('rangefold', 1, 1, 1), contestant('duckdb', 3), {
        rival: 'polars',
        name: 'Polars',
        timed: '',
        failure: 'no memory',
      }),
    ],
  };
  expect(page(results)).toContain('| `a` | a | 1 | 1.00 | 3.00\\* | failed | 3.00 |');
  expect(page(results)).toContain(
    '![Count and sum, by shape: milliseconds by contestant](benchmarks-shapes.svg)',
  );
});

test('floors rise to four fifths of what was measured and never fall', () => {
  expect(raised({ a: 2, b: 2 }, { a: 5, b: 1, c: 1 })).toEqual({ a: 4, b: 2, c: 0.8 });
});

test('a ratio below its floor is told, and so is one that is missing', () => {
  expect(below({ a: 2, b: 2, c: 2 }, { a: 2, b: 1.5, d: 0 })).toEqual([
    'b: got 1.50, wanted at least 2.00',
    'c: got no ratio, wanted at least 2.00',
  ]);
});

test('the span is the longest worker of each phase, and what is serial counts whole', () => {
  const batches = [
    { task: 'fold', nanoseconds: [5, 7] },
    { task: 'fold', nanoseconds: [1, 1] },
    // three tasks of two workers: 4, and 2 + 3
    { task: 'order', nanoseconds: [4, 2, 3] },
    { task: 'rank', nanoseconds: [] },
  ];
  expect(workAndSpan(batches, 10, 2)).toEqual({
    work: 33,
    span: 23,
    serial: 10,
    phases: { fold: { work: 14, span: 8 }, order: { work: 9, span: 5 } },
  });
});

test('every case has a name of its own, a group that is drawn, and the columns that it asks for', () => {
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  for (const one of CASES) expect(Object.keys(GROUPS)).toContain(one.group);
  for (const one of CASES.filter(({ name }) => !['wide', 'near-unique'].includes(name))) {
    const table = one.table(1000, (size: number) => new ArrayBuffer(size));
    expect(table.numRows).toBe(1000);
    const names = table.schema.fields.map(({ name }: { name: string }) => name);
    for (const name of [...one.by, ...one.asks.flatMap(({ columns }: { columns: string[] }) => columns)])
      expect(names).toContain(name);
  }
});

test('cases are chosen by name and by group', () => {
  expect(caseNames('q1,small')).toEqual(['q1', 'small-1000', 'small-10000', 'small-100000']);
  expect(() => caseNames('q11')).toThrow('case: got q11, wanted one of seed, sorted');
});

test('an answer that differs by value is found, one that is near is not', () => {
  const table = new Table({ n: column(new Int64(), [1n, 2n]), x: column(new Float64(), [1, null]) });
  const hold = (columns: unknown[]) => () => requireEqual('other', columns, table, 1e-9);
  expect(
    hold([
      [1, 2n],
      [1 + 1e-10, Number.NaN],
    ]),
  ).not.toThrow();
  expect(
    hold([
      [1, 3],
      [1, null],
    ]),
  ).toThrow('other, n of group 1: got 3, wanted 2');
  expect(
    hold([
      [1, 2],
      [1 + 1e-8, null],
    ]),
  ).toThrow('other, x of group 0');
  expect(
    hold([
      [1, 2],
      [1, 0],
    ]),
  ).toThrow('other, x of group 1: got 0, wanted null');
  expect(hold([[1], [1]])).toThrow('other: got 1 groups, wanted 2');
});

test('what is left is reckoned by the pace of what is done', () => {
  const [a, b, c] = CASES;
  const twice = 2 * estimate([a], 1e6);
  expect(left([a], [b, c], 1e6, twice)).toBeCloseTo(2 * estimate([b, c], 1e6), 9);
});
