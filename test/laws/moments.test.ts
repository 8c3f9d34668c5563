import * as fc from 'fast-check';
import {
  correlation,
  covariance,
  createParallel,
  createReference,
  type Query,
  stddev,
  variance,
} from 'rangefold';
import { afterAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../support/cells.js';
import { batchOf, dataOf } from '../support/notation.js';
import { runs } from '../support/runs.js';
import type { Named } from './same-answer.js';
import { closeAll, LEAST } from './settings.js';

const reference = createReference();
/** Who meets which row first chooses the scale of a run: rows are dealt one by one, and rounds hold a few. */
const ENGINES: readonly Named[] = [
  { name: 'one worker', engine: createParallel({ workers: 1 }) },
  { name: 'three workers', engine: createParallel({ workers: 3, tuning: { ...LEAST, deal: 'static' } }) },
  {
    name: 'rounds',
    engine: createParallel({ workers: 2, tuning: { ...LEAST, morselRows: 2, roundBytes: 100 } }),
  },
];
afterAll(() => closeAll([{ name: 'reference', engine: reference }, ...ENGINES]));

/** Doubles of one column: near each other, apart by powers of two up to 2^most, or of any bits. */
const doubles: readonly fc.Arbitrary<number>[] = [
  fc.constantFrom(0, -0, 1, -1, 0.5, 3, 2048),
  fc.integer({ min: -1000, max: 1000 }).map((n) => n / 7),
  ...[40, 140, 2000].map((most) =>
    fc
      .tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: -most / 2, max: most / 2 }))
      .map(([fraction, exponent]) => fraction * 2 ** exponent),
  ),
  fc.double(),
];
const integers = [4, 31, 40, 63].map((bits) =>
  fc.bigInt({ min: -(2n ** BigInt(bits - 1)), max: 2n ** BigInt(bits - 1) - 1n }),
);

const scenes = fc
  .tuple(fc.constantFrom(...doubles), fc.constantFrom(...doubles), fc.constantFrom(...integers))
  .chain(([x, y, i]) =>
    fc.array(
      fc.record({
        g: fc.nat(1),
        x: fc.option(x, { freq: 6 }),
        y: fc.option(y, { freq: 6 }),
        i: fc.option(i),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  );

const QUERY: Query = {
  by: ['g'],
  aggregates: {
    a: variance('x'),
    b: stddev('x', { population: true }),
    c: covariance('x', 'y'),
    d: correlation('x', 'y'),
    e: variance('i'),
    f: covariance('i', 'x'),
    h: correlation('u', 'y'),
    k: stddev('u'),
  },
};

describe('moments of numbers', () => {
  it('are exact and rounded once, whatever the scale that a run chose', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async (rows) => {
        const integer = (i: bigint | null): string | null => (i === null ? null : String(i));
        const input = batchOf([
          ['g', dataOf({ type: 'i32', values: rows.map(({ g }) => g) })],
          ['x', dataOf({ type: 'f64', values: rows.map(({ x }) => x) })],
          ['y', dataOf({ type: 'f64', values: rows.map(({ y }) => y) })],
          ['i', dataOf({ type: 'i64', values: rows.map(({ i }) => integer(i)) })],
          [
            'u',
            dataOf({
              type: 'u64',
              values: rows.map(({ i }) => integer(i === null ? null : BigInt.asUintN(64, i))),
            }),
          ],
        ]);
        const right = cellsOf((await reference.aggregate(input, QUERY)).table);
        for (const { name, engine } of ENGINES)
          expect(cellsOf((await engine.aggregate(input, QUERY)).table), name).toEqual(right);
      }),
      runs(300),
    );
  });
});
