import type { Value } from './read-values.js';
import type { DataType, Field } from './type.js';

/** A checked query: what check() makes of a Query and the fields of an input. Frozen, plain data, no Arrow. */
export interface CheckedQuery {
  /** The input columns that the query reads, each once; keys, aggregates and conditions name them by index here. */
  readonly columns: readonly InputColumn[];
  /** Over `columns`: the rows on which it is true are kept, all where it is absent. */
  readonly where?: CheckedCondition;
  /** Of grouping sets: every key that is in one of them. */
  readonly keys: readonly CheckedKey[];
  /**
   * Grouping sets, as ascending indices into `keys`, in the order of the answer, no two the same. Absent: one group for
   * each combination of all keys, and no column `grouping`.
   */
  readonly sets?: readonly (readonly number[])[];
  readonly aggregates: readonly CheckedAggregate[];
  /** The columns of the answer: keys first, then `grouping` where there are sets, then aggregates. All are nullable. */
  readonly output: readonly Field[];
  /** Over `output`: the groups of which it is true are kept, all where it is absent. */
  readonly having?: CheckedCondition;
  /** The order of the groups, before that of sets and keys. */
  readonly sort: readonly CheckedSort[];
  /** How many groups are kept, from the first. */
  readonly limit?: number;
}

export interface InputColumn extends Field {
  /** The column's place among the fields of the input. */
  readonly index: number;
}

export interface CheckedKey {
  readonly name: string;
  /** Index into `columns`. */
  readonly column: number;
  /** The type of the output column: the input's, dictionaries by their value type. */
  readonly type: DataType;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  /** What is made of the column's values; absent: they are the key. */
  readonly bucket?: CheckedBucket;
}

/** Values to the start of their bucket. Integers are in units of the type: unscaled decimals, ticks of a time unit. */
export type CheckedBucket =
  /** floor((x - offset) / width) * width + offset; numbers for floats, bigint for integers and decimals. */
  | { readonly kind: 'number'; readonly width: bigint | number; readonly offset: bigint | number }
  | CheckedTimeBucket;

export interface CheckedTimeBucket {
  readonly kind: 'time';
  /** The width: ticks of the type, or months of the calendar. */
  readonly width: bigint;
  readonly in: 'ticks' | 'months';
  /** Ticks since 1970-01-01T00:00, as the clock of the zone reads where a bucket begins. */
  readonly origin: bigint;
  /** Null: the clock reads UTC. */
  readonly zone: string | null;
  /** Ticks in a day. */
  readonly day: bigint;
}

/** A column of the answer to sort by. */
export interface CheckedSort {
  /** Index into `output`. */
  readonly column: number;
  readonly type: DataType;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/**
 * A condition over columns by index: true, false or unknown. Values are of the column's type, so every comparison is one of
 * its own values; comparisons are by the order of keys, and unknown where the column is null.
 */
export type CheckedCondition =
  | { readonly kind: 'isNull'; readonly column: number }
  /** One of `values`, which are distinct, canonical and ascending; `orUnknown`: what matches none is unknown, not false. */
  | {
      readonly kind: 'in';
      readonly column: number;
      readonly values: readonly Value[];
      readonly orUnknown: boolean;
    }
  | {
      readonly kind: 'compare';
      readonly column: number;
      readonly operator: 'lt' | 'le' | 'gt' | 'ge';
      readonly value: Value;
    }
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly CheckedCondition[] }
  | { readonly kind: 'not'; readonly condition: CheckedCondition };

export type AggregateFunction =
  | 'count'
  | 'countDistinct'
  | 'sum'
  | 'mean'
  | 'variance'
  | 'stddev'
  | 'covariance'
  | 'correlation'
  | 'min'
  | 'max'
  | 'argMin'
  | 'argMax'
  | 'first'
  | 'last'
  | 'median'
  | 'quantile'
  | 'mode'
  | 'top'
  | 'bottom'
  | 'list'
  | 'join'
  | 'every'
  | 'some';

export type Interpolation = 'linear' | 'lower' | 'higher' | 'nearest' | 'midpoint';

/** Options of aggregates, each of some functions only. */
export interface AggregateOptions {
  /** Of `sum`: its type. */
  readonly as?: 'decimal';
  /** Of `variance` and `stddev`: over n instead of n - 1. */
  readonly population?: boolean;
  /** Of `first` and `last`. */
  readonly ignoreNulls?: boolean;
  /** Of `quantile`: which, from 0 to 1. */
  readonly p?: number;
  /** Of `quantile`. */
  readonly interpolation?: Interpolation;
  /** Of `top` and `bottom`: how many. */
  readonly n?: number;
  /** Of `join`. */
  readonly separator?: string;
}

/** Options are settled: those of the function are there, but for `as`, which the type tells; others are absent. */
export interface CheckedAggregate extends Omit<AggregateOptions, 'as'> {
  readonly name: string;
  /** A median is a quantile here. */
  readonly function: Exclude<AggregateFunction, 'median'>;
  /** Index into `columns`; -1 for `count()` of rows. */
  readonly column: number;
  /** Value type of the column (never a dictionary); Null for `count()` of rows. */
  readonly input: DataType;
  /** The other column: y of `covariance` and `correlation`, `by` of `argMin` and `argMax`. */
  readonly second?: { readonly column: number; readonly input: DataType };
  /** Over `columns`: the rows on which it is true are folded, all where it is absent. */
  readonly where?: CheckedCondition;
  readonly type: DataType;
}
