import { chooseLayout, joinAll, type KeyExtent, type Layout, NOTHING } from './layout.js';
import type { Logged } from './pieces.js';
import type { Program } from './program.js';
import type { Runner } from './runner.js';
import type { SpillFolder } from './spill-folder.js';
import type { SpilledRun, SpillOrder } from './spill-protocol.js';
import type { Tuning } from './tuning.js';

// Groups that do not fit are written as runs: a table's groups in order, cut into chunks, which are read back a range of keys
// at a time and merged. Nothing needs to be known of the keys while tables are written, and each run may have another layout.

/** What is left in a table behind the fold. */
interface Left {
  readonly at: number;
  readonly worker: number;
  readonly layout: Layout | undefined;
  readonly groups: number;
  readonly logged: readonly Logged[];
}

export function rowsOf(logged: readonly Logged[]): number {
  return logged.reduce((sum, { rows }) => sum + rows, 0);
}

/** Where and how a worker spills. */
export function spillOrder(
  folder: SpillFolder,
  worker: number,
  isSpillable: boolean,
  { spillGroups, chunkGroups }: Tuning,
): SpillOrder {
  const file = folder.file(`groups-${worker}`);
  return {
    folder: folder.path,
    file,
    chunkGroups,
    groups: isSpillable ? spillGroups : Number.POSITIVE_INFINITY,
  };
}

/** Spills what is left in all tables. Called once a run, behind the fold, when no other task runs. */
export async function spillLeft(
  runner: Runner,
  program: Program,
  tables: readonly Left[],
  orders: readonly SpillOrder[],
): Promise<SpilledRun[]> {
  const left = tables.flatMap(({ at, worker, layout, groups, logged }) =>
    layout === undefined || groups === 0
      ? []
      : [{ table: at, program, layout, logged, spill: orders[worker] }],
  );
  const done = await runner.all('spill', left);
  return done.flatMap(({ output }) => (output === undefined ? [] : [output]));
}

/** The layout of tables that hold groups of these runs, and in each pool at most so many texts. Such tables are never counting tables. */
export function chooseSpilled(
  { keys }: Program,
  runs: readonly SpilledRun[],
  texts: number,
  { wordBits }: Pick<Tuning, 'wordBits'>,
): Layout {
  const extents = runs
    .map(({ extents }) => extents)
    .reduce(
      joinAll,
      keys.map(() => NOTHING),
    );
  const all = keys.map(
    ({ text }, k): KeyExtent => (text ? { least: 0n, most: BigInt(texts), nulls: false } : extents[k]),
  );
  return chooseLayout(keys, all, { denseBits: -1, wordBits });
}
