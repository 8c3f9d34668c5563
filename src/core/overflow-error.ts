import { AggregateOverflowError } from './errors.js';
import { formatValue } from './format-value.js';
import type { CheckedAggregate, CheckedKey } from './plan.js';
import type { Value } from './read-values.js';
import { type DataType, typeName } from './type.js';

/** Whether a type can hold a sum. */
export function fitsType(type: DataType, value: bigint): boolean {
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

/**
 * The error for a value that does not fit the type of its output. Every engine reports the first group in key order
 * that has one, and in it the first aggregate in the order of the query, so that the message is the same.
 * @param keys the query's keys, with the group's values of them in `group`.
 */
export function overflowError(
  aggregate: CheckedAggregate,
  value: bigint,
  keys: readonly CheckedKey[],
  group: readonly (Value | null)[],
): AggregateOverflowError {
  const parameter = `aggregate ${JSON.stringify(aggregate.name)}`;
  const came = `${formatValue(aggregate.type, value)} in ${keys.length === 0 ? 'the group of all rows' : `group ${formatGroup(keys, group)}`}`;
  const wanted = `a ${aggregate.function} that fits ${typeName(aggregate.type)}`;
  return new AggregateOverflowError(`${parameter}: got ${came}, wanted ${wanted}`, {
    parameter,
    came,
    wanted,
  });
}

/** A group as `key=value, ...`, on one line. */
export function formatGroup(keys: readonly CheckedKey[], group: readonly (Value | null)[]): string {
  return keys
    .map(({ name, type }, i) => {
      const value = group[i];
      return `${name}=${value === null ? 'null' : formatValue(type, value)}`;
    })
    .join(', ')
    .replace(CONTROL, (character) => JSON.stringify(character).slice(1, -1));
}

// JSON escapes the control characters below U+0020; the line separators beyond them are left as they are.
const CONTROL = /\p{Cc}/gu;
