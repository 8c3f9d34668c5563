import { evaluator, type Readable } from './evaluate.js';
import type { CheckedQuery } from './plan.js';
import { compareWithNulls } from './semantics.js';

/**
 * The rows of a finished answer that a query keeps, in the order it wants them: `having`, then `sort`, then `limit`.
 * @param rows how many there are, in key order
 * @param columns those of the query's output
 */
export function chooseRows(
  { having, sort, limit }: Pick<CheckedQuery, 'having' | 'sort' | 'limit'>,
  rows: number,
  columns: readonly Readable[],
): number[] {
  const isKept = having === undefined ? () => true : evaluator(having, columns);
  const chosen: number[] = [];
  for (let row = 0; row < rows; row++) {
    if (sort.length === 0 && chosen.length === limit) break;
    if (isKept(row) === true) chosen.push(row);
  }
  // The sort is stable, so that ties stay in key order.
  if (sort.length > 0) {
    chosen.sort((a, b) => {
      for (const order of sort) {
        const { read } = columns[order.column];
        const result = compareWithNulls(order, read(a), read(b));
        if (result !== 0) return result;
      }
      return 0;
    });
  }
  return limit === undefined ? chosen : chosen.slice(0, limit);
}
