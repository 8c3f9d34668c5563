import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactRatio, roundSquareRoot } from '../../dist/core/exact.js';

const neighbour = (x: number, by: bigint): number => {
  const bits = new BigInt64Array(Float64Array.of(x).buffer)[0] + by;
  return new Float64Array(BigInt64Array.of(bits).buffer)[0];
};

/** Whether the square root of n / d is below the middle between two doubles: both sides squared, without a root. */
function isBelowMiddle(n: bigint, d: bigint, a: number, b: number): boolean {
  const [x, y] = [exactRatio(a), exactRatio(b)];
  const middle = { n: x.n * y.d + y.n * x.d, d: 2n * x.d * y.d };
  return n * middle.d * middle.d < middle.n * middle.n * d;
}

describe('roundSquareRoot', () => {
  it('is exact for squares, and +0 for 0', () => {
    expect(roundSquareRoot(0n, 7n)).toBe(0);
    expect(roundSquareRoot(49n, 4n)).toBe(3.5);
    expect(roundSquareRoot(2n ** 2000n, 1n)).toBe(2 ** 1000);
    expect(roundSquareRoot(1n, 2n ** 2148n)).toBe(5e-324);
  });

  it('is as the processor has it where that has the double itself', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (x) => {
        const { n, d } = exactRatio(x);
        // IEEE 754 asks for the rounded root of the double.
        expect(roundSquareRoot(n, d)).toBe(Math.sqrt(x));
      }),
    );
  });

  it('has no double nearer to the root of a ratio', () => {
    const part = fc.bigInt({ min: 1n, max: 2n ** 300n });
    fc.assert(
      fc.property(part, part, (n, d) => {
        const root = roundSquareRoot(n, d);
        expect(isBelowMiddle(n, d, neighbour(root, -1n), root)).toBe(false);
        expect(isBelowMiddle(n, d, root, neighbour(root, 1n))).toBe(true);
      }),
    );
  });

  it('goes beyond the range to infinity, and below it to 0', () => {
    expect(roundSquareRoot(2n ** 2048n, 1n)).toBe(Number.POSITIVE_INFINITY);
    expect(roundSquareRoot(1n, 2n ** 2151n)).toBe(0);
    // the middle between 0 and the least double is a tie, to the even 0
    expect(roundSquareRoot(1n, 2n ** 2150n)).toBe(0);
    expect(roundSquareRoot(2n ** 100n + 1n, 2n ** 2250n)).toBe(5e-324);
  });
});
