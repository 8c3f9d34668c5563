import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { SpilledRun, SpillInput } from './spill-protocol.js';
import { Spiller } from './spiller.js';
import { GroupTable } from './table.js';

/**
 * Spill: writes what is left of a table to the table's file, behind what the fold spilled. Called once a table, in
 * parallel, alone on it; writes the homes of its groups and memory of its own. Afterwards the table is not needed any more.
 */
export function spillTask(
  memory: KernelMemory,
  kernels: Kernels,
  { table, program, layout, logged, spill }: SpillInput,
): SpilledRun | undefined {
  const spiller = new Spiller(memory, kernels, program, new GroupTable(memory, kernels, program, table));
  return spiller.spill(layout, logged, spill);
}
