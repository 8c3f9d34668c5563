import { describe } from './describe.js';
import { queryError } from './errors.js';

/**
 * What a column can be compared with: boolean for Bool; number or bigint for integers, floats, durations and intervals (in
 * the column's unit), both taken as exact reals; Date or ISO 8601 text for dates and timestamps, ISO text for times of day;
 * text for Utf8; text, bigint or a whole number for decimals; Uint8Array for binary. Null compares to nothing.
 */
export type Comparable = boolean | number | bigint | string | Date | Uint8Array | null;

export type Comparison = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

/**
 * A question about a row (in `where`) or a group (in `having`): a plain frozen value, made by the functions of this module.
 * It is true, false or unknown, by the three-valued logic of SQL; rows and groups are kept where it is true.
 */
export type Condition =
  | { readonly condition: Comparison; readonly column: string; readonly value: Comparable }
  | { readonly condition: 'isIn'; readonly column: string; readonly values: readonly Comparable[] }
  | { readonly condition: 'isNull' | 'notNull'; readonly column: string }
  | { readonly condition: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly condition: 'not'; readonly of: Condition };

/** The value is the given one, by the equality of keys (NaN is NaN, -0 is 0). Unknown where either is null. */
export function eq(column: string, value: Comparable): Condition {
  return compare('eq', column, value);
}

/** The value is another than the given one. Unknown where either is null. */
export function ne(column: string, value: Comparable): Condition {
  return compare('ne', column, value);
}

/** The value is below the given one, in the order of keys (NaN is above every number). Unknown where either is null. */
export function lt(column: string, value: Comparable): Condition {
  return compare('lt', column, value);
}

/** The value is below the given one or equal to it, in the order of keys. Unknown where either is null. */
export function le(column: string, value: Comparable): Condition {
  return compare('le', column, value);
}

/** The value is above the given one, in the order of keys (NaN is above every number). Unknown where either is null. */
export function gt(column: string, value: Comparable): Condition {
  return compare('gt', column, value);
}

/** The value is above the given one or equal to it, in the order of keys. Unknown where either is null. */
export function ge(column: string, value: Comparable): Condition {
  return compare('ge', column, value);
}

/**
 * The value is one of those given: `eq` with each, joined by `or`. So it is false for no values, and a null among them
 * makes it unknown where no other matches.
 */
export function isIn(column: string, values: Iterable<Comparable>): Condition {
  requireColumn('isIn', column);
  if (typeof values === 'string' || values === null || typeof Object(values)[Symbol.iterator] !== 'function')
    throw queryError(`isIn(${JSON.stringify(column)}, values)`, describe(values), 'an array of values');
  const own = [...values].map((value) => ownValue('isIn', column, value));
  return Object.freeze({ condition: 'isIn', column, values: Object.freeze(own) });
}

/** There is no value. Never unknown. */
export function isNull(column: string): Condition {
  requireColumn('isNull', column);
  return Object.freeze({ condition: 'isNull', column });
}

/** There is a value. Never unknown. */
export function notNull(column: string): Condition {
  requireColumn('notNull', column);
  return Object.freeze({ condition: 'notNull', column });
}

/** False where one is false, else unknown where one is unknown, else true; `and()` is true. */
export function and(...conditions: readonly Condition[]): Condition {
  return join('and', conditions);
}

/** True where one is true, else unknown where one is unknown, else false; `or()` is false. */
export function or(...conditions: readonly Condition[]): Condition {
  return join('or', conditions);
}

/** True where the condition is false, and false where it is true; unknown where it is unknown. */
export function not(condition: Condition): Condition {
  requireCondition('not(condition)', condition);
  return Object.freeze({ condition: 'not', of: condition });
}

/** @throws QueryError where `value` does not look like a condition. */
export function requireCondition(place: string, value: unknown): asserts value is Condition {
  const { condition } = Object(value) as { readonly condition?: unknown };
  if (typeof condition !== 'string') throw queryError(place, describe(value), WANTED);
}

const WANTED = 'a condition, as gt(column, value) or and(...)';

function compare(condition: Comparison, column: string, value: Comparable): Condition {
  requireColumn(condition, column);
  return Object.freeze({ condition, column, value: ownValue(condition, column, value) });
}

function join(condition: 'and' | 'or', conditions: readonly Condition[]): Condition {
  for (const one of conditions) requireCondition(`${condition}(...conditions)`, one);
  return Object.freeze({ condition, conditions: Object.freeze([...conditions]) });
}

function requireColumn(name: string, column: unknown): void {
  if (typeof column !== 'string')
    throw queryError(`${name}(column)`, describe(column), 'the name of a column');
}

/** Dates and bytes can change, so a condition keeps copies. */
function ownValue(name: string, column: string, value: Comparable): Comparable {
  if (value instanceof Date) return new Date(value);
  if (value instanceof Uint8Array) return value.slice();
  if (value === null || ['boolean', 'number', 'bigint', 'string'].includes(typeof value)) return value;
  throw queryError(
    `${name}(${JSON.stringify(column)}, value)`,
    describe(value),
    'a boolean, number, bigint, text, Date, Uint8Array or null',
  );
}
