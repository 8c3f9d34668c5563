import { bucketError, leastStart } from '../core/bucket.js';
import type { OpenedInput } from '../core/input.js';
import type { CheckedQuery } from '../core/plan.js';
import { boardSize } from './board.js';
import { additionBits } from './grid.js';
import { TABLE_ARENA } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import {
  chooseLayout,
  extentOf,
  joinAll,
  type KeyExtent,
  type Layout,
  NOTHING,
  sameLayout,
} from './layout.js';
import type { KernelMemory } from './memory.js';
import { orderBytes, planArena, planDenseBits, planRoundBytes } from './plan.js';
import { columnsOf, type Program } from './program.js';
import type { Logged, Unit } from './protocol.js';
import { roundsOf } from './rounds.js';
import type { Runner } from './runner.js';
import { sampleGrids } from './sample-grids.js';
import { sampleKeys } from './sample-keys.js';
import { sampleRows } from './sample-rows.js';
import { shareWides } from './share-wides.js';
import { chooseSpilled, rowsOf, spillLeft, spillOrder } from './spill.js';
import type { SpillFolder } from './spill-folder.js';
import type { SpilledRun } from './spill-protocol.js';
import type { Tuning } from './tuning.js';

/** A worker's table after the fold. */
export interface FoldedTable {
  readonly at: number;
  readonly worker: number;
  readonly groups: number;
  /** What the worker logged. */
  readonly logged: readonly Logged[];
}

export interface Folded {
  /** The tables of the workers that ran, all of one layout. */
  readonly tables: readonly FoldedTable[];
  readonly layout: Layout;
  readonly rows: number;
  readonly relayouts: number;
  /** Address of the run's grids and scales. */
  readonly grids: number;
  /** Workers that ran. */
  readonly workers: number;
  /** Where not all groups fit: all of them, and the tables are empty. */
  readonly runs: readonly SpilledRun[];
}

interface TableState {
  readonly at: number;
  readonly worker: number;
  layout: Layout | undefined;
  groups: number;
  logged: readonly Logged[];
}

/**
 * The fold phase: hands rounds of the input to all workers until it ends, copying the next round while one is folded.
 * Workers spill tables that grow too large. Afterwards every row is in exactly one table, and all tables have one layout; or
 * every row is in exactly one of the runs that were spilled, where the groups do not fit.
 * @throws AggregateOverflowError where a bucket has a start out of range.
 */
export async function foldPhase(
  memory: KernelMemory,
  kernels: Kernels,
  runner: Runner,
  program: Program,
  query: CheckedQuery,
  input: OpenedInput,
  tuning: Tuning,
  signal: AbortSignal,
  folder: SpillFolder,
): Promise<Folded> {
  const { workers } = runner;
  const roundBytes = planRoundBytes(memory.free, tuning);
  const tables: TableState[] = Array.from({ length: workers }, (_, worker) => ({
    at: memory.allocateZeroed(program.tableSize),
    worker,
    layout: undefined,
    groups: 0,
    logged: [],
  }));
  const grids = memory.allocateZeroed(4 * Math.max(1, program.grids + program.scales));
  const board = memory.allocateZeroed(boardSize(program.keys.length));
  const isSpillable = canSpill(query);
  const arena = planArena(memory.free, workers);
  if (isSpillable) {
    for (const { at } of tables) memory.words[(at + TABLE_ARENA) / 4] = memory.makeArena(arena);
  }
  const denseBits = planDenseBits(arena, program.lanes, tuning);
  const spills = tables.map((_, worker) => spillOrder(folder, worker, isSpillable, tuning));
  const runs: SpilledRun[] = [];
  // what tasks leave behind of a round is of no use to the next
  const mark = memory.used;
  let sampled: readonly KeyExtent[] = [];
  let first = true;
  let relayouts = 0;
  const wrongKeys = new Set<number>();

  const fields = query.columns.map(({ name, type }) => ({ name, type }));
  const foldRound = async (units: readonly Unit[]): Promise<void> => {
    memory.resetClaims();
    if (isSpillable) memory.release(mark);
    if (first) {
      const rows = sampleRows(units);
      sampled = sampleKeys(program, memory, rows);
      sampleGrids(program, memory, rows, grids, additionBits(workers));
    }
    first = false;
    const outputs = await runner.all(
      'fold',
      tables.map((table, worker) => ({
        table: table.at,
        worker,
        workers,
        program,
        fields,
        layout: table.layout,
        sampled,
        board,
        units,
        deal: tuning.deal,
        morselRows: tuning.morselRows,
        denseBits,
        wordBits: tuning.wordBits,
        expectedRows: input.rows === undefined ? undefined : Math.ceil(input.rows / workers),
        grids,
        additions: additionBits(workers),
        logged: table.logged,
        spill: spills[worker],
      })),
    );
    outputs.forEach(({ output }, worker) => {
      tables[worker].layout = output.layout;
      tables[worker].groups = output.groups;
      tables[worker].logged = output.logged;
      runs.push(...output.runs);
      relayouts += output.relayouts;
      for (const key of output.wrongKeys) wrongKeys.add(key);
    });
  };

  let folding: Promise<void> = Promise.resolve();
  try {
    const columns = query.columns.map(({ index }) => index);
    for await (const units of roundsOf(input, columns, program, memory, kernels, roundBytes)) {
      await folding;
      signal.throwIfAborted();
      folding = foldRound(units);
      // a failure is met at the next await; until then it must not count as unhandled
      folding.catch(() => undefined);
    }
    await folding;
    signal.throwIfAborted();
  } catch (error) {
    // the tasks of the run must have ended before its memory is used again
    runner.stop();
    await folding.catch(() => undefined);
    throw error;
  }
  requireStarts(query, wrongKeys);
  const ran = tables.filter((table) => table.layout !== undefined);
  if (isSpillable) memory.release(mark);
  memory.giveUpHigh();
  const folded = { grids, rows: memory.rows, workers: ran.length };
  if (isSpillable && (runs.length > 0 || !fits(memory, program, ran))) {
    runs.push(...(await spillLeft(runner, program, ran, spills)));
    return { ...folded, tables: [], layout: chooseSpilled(program, runs, 0, tuning), relayouts, runs };
  }
  const { layout, moved } = await oneLayout(runner, program, ran, tuning);
  shareWides(memory, kernels, program, ran);
  return {
    ...folded,
    tables: ran.map(({ at, worker, groups, logged }) => ({ at, worker, groups, logged })),
    layout,
    relayouts: relayouts + moved,
    runs,
  };
}

/** One group is never parted, and what is merged from all groups needs them all. */
function canSpill({ keys, sets }: CheckedQuery): boolean {
  return keys.length > 0 && sets === undefined;
}

/** Whether the groups of all tables can be ordered in what memory is left. */
function fits(memory: KernelMemory, program: Program, ran: readonly TableState[]): boolean {
  const bulk = {
    groups: ran.reduce((sum, { groups }) => sum + groups, 0),
    rows: ran.reduce((sum, { logged }) => sum + rowsOf(logged), 0),
    columns: columnsOf(program),
  };
  return orderBytes(bulk) <= memory.free;
}

/** @throws AggregateOverflowError for the first key that has a bucket which its type cannot hold the start of. */
function requireStarts({ keys }: CheckedQuery, wrong: ReadonlySet<number>): void {
  const key = keys.find((_, k) => wrong.has(k));
  if (key?.bucket === undefined) return;
  throw bucketError(key, leastStart(key.bucket, key.type));
}

/** Brings all tables into one layout that holds what each of theirs does. */
async function oneLayout(
  runner: Runner,
  program: Program,
  ran: readonly TableState[],
  tuning: Tuning,
): Promise<{ layout: Layout; moved: number }> {
  const layouts = ran.flatMap(({ layout }) => (layout === undefined ? [] : [layout]));
  const { keys } = program;
  if (layouts.length === 0) {
    return {
      layout: chooseLayout(
        keys,
        keys.map(() => NOTHING),
        tuning,
      ),
      moved: 0,
    };
  }
  if (layouts.every((layout) => sameLayout(layout, layouts[0]))) return { layout: layouts[0], moved: 0 };
  const extents = layouts
    .map((layout) => layout.fields.map((field, k) => extentOf(keys[k], field)))
    .reduce(joinAll);
  const layout = chooseLayout(keys, extents, tuning);
  const moving = ran.flatMap(({ at, worker, layout: from }) =>
    from === undefined || sameLayout(from, layout) ? [] : [{ table: at, worker, program, from, to: layout }],
  );
  await runner.all('relayout', moving);
  return { layout, moved: moving.length };
}
