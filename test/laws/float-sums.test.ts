import { Table } from 'apache-arrow';
import * as fc from 'fast-check';
import { createParallel, mean, sum } from 'rangefold';
import { afterAll, describe, expect, it } from 'vitest';
import { isNearest, unitsOf } from '../support/exact-units.js';
import { batchOf, dataOf } from '../support/notation.js';
import { Random } from '../support/random.js';
import { runs } from '../support/runs.js';

const ENGINES = [
  { workers: 1 },
  { workers: 2, tuning: { morselRows: 100, groupsPerWorker: 1 } },
  {
    workers: 3,
    tuning: { morselRows: 1000, deal: 'static', denseBits: 0, groupsPerWorker: 1, samplesPerRange: 1 },
  },
  { workers: 8, tuning: { morselRows: 1, deal: 'static', denseBits: 0 } },
].map((options) => createParallel(options as Parameters<typeof createParallel>[0]));
afterAll(() => Promise.all(ENGINES.map((engine) => engine.close())));

/** A stretch of rows whose values have about one size: the grid that the first of them choose must not fit the rest. */
interface Stretch {
  readonly rows: number;
  /** 2 to this is their size. */
  readonly exponent: number;
  /** They differ by as many powers of two. */
  readonly spread: number;
  /** Significant bits of each. */
  readonly bits: number;
  /** Whether each is followed by its negation sooner or later, so that nearly all cancels. */
  readonly cancels: boolean;
}

const stretches = (most: number): fc.Arbitrary<Stretch[]> =>
  fc.array(
    fc.record({
      rows: fc.integer({ min: 1, max: most }),
      exponent: fc.oneof(
        fc.integer({ min: -60, max: 60 }),
        fc.integer({ min: -1074, max: 1023 }),
        fc.constantFrom(-1074, -1022, 1020, 1023),
      ),
      spread: fc.constantFrom(0, 1, 20, 53, 60, 120, 300),
      bits: fc.constantFrom(1, 2, 10, 24, 53),
      cancels: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  );

/** Values that decide a rounding: halves of a last place, and the least nudge off them. */
const deciding = [
  1,
  2 ** 53,
  2 ** -53,
  -(2 ** -53),
  2 ** -54,
  5e-324,
  -5e-324,
  2 ** -105,
  -1,
  1.7e308,
  -1.7e308,
];

function valuesOf(parts: readonly Stretch[], random: Random): number[] {
  return parts.flatMap(({ rows, exponent, spread, bits, cancels }) => {
    const values = Array.from({ length: rows }, () => {
      const mantissa = Number(random.wide() >> BigInt(64 - bits)) + 2 ** (bits - 1);
      const e = Math.min(1023, Math.max(-1074, exponent - random.below(spread + 1)));
      const sign = random.below(2) === 0 ? 1 : -1;
      // 1 to 2, scaled in two steps, so that no step leaves the range that the result does not leave
      const half = Math.trunc(e / 2);
      const value = (sign * mantissa * 2 ** half * 2 ** (e - half)) / 2 ** bits;
      return Number.isFinite(value) ? value : sign * 2 ** 1023;
    });
    return cancels ? random.shuffled([...values, ...values.slice(1).map((x) => -x)]) : values;
  });
}

describe.each([
  ['within a block', 40, 60],
  ['over many blocks, past the flush of a pair', 3500, 8],
])('float sums and means, %s', (_, most, times) => {
  it('are the exact sum and quotient, rounded once', async () => {
    await fc.assert(
      fc.asyncProperty(
        stretches(most),
        fc.array(fc.constantFrom(...deciding), { maxLength: 6 }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(),
        async (parts, extra, groups, seed) => {
          const random = new Random(seed);
          const values = [...valuesOf(parts, random), ...extra];
          const keys = values.map(() => random.below(groups));
          const units = Array<bigint>(groups).fill(0n);
          const counts = Array<bigint>(groups).fill(0n);
          values.forEach((x, row) => {
            units[keys[row]] += unitsOf(x);
            counts[keys[row]] += 1n;
          });
          const input = new Table([
            batchOf([
              ['k', dataOf({ type: 'u8', values: keys })],
              ['v', dataOf({ type: 'f64', values: values.map((x) => (Object.is(x, -0) ? '-0' : x)) })],
            ]),
          ]);
          for (const engine of ENGINES) {
            const query = { by: ['k'], aggregates: { s: sum('v'), m: mean('v') } };
            const { table } = await engine.aggregate(input, query);
            const seen = counts.flatMap((count, group) => (count > 0n ? [group] : []));
            expect(table.numRows).toBe(seen.length);
            const [sums, means] = ['s', 'm'].map((name) => table.getChild(name)?.toArray() as Float64Array);
            seen.forEach((group, row) => {
              expect([sums[row], isNearest(sums[row], units[group])]).toEqual([sums[row], true]);
              expect([means[row], isNearest(means[row], units[group], counts[group])]).toEqual([
                means[row],
                true,
              ]);
            });
          }
        },
      ),
      runs(times),
    );
  });
});
