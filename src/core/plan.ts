import type { DataType, Field } from './type.js';

/** A checked query: what check() makes of a Query and the fields of an input. Frozen, plain data, no Arrow. */
export interface CheckedQuery {
  /** The input columns that the query reads, each once; keys and aggregates name them by index here. */
  readonly columns: readonly InputColumn[];
  readonly keys: readonly CheckedKey[];
  readonly aggregates: readonly CheckedAggregate[];
  /** The columns of the answer: keys first, then aggregates. All are nullable. */
  readonly output: readonly Field[];
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
}

export type AggregateFunction = 'count' | 'sum' | 'mean' | 'min' | 'max';

export interface CheckedAggregate {
  readonly name: string;
  readonly function: AggregateFunction;
  /** Index into `columns`; -1 for `count()` of rows. */
  readonly column: number;
  /** Value type of the column (never a dictionary); Null for `count()` of rows. */
  readonly input: DataType;
  readonly type: DataType;
}
