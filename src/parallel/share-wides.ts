import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';
import { GroupTable } from './table.js';

/** Where one table has wide sums, every table gets room for them: merging moves them between tables. */
export function shareWides(
  memory: KernelMemory,
  kernels: Kernels,
  program: Program,
  ran: readonly { readonly at: number }[],
): void {
  const tables = ran.map(({ at }) => new GroupTable(memory, kernels, program, at));
  if (!tables.some(({ hasWides }) => hasWides)) return;
  for (const table of tables) table.holdWides();
}
