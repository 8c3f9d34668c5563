import type { Batch } from '../core/column.js';
import { concat } from '../core/concat.js';
import type { CheckedQuery } from '../core/plan.js';
import { take } from '../core/take.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import { rank } from './rank.js';

/**
 * The groups that a query keeps, in its order, of all groups in key order. Called once a run, after the last task; what
 * lies in the run's kernel memory is given up.
 */
export function choose(
  memory: KernelMemory,
  kernels: Kernels,
  query: CheckedQuery,
  batches: readonly Batch[],
): readonly Batch[] {
  const { having, sort, limit, output } = query;
  if (having === undefined && sort.length === 0) return limit === undefined ? batches : first(batches, limit);
  memory.reset();
  const rows = rank(memory, kernels, query, batches);
  return rows.length === 0
    ? []
    : [
        takeRows(
          batches,
          rows,
          output.map(({ name }) => name),
        ),
      ];
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

/** Rows of several batches, numbered through, each at most once; in new memory. */
function takeRows(batches: readonly Batch[], rows: Uint32Array, names: readonly string[]): Batch {
  const total = batches.reduce((sum, batch) => sum + batch.rows, 0);
  // the place of each row among those that are taken, in the order of the batches
  const places = new Uint32Array(total);
  for (const row of rows) places[row] = 1;
  let taken = 0;
  let begin = 0;
  const pieces = batches.map(({ rows: length, columns }) => {
    const own = new Uint32Array(length);
    const before = taken;
    for (let row = 0; row < length; row++) {
      if (places[begin + row] === 0) continue;
      own[taken - before] = row;
      places[begin + row] = taken++;
    }
    begin += length;
    const here = own.subarray(0, taken - before);
    return here.length === length ? columns : columns.map((column) => take(column, here));
  });
  const order = rows.map((row) => places[row]);
  const ascends = order.every((place, i) => place === i);
  return {
    rows: rows.length,
    columns: names.map((name, c) => {
      const [head, ...rest] = pieces.map((columns) => columns[c]);
      const joined = rest.length === 0 ? head : concat([head, ...rest], `output ${name}`);
      return ascends ? joined : take(joined, order);
    }),
  };
}
