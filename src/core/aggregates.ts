import { type Aggregate, makeAggregate, type WhereOption } from './aggregate.js';
import type { Interpolation } from './plan.js';

/** Rows of the group, or with a column those where it is not null. Int64, 0 where there are none. */
export function count(options?: WhereOption): Aggregate<'count'>;
export function count(column: string | undefined, options?: WhereOption): Aggregate<'count'>;
export function count(first?: string | WhereOption, second: WhereOption = {}): Aggregate<'count'> {
  if (first === undefined) return makeAggregate('count', [], second);
  return typeof first === 'object' && first !== null
    ? makeAggregate('count', [], first)
    : makeAggregate('count', [first], second);
}

/** Distinct non-null values, by the equality of keys: NaN once, -0 and +0 once. Int64, 0 where there are none. */
export function countDistinct(column: string, options: WhereOption = {}): Aggregate<'countDistinct'> {
  return makeAggregate('countDistinct', [column], options);
}

export interface SumOptions extends WhereOption {
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
  return makeAggregate('sum', [column], options);
}

/**
 * The exact quotient of exact sum and count of the non-null values (of decimals: their real values; Bool as 0 and 1),
 * rounded once. Float64; null where there are none.
 */
export function mean(column: string, options: WhereOption = {}): Aggregate<'mean'> {
  return makeAggregate('mean', [column], options);
}

export interface SpreadOptions extends WhereOption {
  /** Over n, of a whole population, instead of n - 1, of a sample. Default false. */
  readonly population?: boolean;
}

/**
 * The variance of the non-null numbers, decimals or booleans: the exact rational, rounded once. Float64. Of a sample
 * unless `population`: null of one value, whatever it is. Null of none; else NaN where one is NaN or infinite.
 */
export function variance(column: string, options: SpreadOptions = {}): Aggregate<'variance'> {
  return makeAggregate('variance', [column], options);
}

/** The exact square root of the exact {@link variance}, rounded once. Float64; null and NaN as that. */
export function stddev(column: string, options: SpreadOptions = {}): Aggregate<'stddev'> {
  return makeAggregate('stddev', [column], options);
}

/**
 * The sample covariance of the pairs with both values: the exact rational, rounded once. Float64. Null of fewer than two
 * pairs; else NaN where a value is NaN or infinite.
 */
export function covariance(x: string, y: string, options: WhereOption = {}): Aggregate<'covariance'> {
  return makeAggregate('covariance', [x, y], options);
}

/**
 * Pearson's correlation of the pairs with both values, from exact moments, rounded once. Float64, from -1 to 1. Null of
 * fewer than two pairs; else NaN where a value is NaN or infinite; else null where a column has one value only.
 */
export function correlation(x: string, y: string, options: WhereOption = {}): Aggregate<'correlation'> {
  return makeAggregate('correlation', [x, y], options);
}

/** The least non-null value in the order of keys (NaN is above every number); null where there are none. Type of the column. */
export function min(column: string, options: WhereOption = {}): Aggregate<'min'> {
  return makeAggregate('min', [column], options);
}

/** The greatest non-null value in the order of keys (NaN is above every number); null where there are none. Type of the column. */
export function max(column: string, options: WhereOption = {}): Aggregate<'max'> {
  return makeAggregate('max', [column], options);
}

/** `value` (null included) on the row of the least non-null `by`, of several the earliest. Type of `value`; null where there is none. */
export function argMin(value: string, by: string, options: WhereOption = {}): Aggregate<'argMin'> {
  return makeAggregate('argMin', [value, by], options);
}

/** `value` (null included) on the row of the greatest non-null `by`, of several the earliest. Type of `value`; null where there is none. */
export function argMax(value: string, by: string, options: WhereOption = {}): Aggregate<'argMax'> {
  return makeAggregate('argMax', [value, by], options);
}

export interface RowOrderOptions extends WhereOption {
  /** Looks for a row that has a value. Default false: a null is taken as it comes. */
  readonly ignoreNulls?: boolean;
}

/** The value on the first row, in the order of the input. Type of the column; null where it is, or where there is no row. */
export function first(column: string, options: RowOrderOptions = {}): Aggregate<'first'> {
  return makeAggregate('first', [column], options);
}

/** The value on the last row, in the order of the input. Type of the column; null where it is, or where there is no row. */
export function last(column: string, options: RowOrderOptions = {}): Aggregate<'last'> {
  return makeAggregate('last', [column], options);
}

/** The {@link quantile} of 0.5, linear: of an even number of values the mean of the middle two. Float64. */
export function median(column: string, options: WhereOption = {}): Aggregate<'median'> {
  return makeAggregate('median', [column], options);
}

export interface QuantileOptions extends WhereOption {
  /** How a position between two values is read. Default 'linear'. */
  readonly interpolation?: Interpolation;
}

type Interpolated = 'linear' | 'midpoint';

/**
 * The value at position p * (n - 1), in doubles, among the n non-null values in the order of keys; null where there are
 * none. Between two values: `linear` and `midpoint` interpolate exactly and round once, of integers, floats and decimals,
 * to Float64; `lower`, `higher` and `nearest` (of a tie the even position) give one of them, of every type that has an
 * order, and the type of the column. Interpolating with a value that is not finite gives NaN unless both are the same.
 * @param p from 0 to 1
 */
export function quantile(
  column: string,
  p: number,
  options?: QuantileOptions & { readonly interpolation?: Interpolated },
): Aggregate<'quantile'> & { readonly interpolation?: Interpolated };
export function quantile(column: string, p: number, options: QuantileOptions): Aggregate<'quantile'>;
export function quantile(column: string, p: number, options: QuantileOptions = {}): Aggregate<'quantile'> {
  return makeAggregate('quantile', [column], { ...options, p });
}

/** The most frequent non-null value, of several the least; null where there are none. Type of the column. */
export function mode(column: string, options: WhereOption = {}): Aggregate<'mode'> {
  return makeAggregate('mode', [column], options);
}

/** The `n` greatest non-null values, the greatest first, fewer where there are fewer; null where there are none. List of the column's type. */
export function top(column: string, n: number, options: WhereOption = {}): Aggregate<'top'> {
  return makeAggregate('top', [column], { ...options, n });
}

/** The `n` least non-null values, the least first, fewer where there are fewer; null where there are none. List of the column's type. */
export function bottom(column: string, n: number, options: WhereOption = {}): Aggregate<'bottom'> {
  return makeAggregate('bottom', [column], { ...options, n });
}

/** All values in the order of the input, nulls included; empty of no rows. List of the column's type. */
export function list(column: string, options: WhereOption = {}): Aggregate<'list'> {
  return makeAggregate('list', [column], options);
}

/** The non-null texts in the order of the input, with `separator` between them; null where there are none. Utf8. */
export function join(column: string, separator: string, options: WhereOption = {}): Aggregate<'join'> {
  return makeAggregate('join', [column], { ...options, separator });
}

/** Whether all non-null booleans are true; null where there are none. Bool. */
export function every(column: string, options: WhereOption = {}): Aggregate<'every'> {
  return makeAggregate('every', [column], options);
}

/** Whether one of the non-null booleans is true; null where there are none. Bool. */
export function some(column: string, options: WhereOption = {}): Aggregate<'some'> {
  return makeAggregate('some', [column], options);
}

/** A name and an aggregate as a pair: where output names look like integers an object would reorder them. */
export function named<const N extends string, A extends Aggregate>(name: N, aggregate: A): readonly [N, A] {
  return Object.freeze([name, aggregate] as const);
}
