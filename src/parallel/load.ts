import { MemoryLimitError } from '../core/errors.js';
import { additionBits } from './grid.js';
import type { Kernels } from './kernels.js';
import type { Layout } from './layout.js';
import type { KernelMemory } from './memory.js';
import type { Logged } from './pieces.js';
import { planLoads, planStretch, type SpilledBulk } from './plan.js';
import { columnsOf, type Program } from './program.js';
import type { Runner } from './runner.js';
import { shareWides } from './share-wides.js';
import { chooseSpilled } from './spill.js';
import type { SpillFolder } from './spill-folder.js';
import type { CutOutput, LoadInput, SpilledRun, Stretch } from './spill-protocol.js';
import type { Split } from './split.js';
import type { Tuning } from './tuning.js';

/** What a run's later steps need of what was spilled: nothing of it lies in kernel memory, which other runs use in between. */
export interface Spilled {
  readonly runs: readonly SpilledRun[];
  readonly cut: CutOutput;
  /** The ranges that are loaded together: all from each of these numbers to the next. */
  readonly loads: readonly { readonly low: number; readonly high: number }[];
  /** The run's grids and scales. */
  readonly grids: Uint8Array;
  /** Rows from which on the pair of a float sum is emptied. */
  readonly heavy: number;
  readonly bytes: number;
  readonly chunkGroups: number;
}

/**
 * Cuts what was spilled into ranges, as many as there are workers for each load. Called once a run, when everything is spilled.
 */
export async function cutPhase(
  memory: KernelMemory,
  runner: Runner,
  program: Program,
  { runs, grids }: { readonly runs: readonly SpilledRun[]; readonly grids: number },
  tuning: Tuning,
  folder: SpillFolder,
): Promise<Spilled> {
  const own = memory.copy(grids, 4 * Math.max(1, program.grids + program.scales));
  memory.giveUp();
  const bulk = {
    groups: runs.reduce((sum, { groups }) => sum + groups, 0),
    rows: runs.reduce((sum, { rows }) => sum + rows, 0),
    columns: columnsOf(program),
    bytes: runs.reduce(
      (sum, { chunks, fences }) => sum + lengthOf(chunks.offsets) + lengthOf(fences.offsets),
      0,
    ),
    runs: runs.length,
    chunks: runs.reduce((sum, { chunks }) => sum + chunks.texts.length, 0),
  };
  const together = bulk.groups < tuning.groupsPerWorker * runner.workers ? 1 : runner.workers;
  const planned = planLoads(bulk, memory.free, tuning);
  if (planned === undefined) throw tooManyRuns(bulk);
  const wanted = planned * together;
  const counts = runs.map(({ chunks }) => chunks.offsets.length);
  const fenceTexts = runs.reduce((sum, { fences }) => sum + sumOf(fences.texts), 0);
  const { output: cut } = await runner.run('cut', {
    program,
    layout: chooseSpilled(program, runs, fenceTexts, tuning),
    fences: runs.map(({ fences }) => fences),
    counts,
    ranges: Math.min(
      wanted,
      MOST_RANGES,
      counts.reduce((sum, count) => sum + count, 0),
    ),
    file: folder.file('pivots'),
  });
  const ranges = cut.count + 1;
  const loads = Array.from({ length: Math.ceil(ranges / together) }, (_, load) => ({
    low: load * together,
    high: Math.min(ranges, (load + 1) * together),
  }));
  // a pair with more values is emptied: those of all runs together are no more than it holds
  const heavy = Math.floor(2 ** additionBits(runner.workers) / runs.length);
  return { runs, cut, loads, grids: own, heavy, bytes: bulk.bytes, chunkGroups: tuning.chunkGroups };
}

function tooManyRuns({ bytes, runs }: SpilledBulk): MemoryLimitError {
  const parameter = 'memoryLimit';
  const came = `${bytes} bytes of groups in files, written ${runs} times over`;
  const wanted = 'so few times that a piece of each fits: a higher limit, or fewer workers';
  return new MemoryLimitError(`${parameter}: got ${came}, wanted ${wanted}`, { parameter, came, wanted });
}

/** Ranges are numbered in 16 bits. */
const MOST_RANGES = 60_000;

/** A load's groups in tables, and how they lie in its ranges. */
export interface Loaded {
  readonly tables: readonly {
    readonly at: number;
    readonly worker: number;
    readonly groups: number;
    readonly logged: readonly Logged[];
  }[];
  readonly layout: Layout;
  readonly grids: number;
  readonly split: Split;
}

/**
 * The load phase: every worker reads its part of the chunks that have groups of a load's ranges. Called once a load, when
 * kernel memory is empty; afterwards the groups are as the split phase leaves those of a fold.
 */
export async function loadPhase(
  memory: KernelMemory,
  kernels: Kernels,
  runner: Runner,
  program: Program,
  { runs, cut, grids, heavy, chunkGroups }: Spilled,
  { low, high }: Spilled['loads'][number],
  tuning: Tuning,
): Promise<Loaded> {
  const gridsAt = memory.allocate(grids.length);
  memory.bytes.set(grids, gridsAt);
  const parts = deal(
    runs.map(({ chunks }, run) => ({ chunks, ...planStretch(cut.ranges[run], low, high) })),
    runner.workers,
  );
  const texts = sumOf(cut.pivots.texts) + sumOf(parts.flat().map(textsOf));
  const layout = chooseSpilled(program, runs, texts, tuning);
  const inputs = parts.map(
    (stretches, worker): LoadInput => ({
      table: memory.allocateZeroed(program.tableSize),
      worker,
      program,
      layout,
      stretches,
      groups: sumOf(stretches.map(({ count }) => count)) * chunkGroups,
      pivots: cut.pivots,
      pivotCount: cut.count,
      low,
      high,
      heavy,
    }),
  );
  const loaded = await runner.all('load', inputs);
  const tables = loaded.map(({ output: { groups, logged } }, i) => ({
    at: inputs[i].table,
    worker: inputs[i].worker,
    groups,
    logged,
  }));
  shareWides(memory, kernels, program, tables);
  const work = Array.from({ length: high - low }, (_, range) => ({
    kind: 'refs' as const,
    pieces: loaded.map(({ output }) => output.pieces[range]).filter(({ length }) => length > 0),
  }));
  return { tables, layout, grids: gridsAt, split: { work, ranges: high - low } };
}

/** Deals stretches to workers, about as many chunks to each. */
function deal(stretches: readonly Stretch[], workers: number): Stretch[][] {
  const all = sumOf(stretches.map(({ count }) => count));
  const share = Math.ceil(all / workers);
  const parts: Stretch[][] = [];
  let room = 0;
  for (const { chunks, from, count } of stretches) {
    for (let done = 0; done < count; ) {
      if (room === 0) {
        parts.push([]);
        room = share;
      }
      const here = Math.min(room, count - done);
      parts.at(-1)?.push({ chunks, from: from + done, count: here });
      done += here;
      room -= here;
    }
  }
  return parts;
}

function textsOf({ chunks, from, count }: Stretch): number {
  return sumOf(chunks.texts.slice(from, from + count));
}

function lengthOf(offsets: readonly number[]): number {
  return (offsets.at(-1) ?? 0) - (offsets[0] ?? 0);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, n) => sum + n, 0);
}
