import { BLOCK, FIELD_SIZE, REF_SIZE } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import { joinAll, type KeyExtent, NOTHING } from './layout.js';
import type { KernelMemory } from './memory.js';
import type { ExtentsInput } from './protocol.js';
import { writeFields } from './write-fields.js';

/**
 * The extents of the keys of a table's groups: what a layout leaves room for is more. Called once a table where there are
 * grouping sets, in parallel; only reads the table.
 */
export function extentsTask(memory: KernelMemory, kernels: Kernels, input: ExtentsInput): KeyExtent[] {
  const { table, program, layout } = input;
  const { keys } = program;
  const fields = writeFields(memory, keys, layout);
  const refs = memory.allocate(REF_SIZE * BLOCK);
  const words = memory.allocate(8 * BLOCK);
  const validity = memory.allocate(BLOCK / 8);
  const listed = memory.allocate(4);
  const pair = memory.allocate(16);
  let extents: KeyExtent[] = keys.map(() => NOTHING);
  for (let id = 0; ; ) {
    id = kernels.listGroups(table, id, BLOCK, refs, listed);
    const n = memory.words[listed / 4];
    if (n === 0) return extents;
    const seen = keys.map((_, k): KeyExtent => {
      const nulls = kernels.unpack(fields + k * FIELD_SIZE, refs, n, 0n, words, validity);
      kernels.extent(words, nulls > 0 ? validity : 0, 0, n, pair);
      const view = new DataView(memory.bytes.buffer, pair, 16);
      return { least: view.getBigUint64(0, true), most: view.getBigUint64(8, true), nulls: nulls > 0 };
    });
    extents = joinAll(extents, seen);
  }
}
