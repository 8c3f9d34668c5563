import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactRatio } from '../../dist/core/exact.js';
import { floatFloor } from '../../dist/core/float-floor.js';
import { fromFloat16, roundFloat } from '../../dist/core/float16.js';

const HALVES = Array.from({ length: 0x10000 }, (_, bits) => fromFloat16(bits))
  .filter((x) => !Number.isNaN(x))
  .toSorted((a, b) => a - b);

describe('floatFloor', () => {
  it('is the greatest half float that is not above a double', () => {
    fc.assert(
      fc.property(fc.double({ min: -70000, max: 70000, noNaN: true }), (x) => {
        const right = HALVES.findLast((half) => half <= x && half !== Number.POSITIVE_INFINITY);
        expect(floatFloor(16, exactRatio(x)) === right).toBe(true);
      }),
    );
  });

  it('is the greatest single float that is not above a double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const floor = floatFloor(32, exactRatio(x));
        expect(floor <= x && Math.fround(floor) === floor).toBe(true);
        // what rounds up from here is above: no single float stands between
        if (Number.isFinite(floor) && floor < x)
          expect(Math.fround(x) === floor || Math.fround(x) > x).toBe(true);
      }),
    );
  });

  it('is the greatest double that is not above a real', () => {
    expect(floatFloor(64, { n: 2n ** 53n + 1n, d: 1n })).toBe(2 ** 53);
    expect(floatFloor(64, { n: -(2n ** 53n) - 1n, d: 1n })).toBe(-(2 ** 53) - 2);
    expect(floatFloor(64, { n: 10n ** 400n, d: 1n })).toBe(Number.MAX_VALUE);
    expect(floatFloor(64, { n: -(10n ** 400n), d: 1n })).toBe(Number.NEGATIVE_INFINITY);
    expect(floatFloor(64, { n: 1n, d: 2n ** 2000n })).toBe(0);
    expect(floatFloor(64, { n: -1n, d: 2n ** 2000n })).toBe(-5e-324);
    expect(floatFloor(32, { n: -1n, d: 2n ** 2000n })).toBe(-(2 ** -149));
  });
});

describe('roundFloat', () => {
  it('gives the nearest half float, ties to even', () => {
    expect(roundFloat(16, 1 + 2 ** -11)).toBe(1);
    expect(roundFloat(16, 1 + 3 * 2 ** -11)).toBe(1 + 2 ** -9);
    expect(roundFloat(16, 65_519)).toBe(65_504);
    expect(roundFloat(16, -65_520)).toBe(Number.NEGATIVE_INFINITY);
    expect(roundFloat(16, 2 ** -25)).toBe(0);
    expect(roundFloat(16, 3 * 2 ** -26)).toBe(2 ** -24);
    for (const half of HALVES) expect(roundFloat(16, half) === half).toBe(true);
  });
});
