import type { RecordBatch, Schema, Table } from 'apache-arrow';
import type { Input, RunOptions } from './aggregator.js';
import type { Batch } from './column.js';
import { describe } from './describe.js';
import { inputError, queryError } from './errors.js';
import { batchOf, fieldsOf } from './from-arrow.js';
import { requireKnown } from './options-of.js';
import type { Source } from './source.js';
import { type Field, sameType, typeName } from './type.js';

/** An input whose columns are known, and whose rows have not been read. */
export interface OpenedInput {
  readonly fields: readonly Field[];
  /** Rows in all, where known beforehand. */
  readonly rows: number | undefined;
  /** Set where the input can be read in parts. */
  readonly source: Source | undefined;
  /**
   * All rows, in order, with the columns at these indices of `fields`, in this order. May be called once; leaving
   * the loop early closes the input. Rejects with the signal's reason as soon as the run is aborted, and with
   * InputError where a batch differs from `fields`.
   */
  batches(columns: readonly number[]): AsyncIterable<Batch>;
  /** Returns the input's iterator, if one was started and has not ended. May be called more than once. */
  close(): Promise<void>;
}

const WANTED = 'a Table, a RecordBatch, an (async) iterable of record batches or a Source';

/**
 * Recognises an input by its shape, so that objects of any copy of apache-arrow will do, and finds its columns: of
 * an iterable by reading its first batch.
 * @throws QueryError where it is no input, or an iterable without a batch and no `schema` is given.
 */
export async function openInput(input: Input, options: RunOptions = {}): Promise<OpenedInput> {
  requireKnown(options, ['signal', 'schema', 'onProgress']);
  const { schema, signal } = options;
  signal?.throwIfAborted();
  if (schema !== undefined && !isSchema(schema)) {
    throw queryError('options.schema', describe(schema), 'an Arrow schema');
  }
  if (isSource(input)) {
    if (schema !== undefined) requireSameFields(fieldsOf(input.schema), fieldsOf(schema), 'input');
    return openSource(input, signal);
  }
  if (isTable(input)) {
    return new OpenedBatches(iteratorOf(input.batches), [], schema ?? input.schema, input.numRows, signal);
  }
  if (isRecordBatch(input)) {
    return new OpenedBatches(iteratorOf([input]), [], schema ?? input.schema, input.numRows, signal);
  }
  const iterator = iteratorOf(input);
  const rows = Array.isArray(input) && input.every(isRecordBatch) ? rowsOf(input) : undefined;
  if (schema !== undefined) return new OpenedBatches(iterator, [], schema, rows, signal);
  const first = await nextOf(iterator, signal);
  if (first.done === true) throw queryError('input', 'no record batch', 'one at least, or options.schema');
  if (!isRecordBatch(first.value)) {
    await iterator.return?.();
    throw queryError('input', `an iterable of ${describe(first.value)}`, WANTED);
  }
  return new OpenedBatches(iterator, [first.value], first.value.schema, rows, signal);
}

function openSource(source: Source, signal: AbortSignal | undefined): OpenedInput {
  const fields = fieldsOf(source.schema);
  let opened: OpenedBatches | undefined;
  return {
    fields,
    rows: source.rows,
    source,
    batches(columns) {
      // A source decodes only what is named, so its batches have the columns asked for and no others.
      const narrowed = columns.map((column) => fields[column]);
      const iterator = iteratorOf(source.batches(narrowed.map(({ name }) => name)));
      opened = new OpenedBatches(iterator, [], narrowed, source.rows, signal);
      return opened.batches(narrowed.map((_, i) => i));
    },
    async close() {
      await opened?.close();
    },
  };
}

type BatchIterator = AsyncIterator<unknown> | Iterator<unknown>;

class OpenedBatches implements OpenedInput {
  readonly fields: readonly Field[];
  readonly source = undefined;
  #pending = false;
  #ended = false;
  #seen: Schema | undefined;

  constructor(
    private readonly iterator: BatchIterator,
    private readonly first: readonly RecordBatch[],
    schema: Schema | readonly Field[],
    readonly rows: number | undefined,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.fields = 'fields' in schema ? fieldsOf(schema) : schema;
  }

  async *batches(columns: readonly number[]): AsyncGenerator<Batch, void, undefined> {
    let number = 0;
    try {
      for (const batch of this.first) yield this.#batchOf(batch, columns, number++);
      for (;;) {
        const next = await this.#next();
        if (next.done === true) return;
        yield this.#batchOf(next.value, columns, number++);
      }
    } finally {
      await this.close();
    }
  }

  async #next(): Promise<IteratorResult<unknown>> {
    this.#pending = true;
    try {
      const next = await nextOf(this.iterator, this.signal);
      this.#ended = next.done === true;
      this.#pending = false;
      return next;
    } catch (error) {
      // By the iterator protocol one that has thrown has ended; one that was left waiting has not.
      this.#ended = this.signal?.aborted !== true;
      throw error;
    }
  }

  #batchOf(batch: unknown, columns: readonly number[], number: number): Batch {
    const place = `batch ${number}`;
    if (!isRecordBatch(batch)) throw inputError(place, describe(batch), 'a record batch');
    if (batch.schema !== this.#seen) {
      requireSameFields(fieldsOf(batch.schema), this.fields, place);
      this.#seen = batch.schema;
    }
    return batchOf(batch, columns, place);
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    // An async generator answers return() only after the next() that is still waiting, which may be never.
    const returned = Promise.resolve(this.iterator.return?.());
    if (this.#pending) returned.catch(() => {});
    else await returned;
  }
}

/** The next of an iterator, or the signal's reason as soon as it is aborted. */
async function nextOf(
  iterator: BatchIterator,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<unknown>> {
  signal?.throwIfAborted();
  const next = iterator.next();
  if (signal === undefined || !('then' in next)) return next;
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([next, aborted]);
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort);
  }
}

function requireSameFields(came: readonly Field[], wanted: readonly Field[], place: string): void {
  for (const [i, field] of wanted.entries()) {
    const where = `${place}, column ${JSON.stringify(field.name)}`;
    const other = came[i];
    if (other === undefined) throw inputError(where, 'none', `a column of type ${typeName(field.type)}`);
    if (other.name !== field.name) {
      throw inputError(
        where,
        `a column ${JSON.stringify(other.name)} in its place`,
        'the columns of the schema',
      );
    }
    if (!sameType(other.type, field.type)) {
      throw inputError(where, `type ${typeName(other.type)}`, typeName(field.type));
    }
  }
  const more = came[wanted.length];
  if (more !== undefined) {
    throw inputError(
      `${place}, column ${JSON.stringify(more.name)}`,
      'one more column',
      `${wanted.length} columns`,
    );
  }
}

function rowsOf(batches: readonly RecordBatch[]): number {
  return batches.reduce((rows, batch) => rows + batch.numRows, 0);
}

function iteratorOf(input: unknown): BatchIterator {
  if (typeof input === 'object' && input !== null && !ArrayBuffer.isView(input)) {
    const iterable = input as Partial<AsyncIterable<unknown> & Iterable<unknown>>;
    // The readers of apache-arrow have both kinds of iterator, of which a synchronous reader's async one may fail.
    const sync = (input as { isSync?: () => boolean }).isSync?.() === true;
    const async = iterable[Symbol.asyncIterator];
    if (typeof async === 'function' && !sync) return async.call(iterable);
    const iterate = iterable[Symbol.iterator];
    if (typeof iterate === 'function') return iterate.call(iterable);
  }
  throw queryError('input', cameOf(input), WANTED);
}

/** What was given as an input and is none. */
function cameOf(input: unknown): string {
  if (input instanceof Promise) return 'a promise, which wants an await';
  if (isObject(input) && isTable(input.table)) return 'an object with a table; give its `table`';
  return describe(input);
}

/** @throws QueryError where a value is no table and no record batch. */
export function requireTable(place: string, value: unknown): void {
  if (!isTable(value) && !isRecordBatch(value))
    throw queryError(place, cameOf(value), 'a Table or a RecordBatch');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isSchema(value: unknown): value is Schema {
  return isObject(value) && Array.isArray(value.fields);
}

/** Whether a value has the shape of a record batch, of any copy of apache-arrow. */
export function isRecordBatch(value: unknown): value is RecordBatch {
  if (!isObject(value) || !isSchema(value.schema) || typeof value.numRows !== 'number') return false;
  return isObject(value.data) && Array.isArray(value.data.children);
}

/** Whether a value has the shape of a table, of any copy of apache-arrow. */
export function isTable(value: unknown): value is Table {
  return isObject(value) && isSchema(value.schema) && Array.isArray(value.batches);
}

function isSource(value: unknown): value is Source {
  if (!isObject(value) || !isSchema(value.schema)) return false;
  return Array.isArray(value.parts) && typeof value.batches === 'function';
}
