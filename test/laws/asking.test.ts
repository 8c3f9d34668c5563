import * as fc from 'fast-check';
import {
  type Aggregator,
  bucket,
  count,
  countDistinct,
  createParallel,
  createReference,
  cube,
  desc,
  first,
  gt,
  list,
  max,
  median,
  mode,
  type Query,
  rollup,
  stddev,
  sum,
  variance,
} from 'rangefold';
import { afterAll, describe, expect, it } from 'vitest';
import type { Cell } from '../support/cell.js';
import { cellsOf } from '../support/cells.js';
import { batchOf, type ColumnNotation, dataOf } from '../support/notation.js';
import { runs } from '../support/runs.js';
import type { Named } from './same-answer.js';
import { closeAll, LEAST, onCluster } from './settings.js';

const ENGINES: readonly Named[] = onCluster() ?? [
  { name: 'reference', engine: createReference() },
  ...[1, 2, 3, 8].map((workers) => ({
    name: `parallel, ${workers} workers`,
    engine: createParallel({ workers, tuning: LEAST }),
  })),
];
afterAll(() => closeAll(ENGINES));

type Row = readonly [a: Cell, b: Cell, v: Cell];

const keys: fc.Arbitrary<Cell> = fc.option(fc.integer({ min: 0, max: 2 }));
const texts: fc.Arbitrary<Cell> = fc.option(fc.constantFrom('x', 'y'));
const values: fc.Arbitrary<Cell> = fc.option(fc.integer({ min: -4, max: 4 }));
const rows: fc.Arbitrary<Row[]> = fc.array(fc.tuple(keys, texts, values), { maxLength: 30 });

async function askOf(
  engine: Aggregator,
  given: readonly Row[],
  query: Query,
): Promise<readonly (readonly string[])[]> {
  const column = (type: string, i: 0 | 1 | 2): ColumnNotation => ({
    type,
    values: given.map((row) => row[i]),
  });
  const batch = batchOf([
    ['a', dataOf(column('i32', 0))],
    ['b', dataOf(column('utf8', 1))],
    ['v', dataOf(column('i64', 2))],
  ]);
  return cellsOf((await engine.aggregate(batch, query)).table).rows;
}

const AGGREGATES = {
  s: sum('v'),
  d: countDistinct('v'),
  m: median('v'),
  l: list('v'),
  t: mode('b'),
  f: first('v'),
  x: max('b'),
  w: count({ where: gt('v', 0) }),
};

describe.each(ENGINES)('asking the $name', ({ engine }) => {
  const ask = (given: readonly Row[], query: Query): ReturnType<typeof askOf> => askOf(engine, given, query);

  it('where is filtering before', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const query = { by: ['a', desc('b')], aggregates: AGGREGATES };
        const kept = given.filter(([, , v]) => v !== null && Number(v) > 1);
        expect(await ask(given, { ...query, where: gt('v', 1) })).toEqual(await ask(kept, query));
      }),
      runs(25),
    );
  });

  it('sets are the union of separate queries', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.boolean(), async (given, cubed) => {
        const all = await ask(given, { by: (cubed ? cube : rollup)('a', 'b'), aggregates: AGGREGATES });
        const one = async (by: readonly string[], grouping: string): Promise<string[][]> =>
          (await ask(given, { by, aggregates: AGGREGATES })).map((row) => [
            by.includes('a') ? row[0] : 'null',
            by.includes('b') ? row[by.indexOf('b')] : 'null',
            grouping,
            ...row.slice(by.length),
          ]);
        expect(all).toEqual([
          ...(await one(['a', 'b'], '0')),
          ...(await one(['a'], '1')),
          ...(cubed ? await one(['b'], '2') : []),
          ...(await one([], '3')),
        ]);
      }),
      runs(25),
    );
  });

  it('a constant added to every value leaves variance as it is', async () => {
    const shift = fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n });
    await fc.assert(
      fc.asyncProperty(rows, shift, async (given, by) => {
        const query = { by: ['a'], aggregates: { v: variance('v'), s: stddev('v', { population: true }) } };
        const moved = given.map(
          ([a, b, v]): Row => [a, b, v === null ? null : String(BigInt(Number(v)) + by)],
        );
        expect(await ask(moved, query)).toEqual(await ask(given, query));
      }),
      runs(25),
    );
  });

  it('having, sort and limit take from the whole answer', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.nat(5), async (given, limit) => {
        const query = { by: ['a', 'b'], aggregates: { s: sum('v') } };
        const whole = await ask(given, query);
        const kept = whole.filter(([, , s]) => s !== 'null' && Number(s) > -2);
        kept.sort(([, , a], [, , b]) => Number(b) - Number(a));
        const asked = await ask(given, { ...query, having: gt('s', -2), sort: [desc('s')], limit });
        expect(asked).toEqual(kept.slice(0, limit));
      }),
      runs(25),
    );
  });

  it('a bucket is its start up to the next', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 5 }), fc.integer(), async (given, width, offset) => {
        const query = { by: [bucket('v', width, { offset }).as('start'), 'v'], aggregates: {} };
        for (const [start, v] of await ask(given, query)) {
          if (v === 'null') expect(start).toBe('null');
          else {
            expect((Number(start) - offset) % width === 0).toBe(true);
            expect(Number(start) <= Number(v) && Number(v) < Number(start) + width).toBe(true);
          }
        }
      }),
      runs(25),
    );
  });
});
