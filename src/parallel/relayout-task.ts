import { BLOCK } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { RelayoutInput } from './protocol.js';
import { Repacking } from './repack.js';
import { GroupTable } from './table.js';

export function relayoutTask(memory: KernelMemory, kernels: Kernels, input: RelayoutInput): undefined {
  relayout(memory, kernels, input);
}

/**
 * Moves a table's groups to another layout: keys are unpacked by the old one and packed by the new one, states are
 * copied. Called where a sample misled, seldom; alone on its table. Afterwards the table has the same groups and states.
 */
export function relayout(memory: KernelMemory, kernels: Kernels, input: RelayoutInput): void {
  const { program, from, to } = input;
  const { keys, tableSize } = program;
  // the old table's header moves away; its pools and free blocks stay with the new one
  const header = memory.allocate(tableSize);
  memory.bytes.copyWithin(header, input.table, input.table + tableSize);
  const old = new GroupTable(memory, kernels, program, header);
  const table = new GroupTable(memory, kernels, program, input.table);
  table.start(to, input.worker);
  table.expect(from.kind === 'dense' ? 0 : old.groups);
  if (old.hasWides) table.holdWides();
  const all = keys.map((_, k) => k);
  const repacking = new Repacking(memory, kernels, program, from, to, all);
  const { refs, words } = repacking;
  const offsets = memory.allocate(4 * BLOCK);
  for (const n of repacking.blocks(header)) {
    table.probe(words, 8 * BLOCK, offsets, n);
    kernels.moveStates(input.table, offsets, refs, n, from.words, program.grids);
  }
  old.drop(table.blocks);
}
