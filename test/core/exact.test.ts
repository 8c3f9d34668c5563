import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactSum, meanOf, roundQuotient, roundScaled } from '../../dist/core/exact.js';

const MAX = Number.MAX_VALUE;
const MIN = Number.MIN_VALUE;
const INF = Number.POSITIVE_INFINITY;

function sum(...values: number[]): number {
  const exact = new ExactSum();
  for (const value of values) exact.add(value);
  return exact.sum();
}

function mean(...values: number[]): number {
  const exact = new ExactSum();
  for (const value of values) exact.add(value);
  return exact.mean(BigInt(values.length));
}

const bitsOf = (x: number): bigint => new BigUint64Array(Float64Array.of(x).buffer)[0];
const same = (a: number, b: number): void => expect(bitsOf(a)).toBe(bitsOf(b));

/** A finite double as an exact fraction, by repeated doubling: each step is exact, so nothing is decoded here. */
function fractionOf(x: number): { n: bigint; d: bigint } {
  let d = 1n;
  let scaled = x;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    d *= 2n;
  }
  return { n: BigInt(scaled), d };
}

/** |n / d - x|, as a fraction over d * denominator of x. */
function errorOf(n: bigint, d: bigint, x: number): { n: bigint; d: bigint } {
  const value = fractionOf(x);
  const difference = n * value.d - value.n * d;
  return { n: difference < 0n ? -difference : difference, d: d * value.d };
}

const less = (a: { n: bigint; d: bigint }, b: { n: bigint; d: bigint }): boolean => a.n * b.d < b.n * a.d;

function step(x: number, by: 1n | -1n): number {
  if (x === 0) return by === 1n ? MIN : -MIN;
  const bits = bitsOf(x) + (x > 0 ? by : -by);
  return new Float64Array(BigUint64Array.of(bits).buffer)[0];
}

/** No neighbour is nearer, and of two as near this one is even: the definition, checked and not recomputed. */
function expectNearest(x: number, n: bigint, d: bigint): void {
  expect(Number.isFinite(x)).toBe(true);
  const error = errorOf(n, d, x);
  for (const by of [1n, -1n] as const) {
    const neighbour = step(x, by);
    if (!Number.isFinite(neighbour)) continue;
    const other = errorOf(n, d, neighbour);
    expect(less(other, error)).toBe(false);
    if (!less(error, other)) expect(bitsOf(x) % 2n).toBe(0n);
  }
}

describe('roundQuotient', () => {
  it('divides as IEEE 754 does where both are small integers', () => {
    for (let n = -40; n <= 40; n++) {
      for (let d = 1; d <= 40; d++) same(roundQuotient(BigInt(n), BigInt(d)), n === 0 ? 0 : n / d);
    }
  });

  it('rounds integers as Number() does', () => {
    for (const n of [
      2n ** 53n + 1n,
      2n ** 53n + 3n,
      2n ** 64n - 1n,
      2n ** 64n - 1024n,
      -(2n ** 63n) + 511n,
      10n ** 300n,
    ]) {
      same(roundQuotient(n, 1n), Number(n));
    }
  });

  it('breaks ties to even', () => {
    same(roundQuotient(2n ** 54n + 2n, 2n), 2 ** 53);
    same(roundQuotient(2n ** 54n + 6n, 2n), 2 ** 53 + 4);
    same(roundQuotient(2n ** 55n + 5n, 4n), 2 ** 53 + 2);
    same(roundQuotient(-(2n ** 54n) - 2n, 2n), -(2 ** 53));
  });

  it('rounds among subnormals with fewer bits', () => {
    same(roundQuotient(1n, 2n ** 1074n), MIN);
    same(roundQuotient(1n, 2n ** 1075n), 0);
    same(roundQuotient(-1n, 2n ** 1075n), -0);
    same(roundQuotient(3n, 2n ** 1075n), 2 * MIN);
    same(roundQuotient(2n ** 60n + 1n, 2n ** 1135n), MIN);
    same(roundQuotient(1n, 2n ** 5000n), 0);
    // Halfway between the largest subnormal and the least normal: the even one is the normal.
    same(roundQuotient(2n ** 53n - 1n, 2n ** 1075n), 2 ** -1022);
  });

  it('goes to infinity from half a spacing beyond the largest', () => {
    const largest = 2n ** 1024n - 2n ** 971n;
    same(roundQuotient(largest, 1n), MAX);
    same(roundQuotient(largest + 2n ** 970n - 1n, 1n), MAX);
    same(roundQuotient(largest + 2n ** 970n, 1n), INF);
    same(roundQuotient(-largest - 2n ** 970n, 1n), -INF);
    same(roundQuotient(10n ** 400n, 3n), INF);
  });

  it('is nearest for any fraction', () => {
    const size = fc.integer({ min: 0, max: 300 });
    const big = fc
      .tuple(fc.bigInt({ min: 1n, max: 2n ** 70n }), size)
      .map(([n, shift]) => n << BigInt(shift));
    fc.assert(
      fc.property(big, big, fc.boolean(), (n, d, negative) => {
        expectNearest(roundQuotient(negative ? -n : n, d), negative ? -n : n, d);
      }),
    );
  });

  it('refuses a denominator that is not above 0', () => {
    expect(() => roundQuotient(1n, 0n)).toThrow(RangeError);
  });
});

describe('roundScaled', () => {
  it('scales by powers of two in either direction', () => {
    same(roundScaled(3n, -1), 1.5);
    same(roundScaled(3n, 1), 6);
    same(roundScaled(-1n, -1074), -MIN);
    same(roundScaled(1n, 1024), INF);
    same(roundScaled(0n, -5), 0);
  });
});

describe('meanOf', () => {
  it('divides once', () => {
    same(meanOf({ n: 3n * 2n ** 63n - 18n, exponent: 0 }, 3n), 2 ** 63);
    same(meanOf({ n: 7n, exponent: 0 }, 3n), 7 / 3);
    same(meanOf({ n: 7n, exponent: 3 }, 3n), 56 / 3);
    same(meanOf({ n: 7n, exponent: -3 }, 3n), 7 / 24);
  });
});

describe('ExactSum', () => {
  it('keeps what a running sum loses', () => {
    same(sum(1e16, 1, -1e16), 1);
    same(sum(1e308, 1, -1e308), 1);
    same(sum(1e308, MIN, -1e308), MIN);
    same(sum(MAX, MAX, -MAX), MAX);
    same(sum(0.1, 0.2, 0.3), 0.6);
    same(sum(...Array(10).fill(0.1)), 1);
  });

  it('rounds once, ties to even', () => {
    same(sum(2 ** 53, 1), 2 ** 53);
    same(sum(2 ** 53, 1, MIN), 2 ** 53 + 2);
    same(sum(2 ** 53, 1, -MIN), 2 ** 53);
    same(sum(2 ** 53, 3), 2 ** 53 + 4);
  });

  it('is an infinity where the exact sum is beyond the range', () => {
    same(sum(MAX, MAX), INF);
    same(sum(-MAX, -MAX), -INF);
    same(sum(MAX, 2 ** 970), INF);
    same(sum(MAX, 2 ** 970, -MIN), MAX);
  });

  it('has +0 for the exact zero, also of negative zeros', () => {
    same(sum(), 0);
    same(sum(-0), 0);
    same(sum(-0, -0), 0);
    same(sum(3, -3), 0);
  });

  it('is NaN of NaN or both infinities, else the infinity', () => {
    expect(sum(1, Number.NaN, INF)).toBeNaN();
    expect(sum(INF, -INF)).toBeNaN();
    same(sum(INF, -MAX, INF), INF);
    same(sum(-INF, 1), -INF);
    expect(mean(INF, -INF)).toBeNaN();
    same(mean(INF, 1), INF);
  });

  it('has means of sums beyond the range, and of subnormals', () => {
    same(mean(MAX, MAX, MAX), MAX);
    same(mean(MIN, 0), 0);
    same(mean(-MIN, 0), -0);
    same(mean(MIN, MIN, 0), MIN);
    same(mean(1e16, 1, -1e16), 1 / 3);
    same(mean(3, -3), 0);
  });

  it('is the nearest double to the exact sum, whatever the order', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 });
    fc.assert(
      fc.property(fc.array(double, { maxLength: 12 }), (values) => {
        const exact = values.map(fractionOf).reduce((a, b) => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d }), {
          n: 0n,
          d: 1n,
        });
        expectNearest(sum(...values), exact.n, exact.d);
        same(sum(...values.toReversed()), sum(...values));
        if (values.length > 0) expectNearest(mean(...values), exact.n, exact.d * BigInt(values.length));
      }),
    );
  });
});
