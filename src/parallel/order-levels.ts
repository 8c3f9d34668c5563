import { setImmediate } from 'node:timers/promises';
import type { CheckedQuery } from '../core/plan.js';
import { coarsenPhase, extentsOf, type Grouped } from './coarsen.js';
import type { Folded } from './fold.js';
import { prepareGathering } from './gather.js';
import type { Kernels } from './kernels.js';
import { type Level, levelsOf } from './levels.js';
import type { KernelMemory } from './memory.js';
import { type BuiltRange, type Ordered, orderPhase } from './order.js';
import type { Program } from './program.js';
import { InlineRunner, type Runner } from './runner.js';
import { isHolistic, type Split, splitPhase } from './split.js';
import type { Tuning } from './tuning.js';

/** A range of the answer, and the number of its grouping set; 0 where there are none. */
export interface SetRange extends BuiltRange {
  readonly set: number;
}

export interface Leveled {
  /** Set by set, in order; none is empty. */
  readonly ranges: readonly SetRange[];
  /** Whether the cuts of a split were moved. */
  readonly recut: boolean;
}

/**
 * All that comes behind the fold, for each grouping set: its groups are merged from those of more keys, split into ranges and
 * ordered. A set is ordered after all that are merged from it, because ordering merges the records of different workers;
 * and the memory of a set is given up when it is built, so that no more sets are there at a time than stand in one line.
 * @param enter called before each phase
 * @param parted how the groups lie in ranges already, where there are no grouping sets.
 */
export async function orderLevels(
  memory: KernelMemory,
  kernels: Kernels,
  runner: Runner,
  program: Program,
  { keys, sets, having, sort, limit }: CheckedQuery,
  folded: Pick<Folded, 'tables' | 'layout' | 'grids'>,
  tuning: Tuning,
  signal: AbortSignal,
  enter: (phase: string) => void,
  parted?: Split,
): Promise<Leveled> {
  const { tables, layout, grids } = folded;
  const finest: Grouped = { program, keys: keys.map((_, k) => k), layout, tables };
  enter('split');
  const gathering = await prepareGathering(runner, program, folded);
  const root = levelsOf(keys.length, sets);
  const extents = root.coarser.length === 0 ? [] : await extentsOf(runner, finest);
  // of several sets nobody knows yet how many groups those before have
  const wanted = sets === undefined && having === undefined && sort.length === 0 ? limit : undefined;
  const ordered: Ordered[] = [];
  const inline = new InlineRunner(memory, kernels);

  const isWorth = (grouped: Grouped): boolean =>
    isHolistic(program) || groupsOf(grouped) >= tuning.groupsPerWorker;

  const visit = async (level: Level, grouped: Grouped, runner: Runner): Promise<void> => {
    for (const coarser of level.coarser) {
      // a turn of the event loop, in which an abort can arrive: what runs here takes none
      await setImmediate();
      signal.throwIfAborted();
      const mark = memory.used;
      // what one worker would order alone is not worth the way to it
      const near = isWorth(grouped) ? runner : inline;
      enter('coarsen');
      const made = await coarsenPhase(memory, kernels, near, grouped, coarser.keys, extents, tuning);
      await visit(coarser, made, isWorth(made) ? near : inline);
      memory.release(mark);
    }
    if (level.set === undefined) return;
    enter('split');
    const split =
      parted ?? (await splitPhase(runner, grouped.program, grouped.tables, grouped.layout, tuning));
    signal.throwIfAborted();
    enter('order');
    ordered[level.set] = await orderPhase(memory, kernels, runner, grouped, gathering, grids, split, wanted);
  };

  await visit(root, finest, runner);
  return {
    ranges: ordered.flatMap(({ ranges }, set) => ranges.map((range) => ({ ...range, set }))),
    recut: ordered.some(({ recut }) => recut),
  };
}

function groupsOf({ tables }: Grouped): number {
  return tables.reduce((sum, { groups }) => sum + groups, 0);
}
