import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Value, valueReader } from '../../dist/core/read-values.js';
import { compareGroups } from '../../dist/core/semantics.js';
import { builtColumn } from '../../dist/parallel/assemble.js';
import type { Piece } from '../../dist/parallel/protocol.js';
import { splitPhase } from '../../dist/parallel/split.js';
import { inputOf, KEYS, MORSEL, PATTERNS, rowsOf } from '../laws/split-law.js';
import { createThread, type FoldedRun, foldInProcess, type Thread } from '../support/in-process-run.js';
import { Random } from '../support/random.js';
import { runs } from '../support/runs.js';

type Group = (Value | null)[];

/** The keys of the groups that the refs of `pieces` stand for, in their order. */
async function groupsOf(
  { runner, program, folded, query }: FoldedRun,
  pieces: readonly Piece[],
): Promise<Group[]> {
  const { output } = await runner.run('build', {
    program,
    layout: folded.layout,
    sumsOnly: false,
    pieces,
    gathered: [],
    grids: folded.grids,
  });
  const { rows, columns } = output;
  const readers = query.keys.map(({ type }, k) => valueReader(builtColumn(type, columns[k], rows)));
  return Array.from({ length: rows }, (_, row) => readers.map((read) => read(row)));
}

const textOf = (group: Group): string =>
  group
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)))
    .join();

let thread: Thread;
beforeAll(async () => {
  thread = await createThread();
});

/** What the split phase leaves behind, before anything is sorted. */
describe.each(Object.entries(PATTERNS))('the split of groups that come %s', (_, pattern) => {
  it('is disjoint and ascends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 30, max: 400 }),
        fc.constantFrom(...Object.keys(KEYS)),
        fc.constantFrom(2, 3, 8),
        fc.constantFrom(1, 64),
        fc.constantFrom(0, 64),
        fc.nat(),
        async (most, kind, workers, samplesPerRange, wordBits, seed) => {
          const queues = pattern(most, workers, new Random(seed));
          const { input, query } = inputOf(KEYS[kind], queues);
          const tuning = { morselRows: MORSEL, groupsPerWorker: 1, samplesPerRange, denseBits: 0, wordBits };
          const run = await foldInProcess(thread, input, query, workers, tuning);
          const { tables, layout } = run.folded;
          expect(tables).toHaveLength(workers);
          const { work, ranges } = await splitPhase(run.runner, run.program, tables, layout, run.tuning);
          expect(ranges).toBe(workers);
          expect(work.length).toBeGreaterThan(1);
          expect(work.length).toBeLessThanOrEqual(workers);
          const all = new Set<string>();
          let below: Group | undefined;
          let partials = 0;
          for (const range of work) {
            if (range.kind !== 'refs') throw new Error(`a range of ${range.kind}`);
            const groups = await groupsOf(run, range.pieces);
            groups.sort((a, b) => compareGroups(run.query.keys, a, b));
            const [least] = groups;
            if (least === undefined) continue;
            // above every group of the ranges before, so it is in none of them
            if (below !== undefined) expect(compareGroups(run.query.keys, below, least)).toBeLessThan(0);
            below = groups.at(-1);
            partials += groups.length;
            for (const group of groups) all.add(textOf(group));
          }
          expect(all.size).toBe(new Set(rowsOf(queues)).size);
          expect(partials).toBe(tables.reduce((sum, table) => sum + table.groups, 0));
        },
      ),
      runs(15),
    );
  });
});

describe('the split of a counting table', () => {
  it('tiles its slots in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 9, max: 400 }),
        fc.constantFrom(2, 3, 8),
        async (groups, workers) => {
          const { input, query } = inputOf(
            KEYS['neighbouring integers'],
            PATTERNS.shuffled(groups, workers, new Random(groups)),
          );
          const run = await foldInProcess(thread, input, query, workers, {
            morselRows: MORSEL,
            groupsPerWorker: 1,
          });
          const { work, ranges } = await splitPhase(
            run.runner,
            run.program,
            run.folded.tables,
            run.folded.layout,
            run.tuning,
          );
          expect(work).toHaveLength(ranges);
          let end = 0;
          for (const range of work) {
            if (range.kind !== 'ids') throw new Error(`a range of ${range.kind}`);
            expect(range.from).toBe(end);
            expect(range.to).toBeGreaterThan(range.from);
            end = range.to;
          }
          expect(end).toBe(2 ** run.folded.layout.bits);
        },
      ),
      runs(30),
    );
  });
});
