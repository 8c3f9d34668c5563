import * as fc from 'fast-check';
import {
  type Aggregate,
  type Aggregation,
  argMax,
  argMin,
  asc,
  bottom,
  type Condition,
  correlation,
  count,
  countDistinct,
  covariance,
  createReference,
  cube,
  desc,
  every,
  first,
  groupingSets,
  isNull,
  join,
  type Key,
  last,
  list,
  max,
  mean,
  median,
  min,
  mode,
  named,
  not,
  notNull,
  or,
  type Query,
  quantile,
  rollup,
  some,
  stddev,
  sum,
  top,
  variance,
} from 'rangefold';
import { afterAll, expect, it } from 'vitest';
import type { Kind } from '../../laws/kind.js';
import { KINDS } from '../../laws/kinds.js';
import { batchesOf, type Scene, scenes } from '../../laws/scene.js';
import { cellsOf } from '../../support/cells.js';
import { createCluster } from '../../support/cluster.js';
import { runs } from '../../support/runs.js';

// The whole vocabulary at once, on columns of every type: what no hand could write. The conformance cases hold the reference.

const reference = createReference();
const cluster = createCluster();
afterAll(() => Promise.all([reference.close(), cluster.close()]));

interface Asked {
  readonly aggregate: number;
  readonly column: number;
  readonly second: number;
  readonly p: number;
  readonly n: number;
  readonly interpolation: number;
  readonly flag: boolean;
  readonly where: number | null;
}

const asked: fc.Arbitrary<Asked> = fc.record({
  aggregate: fc.nat(),
  column: fc.nat(),
  second: fc.nat(),
  p: fc.oneof(fc.constantFrom(0, 0.25, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  n: fc.integer({ min: 1, max: 5 }),
  interpolation: fc.nat(),
  flag: fc.boolean(),
  where: fc.option(fc.nat(), { freq: 3 }),
});

const INTERPOLATIONS = ['linear', 'midpoint', 'lower', 'higher', 'nearest'] as const;

type Make = (x: string, asked: Asked, y: string) => Aggregate;

const OF_ANY: readonly Make[] = [
  (x) => count(x),
  (x) => countDistinct(x),
  (x) => min(x),
  (x) => max(x),
  (x, _, y) => argMin(x, y),
  (x, _, y) => argMax(x, y),
  (x, { flag }) => first(x, { ignoreNulls: flag }),
  (x, { flag }) => last(x, { ignoreNulls: flag }),
  (x) => mode(x),
  (x, { n }) => top(x, n),
  (x, { n }) => bottom(x, n),
  (x) => list(x),
  (x, { p, interpolation }) =>
    quantile(x, p, { interpolation: INTERPOLATIONS.slice(2)[interpolation % 3] ?? 'lower' }),
];
const OF_NUMBERS: readonly Make[] = [
  (x) => mean(x),
  (x, { flag }) => variance(x, { population: flag }),
  (x, { flag }) => stddev(x, { population: flag }),
];
const OF_QUANTITIES: readonly Make[] = [
  (x) => median(x),
  (x, { p, interpolation }) =>
    quantile(x, p, { interpolation: INTERPOLATIONS[interpolation % 2] ?? 'linear' }),
];
const OF_PAIRS: readonly Make[] = [(x, _, y) => covariance(x, y), (x, _, y) => correlation(x, y)];

const isNumber = ({ values }: Kind): boolean => ['int', 'float', 'decimal', 'bool'].includes(values);
const isText = ({ name }: Kind): boolean => name.includes('utf8');

function makersOf(x: Kind, y: Kind): readonly Make[] {
  return [
    ...OF_ANY,
    ...(isNumber(x) ? OF_NUMBERS : []),
    ...(isNumber(x) && x.values !== 'bool' ? OF_QUANTITIES : []),
    ...(isNumber(x) && isNumber(y) ? OF_PAIRS : []),
    ...(isNumber(x) || x.values === 'duration' ? [(c: string) => sum(c)] : []),
    ...(x.values === 'int' || x.values === 'bool' ? [(c: string) => sum(c, { as: 'decimal' })] : []),
    ...(x.values === 'bool' ? [(c: string) => every(c), (c: string) => some(c)] : []),
    ...(isText(x) ? [(c: string) => join(c, ", '`\\ ")] : []),
  ];
}

function conditionOf(n: number, columns: number): Condition {
  const [a, b] = [`c${n % columns}`, `c${(n >> 3) % columns}`];
  const forms = [isNull(a), notNull(a), or(isNull(a), notNull(b)), not(or(isNull(a), isNull(b)))];
  return forms[n % forms.length] ?? isNull(a);
}

interface Whole {
  readonly scene: Scene;
  readonly aggregates: readonly Asked[];
  readonly sets: 'none' | 'rollup' | 'cube' | 'some';
  readonly where: number | null;
  readonly sort: boolean;
  readonly limit: number | null;
}

function queryOf({ scene, aggregates, sets, where, sort, limit }: Whole): Query {
  const { columns, by } = scene;
  const keys = [...new Map(by.slice(0, 3).map((key) => [key.column % columns.length, key]))].map(
    ([column, { descending, nullsFirst }]): Key =>
      (descending ? desc : asc)(`c${column}`, { nulls: nullsFirst ? 'first' : 'last' }),
  );
  const forms = {
    none: () => keys,
    rollup: () => rollup(...keys),
    cube: () => cube(...keys),
    some: () => groupingSets([keys.slice(1), [], keys.slice(0, 1)]),
  };
  return {
    by: forms[sets](),
    aggregates: [
      named('rows', count()),
      ...aggregates.map((one, i) => {
        const [x, y] = [one.column % columns.length, one.second % columns.length];
        const makers = makersOf(columns[x].kind, columns[y].kind);
        const made = (makers[one.aggregate % makers.length] ?? OF_ANY[0])(`c${x}`, one, `c${y}`);
        const condition = one.where === null ? {} : { where: conditionOf(one.where, columns.length) };
        return named(`a${i}`, { ...made, ...condition });
      }),
    ],
    ...(where !== null && { where: conditionOf(where, columns.length) }),
    ...(sort && { sort: [desc('rows')] }),
    ...(limit !== null && { limit }),
  };
}

async function outcomeOf(run: Promise<Aggregation>): Promise<unknown> {
  return run.then(
    ({ table, stats: { rows, groups } }) => ({ ...cellsOf(table), stats: { rows, groups } }),
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

function wholes(rows: fc.Arbitrary<number>, values: number): fc.Arbitrary<Whole> {
  return fc.record({
    scene: scenes({ rows, values, kinds: KINDS }),
    aggregates: fc.array(asked, { minLength: 1, maxLength: 6 }),
    sets: fc.constantFrom('none', 'none', 'rollup', 'cube', 'some'),
    where: fc.option(fc.nat(), { freq: 2 }),
    sort: fc.boolean(),
    limit: fc.option(fc.nat(20), { freq: 2 }),
  });
}

it.each([
  ['a few rows', fc.nat(60), 20, 120],
  ['many groups', fc.integer({ min: 500, max: 2000 }), 1000, 6],
] as const)(
  'the cluster gives the reference answer, or its error, to any question about %s',
  async (_, rows, values, times) => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(wholes(rows, values), async (whole) => {
        const query = queryOf(whole);
        const batches = batchesOf(whole.scene);
        const wanted = await outcomeOf(reference.aggregate(batches, query));
        expect(await outcomeOf(cluster.aggregate(batches, query))).toEqual(wanted);
        seen.add(typeof wanted === 'string' ? wanted.replace(/:.*/, '') : 'an answer');
      }),
      runs(times),
    );
    expect(seen).toContain('an answer');
  },
);
