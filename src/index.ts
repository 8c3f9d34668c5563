export { type Aggregate, count, max, mean, min, named, type SumOptions, sum } from './core/aggregates.js';
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
export type { Batch, Column } from './core/column.js';
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
export { asc, desc, type Key, type KeyOptions } from './core/keys.js';
export type { Part, ReadPart, Source } from './core/source.js';
export type { BytesForm, DataType, Field, IntType, TimeUnit } from './core/type.js';
export type { CsvOptions } from './io/csv-options.js';
export type { Location } from './io/locate.js';
export { type OpenOptions, open } from './io/open.js';
export type { Format } from './io/recognise.js';
export {
  createParallel,
  type HeldTable,
  type ParallelAggregator,
  type ParallelOptions,
  type Tuning,
} from './parallel/index.js';
export { createReference } from './reference/create-reference.js';
