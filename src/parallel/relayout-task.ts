import { BLOCK, FIELD_SIZE, KIND_U64, REF_SIZE } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { RelayoutInput } from './protocol.js';
import { zeroWord } from './storage.js';
import { GroupTable, writeFields } from './table.js';

export function relayoutTask(memory: KernelMemory, kernels: Kernels, input: RelayoutInput): undefined {
  relayout(memory, kernels, input);
}

/**
 * Moves a table's groups to another layout: keys are unpacked by the old one and packed by the new one, states are
 * copied. Called where a sample misled, seldom; alone on its table. Afterwards the table has the same groups and states.
 */
export function relayout(memory: KernelMemory, kernels: Kernels, input: RelayoutInput): void {
  const { program, from, to } = input;
  const { keys, columns, tableSize } = program;
  // the old table's header moves away; its pools and free blocks stay with the new one
  const header = memory.allocate(tableSize);
  memory.bytes.copyWithin(header, input.table, input.table + tableSize);
  const old = new GroupTable(memory, kernels, program, header);
  const table = new GroupTable(memory, kernels, program, input.table);
  const oldFields = writeFields(memory, keys, from);
  const fields = writeFields(memory, keys, to);
  table.start(to, input.worker);
  table.expect(from.kind === 'dense' ? 0 : old.groups);
  if (old.hasWides) table.holdWides();
  const refs = memory.allocate(REF_SIZE * BLOCK);
  const words = memory.allocate(8 * BLOCK * Math.max(1, to.words));
  const encoded = memory.allocate(8 * BLOCK);
  const validity = memory.allocate(BLOCK / 8);
  const offsets = memory.allocate(4 * BLOCK);
  const listed = memory.allocate(4);
  const due = memory.allocate(4);
  for (let id = 0; ; ) {
    id = kernels.listGroups(header, id, BLOCK, refs, listed);
    const n = memory.words[listed / 4];
    if (n === 0) break;
    if (keys.length === 0) memory.zero(words, 8 * n);
    keys.forEach(({ column, text }, k) => {
      const { storage } = columns[column];
      const zero = text || storage.shape === 'bytes' ? 0n : zeroWord(storage.kind);
      const nulls = kernels.unpack(oldFields + k * FIELD_SIZE, refs, n, zero, encoded, validity);
      const mask = nulls > 0 ? validity : 0;
      const done = kernels.pack(fields + k * FIELD_SIZE, KIND_U64, encoded, mask, 0, words, 8 * BLOCK, n);
      if (done < n) throw new RangeError(`key ${k} does not fit the layout that was chosen to hold it`);
    });
    table.probe(words, 8 * BLOCK, offsets, n, 0, due);
    kernels.moveStates(input.table, offsets, refs, n, from.words, program.grids);
  }
  old.drop(table.blocks);
}
