import type { CheckedBucket, Interpolation } from '../core/plan.js';
import type { DataType } from '../core/type.js';
import type { Filter } from './filter.js';
import type { KeySteps } from './key-steps.js';
import type { StateKind } from './states.js';
import type { Storage } from './storage.js';

/** How the kernels take an input column, and what for. */
export interface ColumnProgram {
  readonly name: string;
  /** How its values lie; of a dictionary, its entries. */
  readonly storage: Storage;
  /** Of a dictionary, the kind and bytes of its codes. */
  readonly codes: { readonly kind: number; readonly width: number } | undefined;
  /** No row has a value. */
  readonly isNull: boolean;
  /** The values are known by codes in a text pool: its offset in a table. 0: they are not. */
  readonly pool: number;
  /** The column is a key. */
  readonly keyed: boolean;
  /** Buckets of the column are a key. */
  readonly bucketed: boolean;
  /** The column's values are compared by their order. */
  readonly compared: boolean;
  /** The column's values are handed out, bit for bit. */
  readonly kept: boolean;
  /** The column's values are added up. */
  readonly summed: boolean;
  /** A condition looks at the column. */
  readonly tested: boolean;
  /** A key or an aggregate looks at the column, be it only at its nulls; else conditions alone do. */
  readonly folded: boolean;
  /** The column's values are looked at, not only its nulls. */
  readonly read: boolean;
}

export interface KeyProgram {
  readonly column: number;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  /** The key is a code in a text pool, which has no order of its own; 0 is null. */
  readonly text: boolean;
  /** The least and the greatest encoded value of the type (of text: code). */
  readonly least: bigint;
  readonly most: bigint;
  /** What is made of the column's values; absent: they are the key. */
  readonly bucket?: CheckedBucket;
  /** Where the encoded values are numbers of steps. */
  readonly steps?: KeySteps;
}

/** A state that the fold keeps for each group: bytes of a record from `lane` on, counted from the end of the key words. */
export interface StateProgram {
  readonly kind: StateKind;
  /** Index into `columns`. */
  readonly column: number;
  /** Index into `columns` of the other one, where the state is of two; else -1. */
  readonly second: number;
  readonly lane: number;
  /** Of `top` and `bottom`: how many values are kept; else 1. */
  readonly most: number;
  /** For float sums: which of the run's grids. */
  readonly grid: number;
  /** For moments: which of the run's scales is that of the column, and of the second; -1 where values are whole. */
  readonly scales: readonly number[];
  /** For moments: index into `gathers` of what does not fit their scale, of the column, and of the second. */
  readonly escapes: readonly number[];
  /** Index into `filters` of the condition on the rows that it takes; -1: all that `where` keeps. */
  readonly filter: number;
}

/** Values that are gathered by group. */
export interface GatherProgram {
  /** Index into `columns`. */
  readonly column: number;
  /** Index into `columns`: rows on which that one is null are left out; -1: none. */
  readonly second: number;
  /** Index into `filters`, as in a state. */
  readonly filter: number;
  /**
   * What is gathered: `order`, words that compare as the values do; `exact`, such words that keep every bit; `raw`, values of 8 bytes as
   * they are added up; `rank`, the rank of a text; `entry`, the address of a text's entry.
   */
  readonly form: 'order' | 'exact' | 'raw' | 'rank' | 'entry';
  /** A value that a group has several times may be gathered fewer times. */
  readonly distinct: boolean;
  /** Null rows are gathered too. */
  readonly nulls: boolean;
  /** Index into `states` of the one whose rows are gathered, those that it cannot take; -1: all rows. */
  readonly owner: number;
}

export type OutputFunction =
  | 'count'
  | 'sum'
  | 'mean'
  | 'min'
  | 'max'
  | 'kept'
  | 'spread'
  | 'pairSpread'
  | 'countDistinct'
  | 'quantile'
  | 'mode'
  | 'best'
  | 'list'
  | 'join';

export interface OutputProgram {
  readonly function: OutputFunction;
  readonly type: DataType;
  /** The value type of the column that is aggregated, and of the second. */
  readonly input: DataType;
  readonly second?: DataType;
  /** Index into `states` of the counted rows on which the aggregate's condition is true; -1: all rows of the group. */
  readonly rows: number;
  /** Index into `states` of the counted nulls of the column, -1 for `count()`. */
  readonly nulls: number;
  /** Index into `states` of the state that is finished, -1 where counts are enough. */
  readonly state: number;
  /** Indices into `gathers` of the values that are finished, of the column, and of the second. */
  readonly gathers: readonly number[];
  /** Of `spread`: over n instead of n - 1; of it the square root. */
  readonly population: boolean;
  readonly root: boolean;
  /** Of `pairSpread`: the correlation. */
  readonly correlation: boolean;
  /** Of `quantile`. */
  readonly p: number;
  readonly interpolation: Interpolation;
  /** Of `best`: how many, and whether the greatest. */
  readonly most: number;
  readonly greatest: boolean;
  /** Of `join`. */
  readonly separator: string;
}

/** What the workers are told of a query: plain data. Lanes begin with the row count, at lane 0. */
export interface Program {
  readonly columns: readonly ColumnProgram[];
  readonly keys: readonly KeyProgram[];
  /** The types of the output's key columns. */
  readonly keyTypes: readonly DataType[];
  /** The rows that the query's conditions keep. */
  readonly filters: readonly Filter[];
  /** Whether the first of them is the query's `where`: the others are tested on the rows that it keeps. */
  readonly where: boolean;
  readonly states: readonly StateProgram[];
  readonly gathers: readonly GatherProgram[];
  /** The lane of a group's ticket; 0 where nothing is gathered. */
  readonly ticket: number;
  readonly outputs: readonly OutputProgram[];
  /** Bytes of all lanes. */
  readonly lanes: number;
  readonly grids: number;
  readonly scales: number;
  /** Bytes of a table's header. */
  readonly tableSize: number;
}

/** Words that a program builds for each group, of its keys and its outputs, but for values that are gathered. */
export function columnsOf({ keys, outputs }: Pick<Program, 'keys' | 'outputs'>): number {
  const words = (output: OutputProgram): number => (output.state < 0 ? 1 : Math.max(1, output.most));
  return outputs.reduce((sum, output) => sum + words(output), keys.length);
}
