import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutEvenly,
  DEFAULT_TUNING,
  expectGroups,
  isLawful,
  leastLimit,
  orderBytes,
  planAnswerBytes,
  planArena,
  planDenseBits,
  planKernelBytes,
  planLoads,
  planRanges,
  planRoundBytes,
  planSamples,
  planStretch,
  shareOf,
} from '../../dist/parallel/plan.js';
import type { Piece } from '../../dist/parallel/protocol.js';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

describe('planRanges', () => {
  const tuning = { ...DEFAULT_TUNING, groupsPerWorker: 100, rangesPerWorker: 1 };

  it('is one for each worker that ran, from the least number of groups for each', () => {
    expect(planRanges([100, 100, 100], tuning)).toBe(3);
    expect(planRanges([298, 1, 1], tuning)).toBe(3);
    expect(planRanges([100, 100, 99], tuning)).toBe(1);
    expect(planRanges([100], tuning)).toBe(1);
  });

  it('is one where nobody ran or nothing came', () => {
    expect(planRanges([], tuning)).toBe(1);
    expect(planRanges([0, 0], { ...tuning, groupsPerWorker: 1 })).toBe(1);
  });

  it('multiplies by the tuning, and never exceeds the groups', () => {
    expect(planRanges([100, 100], { ...tuning, rangesPerWorker: 3 })).toBe(6);
    expect(planRanges([2, 2], { ...tuning, groupsPerWorker: 1, rangesPerWorker: 3 })).toBe(4);
  });
});

describe('planSamples', () => {
  it('takes 8 of every worker at least, and more in proportion to what it holds', () => {
    const tuning = { ...DEFAULT_TUNING, samplesPerRange: 50 };
    expect(planSamples([1000, 3000, 0], 4, tuning)).toEqual([50, 150, 8]);
    expect(planSamples([5, 5], 2, { ...tuning, samplesPerRange: 1 })).toEqual([8, 8]);
  });
});

describe('the share of a range', () => {
  // max(ceil(G / R), floor(1.25 G / R)), worked by hand
  it.each([
    [8, 3, 3],
    [9, 3, 3],
    [10, 3, 4],
    [100, 3, 41],
    [100, 8, 15],
    [8, 8, 1],
    [12, 8, 2],
  ])('of %i groups in %i ranges is %i', (groups, ranges, share) => {
    expect(shareOf(groups, ranges)).toBe(share);
  });

  it('decides what is lawful', () => {
    expect(isLawful([41, 41, 18])).toBe(true);
    expect(isLawful([42, 40, 18])).toBe(false);
    expect(isLawful([50, 50, 0])).toBe(false);
    expect(isLawful([99, 1])).toBe(true);
    expect(isLawful([100, 0])).toBe(false);
    expect(isLawful([5])).toBe(true);
  });
});

describe('expectGroups', () => {
  it('is what was seen where no more rows come, or nobody knows', () => {
    expect(expectGroups(70, 100, 100)).toBe(70);
    expect(expectGroups(70, 100, undefined)).toBe(70);
    expect(expectGroups(0, 100, 1000)).toBe(0);
  });

  it('guesses the groups of equal chance', () => {
    // 1000 keys show 1000 (1 - e^-1) = 632 groups in 1000 rows, and nearly all of them in 100,000
    expect(expectGroups(632, 1000, 100_000)).toBeGreaterThan(980);
    expect(expectGroups(632, 1000, 100_000)).toBeLessThan(1020);
    expect(expectGroups(10, 1000, 1_000_000)).toBeLessThanOrEqual(11);
  });

  it('makes room for 16 times what was seen at most, and never for less', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_536 }), fc.nat(1e9), fc.nat(1e9), (rows, seenOf, more) => {
        const seen = 1 + (seenOf % rows);
        const expected = expectGroups(seen, rows, rows + more);
        expect(expected).toBeGreaterThanOrEqual(seen);
        expect(expected).toBeLessThanOrEqual(16 * seen);
      }),
    );
  });
});

describe('cutEvenly', () => {
  const SIZE = 16;
  const pieces = fc.array(fc.nat(50), { minLength: 1, maxLength: 9 }).map((lengths) => {
    let at = 0;
    return lengths.map((length): Piece => {
      const piece = { at, length };
      // pieces do not lie next to each other
      at += SIZE * (length + 3);
      return piece;
    });
  });

  /** The address of every group, in order. */
  const groupsOf = (all: readonly Piece[]): number[] =>
    all.flatMap(({ at, length }) => Array.from({ length }, (_, i) => at + SIZE * i));

  it('keeps every group once and in order, in runs that differ by one at most', () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 12 }), (all, wanted) => {
        const groups = groupsOf(all);
        const ranges = Math.min(wanted, groups.length);
        const cuts = cutEvenly(all, ranges, SIZE);
        expect(cuts).toHaveLength(ranges);
        expect(cuts.flatMap(groupsOf)).toEqual(groups);
        const lengths = cuts.map((cut) => sum(cut.map(({ length }) => length)));
        if (ranges === 0) return;
        expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
        expect(Math.min(...lengths)).toBeGreaterThanOrEqual(1);
        expect(isLawful(lengths)).toBe(true);
      }),
    );
  });
});

describe('a memory limit', () => {
  it('is more than kernels and answers take, by the 1.25 times that it may be passed', () => {
    const limit = 1e9;
    expect(planKernelBytes(limit) + planAnswerBytes(limit)).toBeLessThanOrEqual(1.25 * limit);
  });

  it('leaves half of kernel memory or more to what is not a table', () => {
    for (const workers of [1, 2, 8, 64]) {
      const free = planKernelBytes(leastLimit(workers));
      const arena = planArena(free, workers);
      expect(arena % 64).toBe(0);
      expect(arena).toBeGreaterThanOrEqual(2 ** 21 - 64);
      expect(workers * arena).toBeLessThanOrEqual(free / 2);
      // two areas of rounds
      expect(2 * planRoundBytes(free, DEFAULT_TUNING)).toBeLessThanOrEqual(free / 8);
    }
    expect(planRoundBytes(2 ** 32, DEFAULT_TUNING)).toBe(DEFAULT_TUNING.roundBytes);
  });

  it('keeps counting tables small', () => {
    // an eighth of 2^20 bytes, 16 bytes a slot
    expect(planDenseBits(2 ** 20, 16, { ...DEFAULT_TUNING, denseBits: 18 })).toBe(13);
    expect(planDenseBits(2 ** 20, 17, { ...DEFAULT_TUNING, denseBits: 18 })).toBe(12);
    expect(planDenseBits(2 ** 30, 16, { ...DEFAULT_TUNING, denseBits: 18 })).toBe(18);
    expect(planDenseBits(64, 1000, DEFAULT_TUNING)).toBe(0);
  });
});

describe('planLoads', () => {
  const bulk = { groups: 1000, rows: 0, columns: 2, bytes: 40_000, runs: 1, chunks: 100 };
  const all = 2 * 40_000 + orderBytes(bulk);

  it('is one where all fits half of the memory, and more as there is less of it', () => {
    expect(planLoads(bulk, 2 * all, DEFAULT_TUNING)).toBe(1);
    expect(planLoads(bulk, 2 * all - 2, DEFAULT_TUNING)).toBe(2);
    expect(planLoads(bulk, all / 5, DEFAULT_TUNING)).toBe(10);
  });

  it('loads less where many runs have chunks at the borders, and nothing where those alone do not fit', () => {
    // twenty chunks at the borders are a fifth of all, which is 0.4 of the memory: 0.45 of it are left
    expect(planLoads({ ...bulk, runs: 10 }, all / 2, DEFAULT_TUNING)).toBe(5);
    // 0.76 of it, 0.09 are left
    expect(planLoads({ ...bulk, runs: 19 }, all / 2, DEFAULT_TUNING)).toBe(23);
    expect(planLoads({ ...bulk, runs: 21 }, all / 2, DEFAULT_TUNING)).toBe(undefined);
    // where all fits there are no borders
    expect(planLoads({ ...bulk, runs: 100 }, 10 * all, DEFAULT_TUNING)).toBe(1);
  });

  it('loads no more groups together than a test wants', () => {
    expect(planLoads(bulk, 2 ** 32, { ...DEFAULT_TUNING, loadGroups: 300 })).toBe(4);
  });
});

describe('planStretch', () => {
  // four chunks, whose first groups are in the ranges 0, 0, 2 and 5, and the last group of all in 5
  const fences = Uint16Array.of(0, 0, 2, 5, 5);

  it.each([
    [0, 1, 0, 2],
    [1, 2, 1, 1],
    [2, 3, 1, 2],
    [3, 5, 2, 1],
    [5, 6, 2, 2],
    [6, 9, 4, 0],
    [0, 9, 0, 4],
  ])('of the ranges %i to %i begins at chunk %i and has %i', (low, high, from, count) => {
    expect(planStretch(fences, low, high)).toEqual({ from, count });
  });

  it('has every chunk that may have a group of the ranges, and of the others only those at the borders', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(9), { minLength: 2, maxLength: 12 }),
        fc.nat(9),
        fc.integer({ min: 1, max: 4 }),
        (ranges, low, more) => {
          const own = Uint16Array.from(ranges.toSorted((a, b) => a - b));
          const high = low + more;
          const { from, count } = planStretch(own, low, high);
          for (let chunk = 0; chunk + 1 < own.length; chunk++) {
            const may = own[chunk] < high && own[chunk + 1] >= low;
            expect(chunk >= from && chunk < from + count).toBe(may);
          }
        },
      ),
    );
  });
});

describe('the limits that the page on limits tells', () => {
  it('are 6.22 MB a worker', () => {
    for (const workers of [1, 2, 8, 64]) {
      expect(leastLimit(workers)).toBeLessThanOrEqual(6_220_000 * workers);
      expect(leastLimit(workers)).toBeGreaterThan(6_200_000 * workers);
    }
  });

  it.each([
    [100_000_000, 1.5e9],
    [1_000_000_000, 120e9],
  ])('are of %i bytes on two workers about %f bytes of files', (memoryLimit, files) => {
    const free = planKernelBytes(memoryLimit);
    // of a key, a count and a sum; records take a quarter of a full table's memory, beside slots and room to double
    const bulk = (bytes: number): Parameters<typeof planLoads>[0] => {
      const groups = bytes / 32;
      const runs = Math.ceil(bytes / (planArena(free, 2) / 4));
      return { bytes, groups, rows: 0, columns: 3, runs, chunks: groups / DEFAULT_TUNING.chunkGroups };
    };
    expect(planLoads(bulk(files / 1.3), free, DEFAULT_TUNING)).toBeGreaterThan(1);
    expect(planLoads(bulk(files * 1.3), free, DEFAULT_TUNING)).toBe(undefined);
  });
});
