import type { Batch } from '../core/column.js';
import { overflowError } from '../core/overflow-error.js';
import type { CheckedAggregate, CheckedQuery } from '../core/plan.js';
import type { Value } from '../core/read-values.js';
import { build } from './build.js';
import type { Group } from './group.js';

/**
 * The columns of the answer, a row for each group in the order given.
 * @throws AggregateOverflowError for the first group that has a value out of range.
 */
export function finish(query: CheckedQuery, groups: readonly Group[]): Batch {
  const results = groups.map(({ key, states }) =>
    query.aggregates.map((aggregate, i) => {
      const value = states[i].finish();
      if (aggregate.function === 'sum' && typeof value === 'bigint' && !fits(aggregate, value)) {
        throw overflowError(aggregate, value, query.keys, key);
      }
      return value;
    }),
  );
  const keys = query.keys.map(({ type }, i) =>
    build(
      type,
      groups.map(({ key }) => key[i]),
    ),
  );
  const aggregates = query.aggregates.map(({ type }, i) => build(type, column(results, i)));
  return { rows: groups.length, columns: [...keys, ...aggregates] };
}

function column(rows: readonly (readonly (Value | null)[])[], i: number): (Value | null)[] {
  return rows.map((row) => row[i]);
}

function fits({ type }: CheckedAggregate, value: bigint): boolean {
  switch (type.kind) {
    case 'int':
      return value === (type.signed ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value));
    case 'duration':
      return value === BigInt.asIntN(64, value);
    case 'decimal':
      return value > -(10n ** BigInt(type.precision)) && value < 10n ** BigInt(type.precision);
    default:
      return true;
  }
}
