import { FLUSH_ROWS } from './grid.js';
import { BLOCK, POOLS, TABLE_GROUPS } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import { writeMerges } from './order-task.js';
import type { CoarsenInput, CoarsenOutput } from './protocol.js';
import { Repacking } from './repack.js';
import { GroupTable } from './table.js';

/**
 * Coarsen: merges the groups of a table that agree in some of the keys into a table of those keys. Called once a table and
 * grouping set, in parallel, alone on both tables; the groups that are merged keep their keys and their values.
 * Afterwards every group of the one table is in exactly one of the other.
 */
export function coarsenTask(memory: KernelMemory, kernels: Kernels, input: CoarsenInput): CoarsenOutput {
  const { source, into, worker, program, from, keys, to } = input;
  // text codes are those of the table that was folded, whose pools are only read from now on
  memory.bytes.copyWithin(into + POOLS, source + POOLS, source + program.tableSize);
  const table = new GroupTable(memory, kernels, program, into);
  table.start(to, worker);
  const repacking = new Repacking(memory, kernels, program, from, to, keys);
  const { refs, words } = repacking;
  const ids = memory.words[(source + TABLE_GROUPS) / 4];
  const step = memory.allocateZeroed(4 * ids);
  const offsets = memory.allocate(4 * BLOCK);
  const merges = writeMerges(memory, program, 0);
  const count = program.states.length + 1;
  for (const n of repacking.blocks(source)) {
    table.probe(words, 8 * BLOCK, offsets, n);
    for (let done = 0; ; ) {
      done = kernels.mergeGroups(into, offsets, refs, done, n, from.words, merges, count, FLUSH_ROWS);
      if (done === n) break;
      table.growWide();
    }
    kernels.mapGroups(into, offsets, refs, n, step);
  }
  return { groups: kernels.countGroups(into), map: follow(memory, kernels, input, step, ids) };
}

/** Leads the ids of the table that was folded to those of the new one. */
function follow(
  memory: KernelMemory,
  kernels: Kernels,
  { map }: CoarsenInput,
  step: number,
  stepIds: number,
): CoarsenOutput['map'] {
  if (map === undefined) return { at: step, length: stepIds };
  const at = memory.allocate(4 * map.length);
  kernels.followMap(map.at, step, map.length, at);
  return { at, length: map.length };
}
