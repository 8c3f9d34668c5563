import type {
  DataType as ArrowType,
  Bool,
  Float64,
  Int32,
  Int64,
  List,
  RecordBatch,
  Schema,
  Table,
  Utf8,
} from 'apache-arrow';
import type { Aggregate } from './aggregate.js';
import type { Condition } from './conditions.js';
import type { GroupingSets } from './grouping.js';
import type { Key } from './keys.js';
import type { Source } from './source.js';

/** What an engine takes. The first batch gives the schema; where there may be none, give `schema` in {@link RunOptions}. */
export type Input = Table | RecordBatch | Iterable<RecordBatch> | AsyncIterable<RecordBatch> | Source;

/** Output columns by their names. */
export type NamedAggregates =
  | Readonly<Record<string, Aggregate>>
  | readonly (readonly [name: string, aggregate: Aggregate])[];

/** What is asked. */
export interface Query {
  /** Key columns, first key first; `[]` makes one group of all rows. Or several sets of keys, as `rollup(...)`. */
  readonly by: readonly (string | Key)[] | GroupingSets;
  /** Output columns after the keys, in this order; pairs where names look like integers (see `named`). */
  readonly aggregates: NamedAggregates;
  /** Only the rows on which it is true are grouped. Default: all. */
  readonly where?: Condition;
  /** Over output columns: only the groups of which it is true are kept. Default: all. */
  readonly having?: Condition;
  /** Output columns to sort the groups by, ties in key order. Default: key order. */
  readonly sort?: readonly (string | Key)[];
  /** Keeps this many groups, from the first. Default: all. */
  readonly limit?: number;
}

/** Settings of one run. */
export interface RunOptions {
  /** Stops the run; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The schema of an input that may have no batch. */
  readonly schema?: Schema;
  /** Called now and then, at most once a morsel, never after the run has ended. */
  readonly onProgress?: (progress: Progress) => void;
}

/** How far a run is. */
export interface Progress {
  /** What it is at: `fold`, `split`, `order` ..., as in the `milliseconds` of its stats. */
  readonly phase: string;
  /** Rows read so far. */
  readonly rows: number;
  /** Rows there are, where known. */
  readonly totalRows?: number;
}

/** What a run did. Times are in milliseconds. */
export interface Stats {
  readonly engine: string;
  /** Rows read. */
  readonly rows: number;
  /** Distinct groups, before `having` and `limit`; where groups were spilled and there is a `limit`, those that were read. */
  readonly groups: number;
  /** Workers that ran. */
  readonly workers: number;
  /** Names of the strategies that the run used. */
  readonly strategies: readonly string[];
  /** Wall time of each phase. */
  readonly milliseconds: Readonly<Record<string, number>>;
  /** What the workers ordered, in output order. */
  readonly ranges: readonly RangeStats[];
  /** Bytes of groups that were written to files because they did not fit into memory; 0 where all did. */
  readonly spilledBytes: number;
}

export interface RangeStats {
  /** The worker that ordered the range, from 0. */
  readonly worker: number;
  /** Partial groups merged: a group that stands on three workers counts three. */
  readonly partials: number;
  /** Distinct groups. */
  readonly groups: number;
  /** Wall time of ordering the range and building its columns. */
  readonly milliseconds: number;
}

type AggregateNames<A extends NamedAggregates> = A extends readonly (readonly [
  infer N extends string,
  Aggregate,
])[]
  ? N
  : Extract<keyof A, string>;
type AggregateOf<A extends NamedAggregates, N extends string> = A extends readonly (readonly [
  string,
  Aggregate,
])[]
  ? Extract<A[number], readonly [N, Aggregate]>[1]
  : A extends Readonly<Record<string, Aggregate>>
    ? A[N]
    : never;
type KeyNames<B> = B extends readonly (infer K)[]
  ? NameOf<K>
  : B extends GroupingSets<infer K>
    ? NameOf<K[number]>
    : never;
type NameOf<K> = K extends string ? K : K extends Key<infer N> ? N : never;

/** The types of those aggregates of which the function alone tells it. */
interface FunctionTypes {
  count: Int64;
  countDistinct: Int64;
  mean: Float64;
  variance: Float64;
  stddev: Float64;
  covariance: Float64;
  correlation: Float64;
  median: Float64;
  top: List;
  bottom: List;
  list: List;
  join: Utf8;
  every: Bool;
  some: Bool;
}
type AggregateType<A> = A extends { readonly interpolation?: 'linear' | 'midpoint' } & Aggregate<'quantile'>
  ? Float64
  : A extends Aggregate<infer F>
    ? F extends keyof FunctionTypes
      ? FunctionTypes[F]
      : ArrowType
    : ArrowType;

/** Names and types of the answer's columns, as far as the query alone tells them. */
export type OutputTypes<Q extends Query> = { [K in KeyNames<Q['by']>]: ArrowType } & {
  [N in AggregateNames<Q['aggregates']>]: AggregateType<AggregateOf<Q['aggregates'], N>>;
} & (Q['by'] extends GroupingSets ? { grouping: Int32 } : unknown);

/** The answer of a run, whole. */
export interface Aggregation<Q extends Query = Query> {
  /** Owns its memory: no later run and no `close()` changes it. */
  readonly table: Table<OutputTypes<Q>>;
  /** Rows of `table`, a range each; they tile it in output order. */
  readonly ranges: readonly { readonly start: number; readonly length: number }[];
  readonly stats: Stats;
}

/** The answer of a run as record batches in output order, a range each or more. */
export interface AggregationStream {
  readonly schema: Schema;
  /** Leaving the loop early cancels what is left of the run. */
  readonly batches: AsyncIterable<RecordBatch>;
  /** Settles when the batches end, fail or are returned; a rejection that nobody looks at is not reported. */
  readonly stats: Promise<Stats>;
}

/**
 * A group-by engine. Every engine gives the same answer to the same rows and query, bit for bit; which one runs is
 * the caller's choice.
 */
export interface Aggregator<I = Input> {
  /** 'reference' | 'parallel' | 'clickhouse' */
  readonly name: string;
  /**
   * Runs a query and collects its answer.
   * @throws QueryError before any row is read; AggregateOverflowError, InputError, MemoryLimitError, WorkerError, EngineClosedError;
   * the signal's reason; the system's error where a file of spilled groups cannot be written.
   */
  aggregate<const Q extends Query>(input: I, query: Q, options?: RunOptions): Promise<Aggregation<Q>>;
  /** Runs a query and hands out its answer in order. Rejects as `aggregate` does. */
  stream<const Q extends Query>(input: I, query: Q, options?: RunOptions): Promise<AggregationStream>;
  /** Ends the engine; runs in flight and later ones reject with EngineClosedError. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
