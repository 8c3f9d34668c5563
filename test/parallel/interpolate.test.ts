import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interpolate } from '../../dist/core/quantile.js';
import type { DataType } from '../../dist/core/type.js';
import { interpolateFast } from '../../dist/parallel/interpolate.js';
import { Random } from '../support/random.js';
import { runs } from '../support/runs.js';

const FLOAT: DataType = { kind: 'float', bits: 64 };
const INTEGER: DataType = { kind: 'int', bits: 64, signed: true };

const near = fc.tuple(
  fc.double({ min: -100, max: 100, noNaN: true }),
  fc.double({ min: 0, max: 1e-9, noNaN: true }),
);
const pairs: fc.Arbitrary<readonly [number, number]> = fc.oneof(
  fc.tuple(fc.double({ noNaN: true }), fc.double({ noNaN: true })),
  fc.tuple(fc.double({ min: -1e3, max: 1e3, noNaN: true }), fc.double({ min: -1e3, max: 1e3, noNaN: true })),
  near.map(([x, more]) => [x, x + more] as const),
  near.map(([x, more]) => [-x, x + more] as const),
);
const fractions = fc.oneof(
  fc.constantFrom(0, 0.5, 0.25, 0.1, 0.9),
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(1000)).map(([p, n]) => (p * n) % 1),
  fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
);

describe('the value between two', () => {
  it('is that of exact arithmetic wherever doubles find it', () => {
    fc.assert(
      fc.property(pairs, fractions, ([a, b], fraction) => {
        const [low, high] = a <= b ? [a + 0, b + 0] : [b + 0, a + 0];
        const fast = interpolateFast(FLOAT, low, high, fraction);
        if (fast !== undefined) expect(fast).toBe(interpolate(FLOAT, low, high, fraction));
      }),
      runs(2000),
    );
  });

  it('is so between integers', () => {
    const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const small = fc.bigInt({ min: -1000n, max: 1000n });
    fc.assert(
      fc.property(
        fc.oneof(fc.tuple(small, small), fc.tuple(integer, integer)),
        fractions,
        ([a, b], fraction) => {
          const [low, high] = a <= b ? [a, b] : [b, a];
          const fast = interpolateFast(INTEGER, low, high, fraction);
          if (fast !== undefined) expect(fast).toBe(interpolate(INTEGER, low, high, fraction));
        },
      ),
      runs(1000),
    );
  });

  it('is found by doubles nearly always', () => {
    const random = new Random(7);
    const value = (): number => random.below(1_000_000_000) / 1e7;
    let found = 0;
    for (let i = 0; i < 1000; i++) {
      const [a, b] = [value(), value()];
      const fraction = random.below(1_000_000) / 1e6;
      if (interpolateFast(FLOAT, Math.min(a, b), Math.max(a, b), fraction) !== undefined) found++;
    }
    expect(found).toBeGreaterThan(990);
  });
});
