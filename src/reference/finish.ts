import { build, type Cell } from '../core/build.js';
import { chooseRows } from '../core/choose-rows.js';
import type { Batch } from '../core/column.js';
import { fitsType, overflowError } from '../core/overflow-error.js';
import type { CheckedQuery } from '../core/plan.js';
import { compareGroups } from '../core/semantics.js';
import type { Group } from './group.js';

/** Puts groups into the order of the answer before `sort`: set by set, each in key order. */
export function sortGroups({ keys }: CheckedQuery, groups: Group[]): void {
  groups.sort((a, b) => a.set - b.set || compareGroups(keys, a.key, b.key));
}

/**
 * The columns of the answer, a row for each group that the query keeps.
 * @param groups all, in the order of the answer before `sort`
 * @throws AggregateOverflowError for the first group that has a value out of range, kept or not.
 */
export function finish(query: CheckedQuery, groups: readonly Group[]): Batch {
  const { output, sets } = query;
  const rows = groups.map((group): Cell[] => [
    ...group.key,
    ...(sets === undefined ? [] : [groupingOf(query, group)]),
    ...resultsOf(query, group),
  ]);
  const columns = output.map(({ type }, i) => ({
    type,
    // Of a list it only matters whether it is null.
    read: (row: number) => {
      const cell = rows[row][i];
      return Array.isArray(cell) ? true : (cell as Exclude<Cell, readonly unknown[]>);
    },
  }));
  const chosen = chooseRows(query, rows.length, columns);
  return {
    rows: chosen.length,
    columns: output.map(({ type }, i) =>
      build(
        type,
        chosen.map((row) => rows[row][i]),
      ),
    ),
  };
}

/** A bit for each key, the first highest: set where it is not in the group's set. */
function groupingOf({ keys, sets = [] }: CheckedQuery, { set }: Group): bigint {
  return keys.reduce((bits, _, i) => bits * 2n + (sets[set].includes(i) ? 0n : 1n), 0n);
}

function resultsOf({ aggregates, keys, sets }: CheckedQuery, { set, key, states }: Group): Cell[] {
  return aggregates.map((aggregate, i) => {
    const value = states[i].finish();
    if (aggregate.function === 'sum' && typeof value === 'bigint' && !fitsType(aggregate.type, value)) {
      const members = sets?.[set] ?? keys.map((_, k) => k);
      throw overflowError(
        aggregate,
        value,
        members.map((k) => keys[k]),
        members.map((k) => key[k]),
      );
    }
    return value;
  });
}
