import type { RecordBatch, Schema } from 'apache-arrow';
import type { Batch } from './column.js';

/**
 * A piece of an input that can be read apart from the others. A worker imports `module` and calls its `read`, so
 * an engine knows no format and a decoder that hangs or crashes costs one worker.
 */
export interface Part {
  /** The module's URL, as `import()` takes it; it exports `read`, a {@link ReadPart}. */
  readonly module: string;
  /** What `read` is called with; plain data, it crosses threads by structured clone. */
  readonly data: unknown;
  /** Rows in the part, where known beforehand. */
  readonly rows?: number;
}

/**
 * Reads one part: batches of the named columns, in the order named. A batch's buffers need to stay as they are
 * only until the next batch is asked for.
 * @throws InputError where the bytes are damaged or of an unsupported form.
 */
export type ReadPart = (data: unknown, columns: readonly string[]) => Iterable<Batch> | AsyncIterable<Batch>;

/** An input that can be read in parts, and by anyone as a stream of record batches. */
export interface Source {
  readonly schema: Schema;
  /** In row order: the rows of a part come before those of the next. */
  readonly parts: readonly Part[];
  /** Rows in all, where known beforehand. */
  readonly rows?: number;
  /** About how many rows there are, where that is all that is known: for those who show progress. */
  readonly approximateRows?: number;
  /** All rows in order, decoded away from the calling thread; `columns` narrows what is decoded (default: all). */
  batches(columns?: readonly string[]): AsyncIterable<RecordBatch>;
}
