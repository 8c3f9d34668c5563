import type { Batch } from '../core/column.js';
import type { CheckedQuery } from '../core/plan.js';
import { take } from '../core/take.js';
import { buffersOf } from './buffers-of.js';
import type { KernelMemory } from './memory.js';
import type { Runner } from './runner.js';

/**
 * The groups that a query keeps, in its order, of all groups in key order. Called once a run, after all other tasks; what
 * lies in the run's kernel memory is given up, and the batches too. A worker does it, so that the calling thread can
 * be told to stop.
 */
export async function choose(
  memory: KernelMemory,
  runner: Runner,
  query: CheckedQuery,
  batches: readonly Batch[],
): Promise<readonly Batch[]> {
  const { having, sort, limit, output } = query;
  if (having === undefined && sort.length === 0) return limit === undefined ? batches : first(batches, limit);
  memory.giveUp();
  const columns = batches.flatMap((batch) => batch.columns);
  const input = { having, sort, limit, output, batches };
  const { output: chosen } = await runner.run('choose', input, buffersOf(columns));
  return chosen;
}

/** The first `limit` rows; of a batch that is cut in memory of their own, so that the others are given up. */
function first(batches: readonly Batch[], limit: number): Batch[] {
  const all: Batch[] = [];
  let left = limit;
  for (const { rows, columns } of batches) {
    const kept = Math.min(rows, left);
    if (kept === 0) break;
    const places = Uint32Array.from({ length: kept }, (_, row) => row);
    all.push({
      rows: kept,
      columns: kept === rows ? columns : columns.map((column) => take(column, places)),
    });
    left -= kept;
  }
  return all;
}
