import type { FoldedTable } from './fold.js';
import type { Kernels } from './kernels.js';
import { chooseLayout, joinAll, type KeyExtent, type Layout, NOTHING } from './layout.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';
import type { IdMap } from './protocol.js';
import type { Runner } from './runner.js';
import { shareWides } from './share-wides.js';
import type { Tuning } from './tuning.js';

/** Groups of some of the query's keys on each worker's table. */
export interface Grouped {
  /** The query's program, with these keys only. */
  readonly program: Program;
  /** Indices into the query's keys. */
  readonly keys: readonly number[];
  readonly layout: Layout;
  readonly tables: readonly GroupedTable[];
}

export interface GroupedTable extends FoldedTable {
  /** The ids of the table that was folded to those of this one; absent: they are the same. */
  readonly map?: IdMap;
  /** The table that was folded; absent: it is this one. */
  readonly folded?: number;
}

/** Slots of a counting table for each group that is merged into it, at most. */
const SLOTS_A_GROUP = 4;

/** The extents of all keys over all tables of a fold. */
export async function extentsOf(runner: Runner, { program, layout, tables }: Grouped): Promise<KeyExtent[]> {
  const seen = await runner.all(
    'extents',
    tables.map(({ at }) => ({ table: at, program, layout })),
  );
  return seen
    .map(({ output }) => [...output])
    .reduce(
      joinAll,
      program.keys.map(() => NOTHING),
    );
}

/**
 * The coarsen phase: merges the groups of each table, which stay as they are, into a table of fewer keys, all of one layout.
 * `keys` and `extents` are of the query's keys. Called once a grouping set, when no other task runs.
 */
export async function coarsenPhase(
  memory: KernelMemory,
  kernels: Kernels,
  runner: Runner,
  from: Grouped,
  keys: readonly number[],
  extents: readonly KeyExtent[],
  tuning: Tuning,
): Promise<Grouped> {
  const places = keys.map((key) => from.keys.indexOf(key));
  const program: Program = {
    ...from.program,
    keys: places.map((k) => from.program.keys[k]),
    keyTypes: places.map((k) => from.program.keyTypes[k]),
  };
  // a counting table costs its slots, of which there must not be many more than groups
  const slots = SLOTS_A_GROUP * from.tables.reduce((most, { groups }) => Math.max(most, groups), 1);
  const layout = chooseLayout(
    program.keys,
    keys.map((key) => extents[key]),
    { ...tuning, denseBits: Math.min(tuning.denseBits, Math.ceil(Math.log2(slots))) },
  );
  const tables = from.tables.map(({ worker }) => ({ at: memory.allocateZeroed(program.tableSize), worker }));
  const done = await runner.all(
    'coarsen',
    tables.map(({ at, worker }, t) => ({
      source: from.tables[t].at,
      into: at,
      worker,
      program: from.program,
      from: from.layout,
      keys: places,
      to: layout,
      map: from.tables[t].map,
    })),
  );
  shareWides(memory, kernels, program, tables);
  return {
    program,
    keys,
    layout,
    tables: done.map(({ output }, t) => {
      const { at, logged, folded = at } = from.tables[t];
      return { ...tables[t], ...output, logged, folded };
    }),
  };
}
