import type { KernelMemory } from './memory.js';
import type { Morsel } from './morsel.js';
import type { FoldInput } from './protocol.js';
import { fromShared } from './shared-column.js';

type Dealt =
  | (Morsel & { readonly kind: 'morsel' })
  | { readonly kind: 'part'; readonly part: number; readonly module: string; readonly data: unknown };

/** The morsels that fall to this worker: every nth, or the next that nobody has claimed. */
export function* dealt(memory: KernelMemory, input: FoldInput): Generator<Dealt> {
  const { units, deal, worker, workers, morselRows } = input;
  let number = 0;
  let next = deal === 'static' ? worker : memory.claim();
  for (const unit of units) {
    const columns = unit.kind === 'part' ? [] : unit.columns.map((column) => fromShared(memory, column));
    const morsels = unit.kind === 'part' ? 1 : Math.ceil(unit.rows / morselRows);
    while (next < number + morsels) {
      if (unit.kind === 'part') {
        yield { kind: 'part', part: unit.part, module: unit.source.module, data: unit.source.data };
      } else {
        const start = (next - number) * morselRows;
        yield {
          kind: 'morsel',
          columns,
          starts: unit.starts,
          start,
          rows: Math.min(morselRows, unit.rows - start),
          source: 'batch',
          part: unit.part,
          row: unit.row,
        };
      }
      next = deal === 'static' ? next + workers : memory.claim();
    }
    number += morsels;
  }
}
