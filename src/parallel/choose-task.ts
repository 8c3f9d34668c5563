import type { Batch, Column } from '../core/column.js';
import { concat } from '../core/concat.js';
import { take } from '../core/take.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { ChooseInput } from './protocol.js';
import { rank } from './rank.js';

/**
 * Choose: sorts and picks the groups that a query keeps, of its whole answer. Called once a run at most, alone, after all other
 * tasks; writes memory of its own, and the answer to ordinary memory.
 */
export function chooseTask(memory: KernelMemory, kernels: Kernels, input: ChooseInput): readonly Batch[] {
  const { batches, output } = input;
  const rows = rank(memory, kernels, input, batches);
  const names = output.map(({ name }) => name);
  return rows.length === 0 ? [] : [takeRows(memory, batches, rows, names)];
}

/** Rows of several batches, numbered through, each at most once; in new memory. */
function takeRows(
  memory: KernelMemory,
  batches: readonly Batch[],
  rows: Uint32Array,
  names: readonly string[],
): Batch {
  const taken = (column: Column, places: Uint32Array): Column => {
    memory.heed();
    return take(column, places);
  };
  const total = batches.reduce((sum, batch) => sum + batch.rows, 0);
  // the place of each row among those that are taken, in the order of the batches
  const places = new Uint32Array(total);
  for (const row of rows) places[row] = 1;
  let count = 0;
  let begin = 0;
  const pieces = batches.map(({ rows: length, columns }) => {
    const own = new Uint32Array(length);
    const before = count;
    for (let row = 0; row < length; row++) {
      if (places[begin + row] === 0) continue;
      own[count - before] = row;
      places[begin + row] = count++;
    }
    begin += length;
    const here = own.subarray(0, count - before);
    return here.length === length ? columns : columns.map((column) => taken(column, here));
  });
  const order = rows.map((row) => places[row]);
  const ascends = order.every((place, i) => place === i);
  return {
    rows: rows.length,
    columns: names.map((name, c) => {
      const [head, ...rest] = pieces.map((columns) => columns[c]);
      const joined = rest.length === 0 ? head : concat([head, ...rest], `output ${name}`);
      return ascends ? joined : taken(joined, order);
    }),
  };
}
