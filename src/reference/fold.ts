import { setImmediate } from 'node:timers/promises';
import type { Progress } from '../core/aggregator.js';
import { bucketError, bucketStart, holdsStart } from '../core/bucket.js';
import type { Batch } from '../core/column.js';
import { evaluator, type Readable, readableOf } from '../core/evaluate.js';
import type { OpenedInput } from '../core/input.js';
import type { CheckedCondition, CheckedKey, CheckedQuery } from '../core/plan.js';
import type { Value } from '../core/read-values.js';
import { canonical } from '../core/semantics.js';
import { validateColumn } from '../core/validate-column.js';
import { type Group, Groups } from './group.js';
import { startState } from './start-state.js';

/** Rows between two turns of the event loop, in which an abort can arrive. */
const MORSEL = 65_536;

export interface Folded {
  /** In first-seen order. */
  readonly groups: Group[];
  /** Rows read. */
  readonly rows: number;
}

/**
 * Reads the whole input and folds each row that the query keeps into its group, of every grouping set. A set without keys has
 * one group, also where there are no rows.
 * @throws InputError where a batch is damaged; AggregateOverflowError where a bucket has a start out of range; the signal's reason.
 */
export async function fold(
  query: CheckedQuery,
  input: OpenedInput,
  signal: AbortSignal,
  onProgress: ((progress: Progress) => void) | undefined,
): Promise<Folded> {
  const folder = new Folder(query);
  let rows = 0;
  let number = 0;
  for await (const batch of input.batches(query.columns.map(({ index }) => index))) {
    validate(query, batch, number++);
    for (let start = 0; start < batch.rows; ) {
      // Morsels end at multiples of their size in the whole input, so that many small batches cost no more turns.
      const end = Math.min(batch.rows, start + MORSEL - (rows % MORSEL));
      folder.fold(batch, start, end);
      rows += end - start;
      start = end;
      if (rows % MORSEL !== 0) continue;
      onProgress?.(progressOf(rows, input.rows));
      await setImmediate();
      signal.throwIfAborted();
    }
  }
  if (rows % MORSEL !== 0) onProgress?.(progressOf(rows, input.rows));
  signal.throwIfAborted();
  return { groups: folder.groups(), rows };
}

type Read = (row: number) => Value | null;

class Folder {
  readonly #groups: Groups;
  readonly #sets: readonly (readonly number[])[];
  readonly #keys: readonly KeyMaker[];

  constructor(private readonly query: CheckedQuery) {
    const { aggregates, keys, sets = [keys.map((_, i) => i)] } = query;
    this.#groups = new Groups(() => aggregates.map(startState));
    this.#sets = sets;
    this.#keys = keys.map((key) => new KeyMaker(key));
    for (const [set, members] of sets.entries()) {
      if (members.length === 0) this.#groups.find(set, this.#keyOf(members, []));
    }
  }

  groups(): Group[] {
    for (const key of this.#keys) key.requireFits();
    return this.#groups.all();
  }

  fold(batch: Batch, start: number, end: number): void {
    const { where, keys, aggregates } = this.query;
    const columns = batch.columns.map(readableOf);
    const isKept = kept(where, columns);
    const readKeys = keys.map(({ column }, i) => this.#keys[i].reader(columns[column].read));
    const inputs = aggregates.map(({ column, second, where }) => ({
      isKept: kept(where, columns),
      first: column < 0 ? noValue : columns[column].read,
      second: second === undefined ? noValue : columns[second.column].read,
    }));
    for (let row = start; row < end; row++) {
      if (!isKept(row)) continue;
      const values = readKeys.map((read) => read(row));
      for (const [set, members] of this.#sets.entries()) {
        const { states } = this.#groups.find(set, this.#keyOf(members, values));
        for (const [i, input] of inputs.entries()) {
          if (input.isKept(row)) states[i].fold(input.first(row), input.second(row));
        }
      }
    }
  }

  /** The key of a row in a set: null where a key is not in it. */
  #keyOf(members: readonly number[], values: readonly (Value | null)[]): (Value | null)[] {
    return this.#keys.map((_, i) => (members.includes(i) ? values[i] : null));
  }
}

const noValue: Read = () => null;

function kept(
  condition: CheckedCondition | undefined,
  columns: readonly Readable[],
): (row: number) => boolean {
  if (condition === undefined) return () => true;
  const evaluate = evaluator(condition, columns);
  return (row) => evaluate(row) === true;
}

/** Makes keys of values, and remembers one that its type cannot hold. */
class KeyMaker {
  readonly #start: ((value: Value) => Value) | undefined;
  #wrong: Value | undefined;

  constructor(private readonly key: CheckedKey) {
    const { bucket, type } = key;
    this.#start = bucket === undefined ? undefined : bucketStart(bucket, type);
  }

  reader(read: Read): Read {
    const start = this.#start;
    return (row) => {
      const value = read(row);
      if (value === null) return null;
      if (start === undefined) return canonical(value);
      const made = start(value);
      if (!holdsStart(this.key.type, value, made)) this.#wrong = made;
      return canonical(made);
    };
  }

  requireFits(): void {
    if (this.#wrong !== undefined) throw bucketError(this.key, this.#wrong);
  }
}

function validate(query: CheckedQuery, batch: Batch, number: number): void {
  for (const [i, column] of batch.columns.entries()) {
    validateColumn(column, `batch ${number}, column ${JSON.stringify(query.columns[i].name)}`);
  }
}

function progressOf(rows: number, totalRows: number | undefined): Progress {
  return totalRows === undefined ? { phase: 'fold', rows } : { phase: 'fold', rows, totalRows };
}
