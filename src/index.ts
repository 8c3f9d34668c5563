export type { Aggregate, WhereOption } from './core/aggregate.js';
export {
  argMax,
  argMin,
  bottom,
  correlation,
  count,
  countDistinct,
  covariance,
  every,
  first,
  join,
  last,
  list,
  max,
  mean,
  median,
  min,
  mode,
  named,
  type QuantileOptions,
  quantile,
  type RowOrderOptions,
  type SpreadOptions,
  type SumOptions,
  some,
  stddev,
  sum,
  top,
  variance,
} from './core/aggregates.js';
export type {
  Aggregation,
  AggregationStream,
  Aggregator,
  Input,
  NamedAggregates,
  OutputTypes,
  Progress,
  Query,
  RangeStats,
  RunOptions,
  Stats,
} from './core/aggregator.js';
export type { BucketExpression, NumberBucket, TimeBucket } from './core/bucket-expression.js';
export type { Batch, Column } from './core/column.js';
export {
  and,
  type Comparable,
  type Comparison,
  type Condition,
  eq,
  ge,
  gt,
  isIn,
  isNull,
  le,
  lt,
  ne,
  not,
  notNull,
  or,
} from './core/conditions.js';
export {
  AggregateOverflowError,
  EngineClosedError,
  type ErrorDetails,
  InputError,
  MemoryLimitError,
  QueryError,
  RangefoldError,
  WorkerError,
} from './core/errors.js';
export { cube, type GroupingSets, groupingSets, rollup } from './core/grouping.js';
export {
  asc,
  type BucketOptions,
  bucket,
  desc,
  type Key,
  type KeyOptions,
  type TimeBucketOptions,
  timeBucket,
} from './core/keys.js';
export type { AggregateFunction, Interpolation } from './core/plan.js';
export type { Part, ReadPart, Source } from './core/source.js';
export type { BytesForm, DataType, Field, IntType, TimeUnit } from './core/type.js';
export type { CsvOptions } from './io/csv-options.js';
export type { OpenOptions } from './io/find-inputs.js';
export type { Location } from './io/locate.js';
export { open } from './io/open.js';
export type { Format } from './io/recognise.js';
export {
  createParallel,
  type HeldTable,
  type ParallelAggregator,
  type ParallelOptions,
  type Tuning,
} from './parallel/index.js';
export { createReference } from './reference/create-reference.js';
