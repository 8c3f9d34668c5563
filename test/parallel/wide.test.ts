import * as fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { WIDE_SIZE } from '../../dist/parallel/kernels/layout.js';
import { isNearest, unitsOf } from '../support/exact-units.js';
import { createThread, type Thread } from '../support/in-process-run.js';
import { runs } from '../support/runs.js';

let thread: Thread;
let wides: number[];
beforeAll(async () => {
  thread = await createThread();
  wides = [0, 1, 2].map(() => thread.memory.allocate(WIDE_SIZE));
});

/** The sum of doubles that went to three wide sums, merged into the first. */
function sumOf(parts: readonly (readonly number[])[]): number {
  const { memory, kernels } = thread;
  wides.forEach((wide, i) => {
    memory.bytes.fill(0, wide, wide + WIDE_SIZE);
    for (const x of parts[i] ?? []) kernels.wideAdd(wide, x);
  });
  kernels.wideMerge(wides[0], wides[1]);
  kernels.wideMerge(wides[0], wides[2]);
  return kernels.wideRound(wides[0]);
}

const finite = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -1074, max: 1023 }).map((e) => 2 ** e),
  fc.integer({ min: -1074, max: 1023 }).map((e) => -(2 ** e)),
  fc.constantFrom(5e-324, -5e-324, 1.7e308, -1.7e308, 2 ** 53, 1, -1, 0, -0),
);

it('is the exact sum, rounded once', () => {
  fc.assert(
    fc.property(fc.array(fc.array(finite, { maxLength: 20 }), { minLength: 3, maxLength: 3 }), (parts) => {
      const units = parts.flat().reduce((sum, x) => sum + unitsOf(x), 0n);
      const x = sumOf(parts);
      expect([x, isNearest(x, units)]).toEqual([x, true]);
    }),
    runs(1000),
  );
});

it('rounds half a last place to the even one, and the least beyond it away', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1000, max: 1000 }),
      fc.integer({ min: 0, max: 7 }),
      fc.boolean(),
      (e, low, negative) => {
        const sign = negative ? -1 : 1;
        const x = sign * (2 ** 52 + low) * 2 ** (e - 52);
        const half = sign * 2 ** (e - 53);
        const even = low % 2 === 0 ? x : x + 2 * half;
        expect(sumOf([[x], [half], []])).toBe(even);
        expect(sumOf([[x], [half], [sign * 5e-324]])).toBe(x + 2 * half);
        expect(sumOf([[x, half], [sign * -5e-324], []])).toBe(x);
      },
    ),
    runs(200),
  );
});

it('knows infinities and NaN, and that exact zero is +0', () => {
  const { POSITIVE_INFINITY: inf, NaN: nan } = Number;
  expect(sumOf([[1, inf], [2], []])).toBe(inf);
  expect(sumOf([[-inf], [1.7e308], [-inf]])).toBe(-inf);
  expect(sumOf([[inf], [-inf], []])).toBe(nan);
  expect(sumOf([[1], [nan], [inf]])).toBe(nan);
  expect(sumOf([[1.7e308], [1.7e308], []])).toBe(inf);
  expect(sumOf([[1.7e308, 1.7e308], [-1.7e308], []])).toBe(1.7e308);
  expect(sumOf([[0.1], [-0.1], [-0]])).toBe(0);
});
