import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { additionBits, chooseExponent, FLUSH_ROWS, type Grid, gridOf } from '../../dist/parallel/grid.js';
import { BLOCK, TABLE_RECORDS, WIDES_NEAR } from '../../dist/parallel/kernels/layout.js';
import { isNearest, unitsOf } from '../support/exact-units.js';
import { createThread, type Thread } from '../support/in-process-run.js';
import { Random } from '../support/random.js';
import { runs } from '../support/runs.js';

let thread: Thread;
let table: number;
let values: number;
let offsets: number;
let room: number;
let pair: number;
beforeAll(async () => {
  thread = await createThread();
  const { memory } = thread;
  table = memory.allocateZeroed(1024);
  pair = memory.allocateZeroed(64);
  values = memory.allocateZeroed(8 * BLOCK);
  offsets = memory.allocateZeroed(4 * BLOCK);
  room = memory.allocate(8 * WIDES_NEAR);
  memory.words[(table + TABLE_RECORDS) / 4] = pair;
});

/** The pair that the kernel makes of values which all lie on the grid, as hi and lo. */
function pairOf({ sigma, low, high, fineSigma }: Grid, all: readonly number[]): [number, number] {
  const { memory, kernels } = thread;
  const doubles = new Float64Array(memory.bytes.buffer, values, BLOCK);
  const sums = new Float64Array(memory.bytes.buffer, pair, 2);
  sums.fill(0);
  for (let row = 0; row < all.length; row += BLOCK) {
    const part = all.slice(row, row + BLOCK);
    doubles.set(part);
    const done = kernels.sumFloat(
      table,
      0,
      0,
      1,
      offsets,
      values,
      part.length,
      sigma,
      low,
      high,
      fineSigma,
      room,
    );
    // no value went to a wide sum: there is no room for one
    expect(done).toBe(part.length);
  }
  return [sums[0], sums[1]];
}

const units = (all: readonly number[]): bigint => all.reduce((sum, x) => sum + unitsOf(x), 0n);

/** Values on the grid of exponents H and b: whole multiples of 2^L, below 2^H in size; the largest and the finest most of all. */
function onGrid(h: number, b: number, count: number, random: Random): number[] {
  const finest = 2 ** Math.max(h - (107 - 2 * b), -1074);
  const greatest = 2 ** h - 2 ** (h - 53);
  const sign = random.below(3) === 0 ? 0 : random.below(2) === 0 ? 1 : -1;
  return Array.from({ length: count }, () => {
    // of one sign, so that sums grow as large as can be, or of both
    const s = sign === 0 ? (random.below(2) === 0 ? 1 : -1) : sign;
    const choice = random.below(5);
    if (choice === 0) return s * greatest;
    if (choice === 1) return s * finest * random.below(8);
    if (choice === 2) return s * finest * (2 ** 53 - 1);
    if (choice === 3) return s * 2 ** Math.max(h - 1 - random.below(100), Math.log2(finest));
    const x = random.unit() * 2 ** (h - random.below(50));
    return s * Math.floor(x / finest > 2 ** 53 ? 0 : x / finest) * finest || s * x;
  }).filter((x) => Math.abs(x) < 2 ** h && unitsOf(x) % unitsOf(finest) === 0n);
}

describe('a pair on its grid', () => {
  it.each([
    [2, 4],
    [3, 8],
    [12, 4096],
    [15, 4096],
  ])('is the exact sum of 2^%i values', (b, most) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: -900, max: 1000 }),
          fc.integer({ min: -20, max: 60 }),
          fc.constantFrom(-1022 + 53 - b, 1022 - b),
        ),
        fc.nat(),
        fc.integer({ min: 1, max: most }),
        (exponent, seed, count) => {
          const h = Math.min(1022 - b, Math.max(-1022 + 53 - b, exponent));
          const all = onGrid(h, b, count, new Random(seed));
          const [hi, lo] = pairOf(gridOf(h, b), all);
          expect(unitsOf(hi) + unitsOf(lo)).toBe(units(all));
          expect(isNearest(hi + lo, units(all))).toBe(true);
        },
      ),
      runs(most > 100 ? 60 : 400),
    );
  });

  it('is exact at the bounds of the proof', () => {
    for (const b of [2, 12]) {
      for (const h of [-900, 0, 50, 1022 - b]) {
        const l = h - (107 - 2 * b);
        const greatest = 2 ** h - 2 ** (h - 53);
        const finest = 2 ** Math.max(l, -1074);
        // the largest remainder: a half of the coarse step
        const half = 2 ** (h + b - 54);
        for (const x of [greatest, finest, half, half - finest, 3 * half, greatest - half]) {
          for (const s of [1, -1]) {
            const all = Array<number>(2 ** b).fill(s * x);
            const [hi, lo] = pairOf(gridOf(h, b), all);
            expect(unitsOf(hi) + unitsOf(lo)).toBe(units(all));
          }
        }
      }
    }
  });
});

describe('gridOf', () => {
  it('takes every value that has bits of the grid only, and no other', () => {
    const { kernels, memory } = thread;
    const one = new Float64Array(memory.bytes.buffer, values, 1);
    const takes = ({ sigma, low, high, fineSigma }: Grid, x: number): boolean => {
      one[0] = x;
      return kernels.sumFloat(table, 0, 0, 1, offsets, values, 1, sigma, low, high, fineSigma, room) === 1;
    };
    for (const [h, b] of [
      [0, 12],
      [10, 2],
      [-700, 15],
    ]) {
      const grid = gridOf(h, b);
      const finest = 2 ** (h - (107 - 2 * b));
      for (const x of [finest, 3 * finest, 2 ** (h - 1), 2 ** h - 2 ** (h - 53), 0, -0]) {
        expect([x, takes(grid, x), takes(grid, -x)]).toEqual([x, true, true]);
      }
      for (const x of [
        finest / 2,
        1.5 * finest,
        2 ** h,
        2 ** (h + 1),
        Number.NaN,
        Number.POSITIVE_INFINITY,
        5e-324,
      ]) {
        expect([x, takes(grid, x), takes(grid, -x)]).toEqual([x, false, false]);
      }
    }
  });

  it('takes nothing but zeros where no sigma would be finite', () => {
    expect(gridOf(1023, 12).high).toBe(Number.MIN_VALUE);
    expect(gridOf(1010, 12).high).toBe(2 ** 1010);
  });
});

describe('chooseExponent', () => {
  it('leaves room above the greatest value, within what a grid can be', () => {
    for (const workers of [1, 2, 3, 8, 1024]) {
      const b = additionBits(workers);
      // less than FLUSH_ROWS values are in a pair before its group is due, a block may follow, and pairs are merged
      expect(2 ** b).toBeGreaterThanOrEqual(workers * (FLUSH_ROWS - 1 + BLOCK));
      for (const most of [
        0,
        5e-324,
        1e-300,
        0.1,
        1,
        1.5,
        1e10,
        1e300,
        Number.MAX_VALUE,
        Number.POSITIVE_INFINITY,
      ]) {
        const h = chooseExponent(most, b);
        expect(gridOf(h, b).high).toBe(2 ** h);
        if (most <= 1e280) expect(2 ** h).toBeGreaterThan(most);
      }
    }
  });
});
