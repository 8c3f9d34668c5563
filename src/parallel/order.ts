import { REF_RECORD, REF_SIZE, REF_TABLE } from './kernels/layout.js';
import type { Layout } from './layout.js';
import type { KernelMemory } from './memory.js';
import { cutEvenly, isLawful } from './plan.js';
import type { Program } from './program.js';
import type { BuildOutput, Piece } from './protocol.js';
import type { Runner } from './runner.js';
import type { Split } from './split.js';

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
 * they stand in order by then, so that only borders move. Afterwards the ranges are even, ascending, and tile the groups.
 */
export async function orderPhase(
  memory: KernelMemory,
  runner: Runner,
  program: Program,
  layout: Layout,
  { work, ranges: planned }: Split,
): Promise<Ordered> {
  const orders = await runner.all(
    'order',
    work.map((one) => ({ program, layout, work: one })),
  );
  const pieces = orders.map(({ output }) => output.piece);
  // without keys there is one group, also where no row came
  if (program.keys.length === 0 && pieces.every(({ length }) => length === 0))
    pieces[0] = emptyGroup(memory, program);
  const groups = pieces.reduce((sum, { length }) => sum + length, 0);
  const ranges = Math.min(planned, groups);
  const recut = pieces.length !== ranges || !isLawful(pieces.map(({ length }) => length));
  const cuts = recut ? cutEvenly(pieces, ranges, REF_SIZE) : pieces.map((piece) => [piece]);
  const built = await runner.all(
    'build',
    cuts.map((cut) => ({ program, layout, pieces: cut })),
  );
  return {
    ranges: built.map(({ output, worker }) => ({ ...output, worker })),
    recut: recut && groups > 0,
  };
}

/** A group that no row is in: all states are zeros. */
function emptyGroup(memory: KernelMemory, program: Program): Piece {
  const at = memory.allocateZeroed(REF_SIZE);
  memory.words[(at + REF_RECORD) / 4] = memory.allocateZeroed(program.lanes);
  memory.words[(at + REF_TABLE) / 4] = memory.allocateZeroed(program.tableSize);
  return { at, length: 1 };
}
