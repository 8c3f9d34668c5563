import * as fc from 'fast-check';
import { createParallel, type Tuning } from 'rangefold';
import { afterAll, describe, expect, it } from 'vitest';
import { REF_RECORD, REF_SIZE, TABLE_RECORDS, TABLE_STRIDE } from '../../dist/parallel/kernels/layout.js';
import { DEFAULT_TUNING, planSamples } from '../../dist/parallel/plan.js';
import { segmentsOf, writeSegments } from '../../dist/parallel/segments.js';
import { cellsOf } from '../support/cells.js';
import { createThread, foldInProcess, type Thread } from '../support/in-process-run.js';
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

const kinds = Object.keys(KEYS);
const patterns = Object.entries(PATTERNS).map(([name, pattern], place) => ({ name, pattern, place }));

describe.each(patterns)('the law of the split: $name', ({ pattern, place }) => {
  it('holds for keys of every kind', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 40, max: 700 })),
        fc.nat(),
        fc.nat(),
        async (most, first, seed) => {
          // one seed draws alike for every pattern: so each takes another kind of key, and all kinds are met
          const kind = kinds[(first + place) % kinds.length];
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
      runs(5),
    );
  });
});

/** Which of a worker's groups, by the order in which it met them, are sampled. */
async function sampledOf(thread: Thread, groups: number, samples: number): Promise<Set<number>> {
  const queue = Array.from({ length: groups }, (_, i) => i);
  const { input, query } = inputOf(KEYS['wide integers'], [queue]);
  const { memory, kernels, program, folded } = await foldInProcess(thread, input, query, 1, { denseBits: 0 });
  const [{ at }] = folded.tables;
  const refs = memory.allocate(REF_SIZE * samples);
  const segments = writeSegments(memory, segmentsOf(program, folded.layout));
  const count = kernels.sample(at, segments, samples, refs);
  const word = (address: number): number => memory.words[address / 4];
  return new Set(
    Array.from({ length: count }, (_, i) => {
      const record = word(refs + REF_SIZE * i + REF_RECORD);
      return (record - word(at + TABLE_RECORDS)) / word(at + TABLE_STRIDE);
    }),
  );
}

describe('the law of the split: a column made against the sampler', () => {
  it.each([[3], [8]])(
    'holds with %i workers where every sampled group is among the lowest',
    async (workers) => {
      const own = 400;
      const thread = await createThread();
      const [samples] = planSamples(Array(workers).fill(own), workers, DEFAULT_TUNING);
      const sampled = await sampledOf(thread, own, samples);
      expect(sampled.size).toBe(samples);
      expect(samples).toBeLessThan(own / 3);
      const random = new Random(1);
      const low = random.shuffled(Array.from({ length: workers * samples }, (_, i) => i));
      const high = random.shuffled(
        Array.from({ length: workers * (own - samples) }, (_, i) => low.length + i),
      );
      const queues = Array.from({ length: workers }, () =>
        Array.from({ length: own }, (_, i) => (sampled.has(i) ? low : high).pop() ?? Number.NaN),
      );
      const engine = createParallel({ workers, tuning: { ...BASE, denseBits: 0 } });
      const wanted = { workers, ranges: workers, groups: workers * own, rows: rowsOf(queues).length };
      for (const kind of ['wide integers', 'short texts', 'floats']) {
        const { input, query } = inputOf(KEYS[kind], queues);
        const { stats } = await lawfulSplit(engine, input, query, wanted);
        // without a repair the last range would hold all but the sampled groups
        expect(stats.strategies).toContain('recut');
      }
      await engine.close();
    },
  );
});

it('the splits above were of every table, and some had to be repaired', () => {
  expect([...used].toSorted()).toEqual(
    expect.arrayContaining(['counting table', 'hash table', 'recut', 'wide hash table']),
  );
});
