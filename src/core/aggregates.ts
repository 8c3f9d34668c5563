import { describe } from './describe.js';
import { queryError } from './errors.js';
import type { AggregateFunction } from './plan.js';

/** One aggregate of a query: a plain frozen value, made by the functions of this module. */
export interface Aggregate<F extends AggregateFunction = AggregateFunction> {
  readonly aggregate: F;
  /** The input column; undefined for `count()` of rows. */
  readonly column: string | undefined;
  /** The type of a sum, where it is not that of the rules. */
  readonly as?: 'decimal';
}

function over<F extends AggregateFunction>(aggregate: F, column: string): Aggregate<F> {
  if (typeof column !== 'string') {
    throw queryError(`${aggregate}(column)`, String(column), 'the name of a column');
  }
  return Object.freeze({ aggregate, column });
}

/** Rows of the group, or with a column those where it is not null. Int64, 0 where there are none. */
export function count(column?: string): Aggregate<'count'> {
  return column === undefined ? Object.freeze({ aggregate: 'count', column }) : over('count', column);
}

export interface SumOptions {
  /** `'decimal'`: Decimal128(38, 0) instead of Int64 or Uint64, for integers and Bool only. Default: as {@link sum} says. */
  readonly as?: 'decimal';
}

/**
 * The exact sum of the non-null values; null where there are none. Int64 for integers and Bool (Uint64 for unsigned
 * ones); Decimal128(38, s) for decimals of scale s (Decimal256(76, s) for those of 256 bits); the type of the column for
 * Duration; Float64 for floats: the real sum rounded once to nearest, ties to even.
 * @throws AggregateOverflowError in the run, where a group's sum of integers, decimals or durations does not fit.
 */
export function sum(column: string, options: SumOptions = {}): Aggregate<'sum'> {
  const { as, ...rest } = Object(options) as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw queryError('sum(column, options)', `an option ${JSON.stringify(unknown)}`, 'only `as`');
  if (as === undefined) return over('sum', column);
  if (as !== 'decimal') throw queryError('sum(column, { as })', describe(as), "'decimal'");
  return Object.freeze({ ...over('sum', column), as });
}

/**
 * The exact quotient of exact sum and count of the non-null values (of decimals: their real values), rounded once. Float64;
 * null where there are none.
 */
export function mean(column: string): Aggregate<'mean'> {
  return over('mean', column);
}

/** The least non-null value in the order of keys (NaN is above every number); null where there are none. Type of the column. */
export function min(column: string): Aggregate<'min'> {
  return over('min', column);
}

/** The greatest non-null value in the order of keys (NaN is above every number); null where there are none. Type of the column. */
export function max(column: string): Aggregate<'max'> {
  return over('max', column);
}

/** A name and an aggregate as a pair: where output names look like integers an object would reorder them. */
export function named<const N extends string, A extends Aggregate>(name: N, aggregate: A): readonly [N, A] {
  return Object.freeze([name, aggregate] as const);
}
