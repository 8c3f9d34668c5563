import assert from 'node:assert/strict';
import { Table } from 'apache-arrow';
import * as fc from 'fast-check';
import { type Aggregator, mean, sum } from 'rangefold';
import { isNearest, unitsOf } from '../support/exact-units.js';
import { batchOf, dataOf } from '../support/notation.js';
import { Random } from '../support/random.js';

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

/** A group whose sum lies half way between two doubles, or the least beside it. */
interface Tie {
  readonly exponent: number;
  /** The last bits of the double below. */
  readonly low: number;
  readonly sign: 1 | -1;
  readonly nudge: -1 | 0 | 1;
  /** 2 to this comes and goes in the group, so that the rest does not fit the grid. */
  readonly far: number | null;
}

const ties = fc.array(
  fc.record({
    exponent: fc.oneof(fc.integer({ min: -950, max: 900 }), fc.integer({ min: -5, max: 60 })),
    low: fc.nat(7),
    sign: fc.constantFrom(1 as const, -1 as const),
    nudge: fc.constantFrom(-1 as const, 0 as const, 1 as const),
    far: fc.option(fc.integer({ min: 0, max: 1023 })),
  }),
  { maxLength: 4 },
);

function valuesOfTie({ exponent, low, sign, nudge, far }: Tie): number[] {
  const below = sign * (2 ** 52 + low) * 2 ** (exponent - 52);
  const values = [below, sign * 2 ** (exponent - 53), sign * nudge * 5e-324];
  return far === null ? values : [...values, 2 ** far, -(2 ** far)];
}

/** Rows of floats in a few groups. */
export interface FloatRows {
  readonly stretches: readonly Stretch[];
  readonly extra: readonly number[];
  /** Groups that the rows of the stretches and the extra ones fall into. */
  readonly groups: number;
  /** A group of its own each. */
  readonly ties: readonly Tie[];
  /** The last row has a key far beyond the others: tables must be laid out anew. */
  readonly late: boolean;
  readonly seed: number;
}

/** Rows of up to four stretches of `most` rows. */
export function floatRows(most: number): fc.Arbitrary<FloatRows> {
  return fc.record({
    stretches: stretches(most),
    extra: fc.array(fc.constantFrom(...deciding), { maxLength: 6 }),
    groups: fc.integer({ min: 1, max: 3 }),
    ties,
    late: fc.boolean(),
    seed: fc.nat(),
  });
}

const FIRST_TIE = 10;
const LATE = 1_000_000;

function rowsOf({
  stretches,
  extra,
  groups,
  ties,
  late,
  seed,
}: FloatRows): (readonly [key: number, x: number])[] {
  const random = new Random(seed);
  const rows = [...valuesOf(stretches, random), ...extra].map((x) => [random.below(groups), x] as const);
  for (const [i, tie] of ties.entries()) {
    for (const x of valuesOfTie(tie)) rows.splice(random.below(rows.length + 1), 0, [FIRST_TIE + i, x]);
  }
  return late ? [...rows, [LATE, 1]] : rows;
}

/** Sums and means of floats are the exact sum and quotient, rounded once: held against whole numbers, not an engine. */
export async function exactSums(given: FloatRows, engines: readonly Aggregator[]): Promise<void> {
  const rows = rowsOf(given);
  const exact = new Map<number, { units: bigint; count: bigint }>();
  for (const [key, x] of rows) {
    const { units, count } = exact.get(key) ?? { units: 0n, count: 0n };
    exact.set(key, { units: units + unitsOf(x), count: count + 1n });
  }
  const groups = [...exact].toSorted(([a], [b]) => a - b);
  const input = new Table([
    batchOf([
      ['k', dataOf({ type: 'i32', values: rows.map(([key]) => key) })],
      ['v', dataOf({ type: 'f64', values: rows.map(([, x]) => (Object.is(x, -0) ? '-0' : x)) })],
    ]),
  ]);
  for (const engine of engines) {
    const { table } = await engine.aggregate(input, { by: ['k'], aggregates: { s: sum('v'), m: mean('v') } });
    assert.deepEqual(
      table.getChild('k')?.toArray(),
      Int32Array.from(groups, ([key]) => key),
    );
    const [sums, means] = (['s', 'm'] as const).map(
      (name) => table.getChild(name)?.toArray() as Float64Array,
    );
    groups.forEach(([key, { units, count }], row) => {
      assert.ok(isNearest(sums[row], units), `sum of group ${key}: ${sums[row]}`);
      assert.ok(isNearest(means[row], units, count), `mean of group ${key}: ${means[row]}`);
    });
  }
}
