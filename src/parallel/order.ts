import type { Grouped } from './coarsen.js';
import { type Gathering, gatherPhase } from './gather.js';
import { REF_RECORD, REF_SIZE, REF_TABLE, TABLE_GROUPS, TABLE_HOMES } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import { cutAt, cutEvenly, isLawful } from './plan.js';
import type { Program } from './program.js';
import type { BuildInput, BuildOutput, Piece } from './protocol.js';
import type { Runner } from './runner.js';
import { isHolistic, type Split } from './split.js';

/** A range as its worker built it. */
export interface BuiltRange extends BuildOutput {
  readonly worker: number;
}

export interface Ordered {
  /** The built ranges, in order; none is empty. */
  readonly ranges: readonly BuiltRange[];
  /** Whether the cuts of the split were moved. */
  readonly recut: boolean;
}

/**
 * The order phase: each range is merged and sorted by a task of its own, then built by one. Where the split missed (a
 * range has more distinct groups than the law allows, or none), the ordered groups are cut anew before they are built:
 * they stand in order by then, so that only borders move. Where values are gathered, the cut is even in rows instead,
 * and the values are parted by range in between. Called once a grouping set. Afterwards the ranges ascend and tile the groups.
 * Of groups behind the first `wanted` (undefined: all are) only the sums are looked at: their ranges have no columns.
 */
export async function orderPhase(
  memory: KernelMemory,
  kernels: Kernels,
  runner: Runner,
  grouped: Grouped,
  gathering: Gathering,
  grids: number,
  { work, ranges: planned }: Split,
  wanted: number | undefined,
): Promise<Ordered> {
  const { program, layout, tables } = grouped;
  if (program.ticket !== 0) for (const { at } of tables) giveHomes(memory, at);
  const orders = await runner.all(
    'order',
    work.map((one, piece) => ({ piece, program, layout, work: one })),
  );
  const pieces = orders.map(({ output }) => output.piece);
  // without keys there is one group, also where no row came
  if (program.keys.length === 0 && pieces.every(({ length }) => length === 0))
    pieces[0] = emptyGroup(memory, program);
  const groups = pieces.reduce((sum, { length }) => sum + length, 0);
  const ranges = Math.min(planned, groups);
  const recut = pieces.length !== ranges || !isLawful(pieces.map(({ length }) => length));
  const cuts = isHolistic(program)
    ? cutByRows(kernels, pieces, ranges, 8 * layout.words)
    : recut
      ? cutEvenly(pieces, ranges, REF_SIZE)
      : pieces.map((piece) => [piece]);
  const parts = cutBehind(cuts, wanted ?? groups);
  const gathered =
    program.ticket === 0
      ? []
      : await gatherPhase(
          runner,
          grouped,
          gathering,
          pieces,
          parts.map((part) => part.pieces),
        );
  const build = (input: readonly Part[], from: number): Promise<BuiltRange[]> =>
    runner
      .all(
        'build',
        input.map((part, i) => ({ program, layout, ...part, gathered: gathered[from + i] ?? [], grids })),
      )
      .then((all) => all.map(({ output, worker }) => ({ ...output, worker })));
  const built = await build(parts, 0);
  const wrong = built.findIndex(({ overflow }) => overflow !== undefined);
  // an error names the keys of its group
  if (wrong >= 0 && parts[wrong].sumsOnly)
    [built[wrong]] = await build([{ ...parts[wrong], sumsOnly: false }], wrong);
  return { ranges: built, recut: recut && groups > 0 };
}

type Part = Pick<BuildInput, 'pieces' | 'sumsOnly'>;

/** The cuts, parted once more behind the first `wanted` groups. */
function cutBehind(cuts: readonly (readonly Piece[])[], wanted: number): Part[] {
  let end = 0;
  const ends = cuts.map((cut) => {
    end += cut.reduce((sum, { length }) => sum + length, 0);
    return end;
  });
  const border = wanted > 0 && wanted < end && !ends.includes(wanted) ? [wanted] : [];
  const all = [...ends, ...border].toSorted((a, b) => a - b);
  return cutAt(cuts.flat(), all, REF_SIZE).map((pieces, i) => ({ pieces, sumsOnly: all[i] > wanted }));
}

/** Room for the home of each group of a table. */
function giveHomes(memory: KernelMemory, table: number): void {
  const groups = memory.words[(table + TABLE_GROUPS) / 4];
  memory.words[(table + TABLE_HOMES) / 4] = memory.allocate(8 * groups);
}

/** Cuts ordered pieces into ranges of about as many rows, of one group at least. `rows` is the offset of a group's rows. */
function cutByRows(kernels: Kernels, pieces: readonly Piece[], ranges: number, rows: number): Piece[][] {
  if (ranges === 0) return [];
  const sums = pieces.map(({ at, length }) => kernels.sumRows(at, length, rows));
  const total = sums.reduce((sum, one) => sum + one, 0n);
  const groups = pieces.reduce((sum, { length }) => sum + length, 0);
  const ends: number[] = [];
  for (let range = 1; range < ranges; range++) {
    let wanted = (total * BigInt(range)) / BigInt(ranges);
    let end = 0;
    for (let p = 0; p < pieces.length; p++) {
      const { at, length } = pieces[p];
      if (sums[p] < wanted) {
        wanted -= sums[p];
        end += length;
      } else {
        end += kernels.groupsWithRows(at, length, rows, wanted);
        break;
      }
    }
    // every range has a group, whatever the rows say
    ends.push(Math.min(Math.max(end, (ends.at(-1) ?? 0) + 1), groups - (ranges - range)));
  }
  return cutAt(pieces, [...ends, groups], REF_SIZE);
}

/** A group that no row is in: all states are zeros. */
function emptyGroup(memory: KernelMemory, program: Program): Piece {
  const at = memory.allocateZeroed(REF_SIZE);
  memory.words[(at + REF_RECORD) / 4] = memory.allocateZeroed(program.lanes);
  memory.words[(at + REF_TABLE) / 4] = memory.allocateZeroed(program.tableSize);
  return { at, length: 1 };
}
