import * as fc from 'fast-check';
import { createParallel, type Tuning } from 'rangefold';
import { afterAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../support/cells.js';
import { Random } from '../support/random.js';
import { runs } from '../support/runs.js';
import { inputOf, KEYS, lawfulSplit, MORSEL, PATTERNS, rowsOf } from './split-law.js';

const BASE: Partial<Tuning> = { deal: 'static', morselRows: MORSEL, groupsPerWorker: 1 };

/** Engines that split whatever there is to split. */
const SETTINGS = [
  { workers: 3, rangesPerWorker: 1, tuning: { ...BASE } },
  { workers: 8, rangesPerWorker: 1, tuning: { ...BASE, denseBits: 0 } },
  { workers: 8, rangesPerWorker: 1, tuning: { ...BASE, samplesPerRange: 1 } },
  { workers: 3, rangesPerWorker: 3, tuning: { ...BASE, denseBits: 0, wordBits: 0, samplesPerRange: 1 } },
  { workers: 2, rangesPerWorker: 1, tuning: { ...BASE, denseBits: 0 } },
].map(({ workers, rangesPerWorker, tuning }) => ({
  workers,
  ranges: workers * rangesPerWorker,
  engine: createParallel({ workers, tuning: { ...tuning, rangesPerWorker } }),
}));
afterAll(() => Promise.all(SETTINGS.map(({ engine }) => engine.close())));

const used = new Set<string>();

describe.each(Object.entries(PATTERNS))('the law of the split: %s', (_, pattern) => {
  it('holds for keys of every kind', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 40, max: 700 })),
        fc.constantFrom(...Object.keys(KEYS)),
        fc.nat(),
        async (most, kind, seed) => {
          for (const { workers, ranges, engine } of SETTINGS) {
            const queues = pattern(most, workers, new Random(seed));
            const rows = rowsOf(queues);
            const groups = new Set(rows).size;
            const { input, query } = inputOf(KEYS[kind], queues);
            const wanted = { workers, ranges, groups, rows: rows.length };
            const { stats, table } = await lawfulSplit(engine, input, query, wanted);
            for (const strategy of stats.strategies) used.add(strategy);
            expect(stats.rows).toBe(rows.length);
            expect(new Set(cellsOf(table).rows.map((row) => row.slice(0, -1).join())).size).toBe(groups);
          }
        },
      ),
      runs(8),
    );
  });
});

it('the splits above were of every table, and some had to be repaired', () => {
  expect([...used].toSorted()).toEqual(
    expect.arrayContaining(['counting table', 'hash table', 'recut', 'wide hash table']),
  );
});
