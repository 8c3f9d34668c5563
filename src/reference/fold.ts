import { setImmediate } from 'node:timers/promises';
import type { Progress } from '../core/aggregator.js';
import type { Batch } from '../core/column.js';
import type { OpenedInput } from '../core/input.js';
import type { CheckedQuery } from '../core/plan.js';
import { valueReader } from '../core/read-values.js';
import { canonical } from '../core/semantics.js';
import { validateColumn } from '../core/validate-column.js';
import { type Group, Groups } from './group.js';
import { startState } from './state.js';

/** Rows between two turns of the event loop, in which an abort can arrive. */
const MORSEL = 65_536;

export interface Folded {
  /** In first-seen order. */
  readonly groups: Group[];
  /** Rows read. */
  readonly rows: number;
}

/**
 * Reads the whole input and folds each row into its group. Without keys there is one group, also where there are no rows.
 * @throws InputError where a batch is damaged; the signal's reason.
 */
export async function fold(
  query: CheckedQuery,
  input: OpenedInput,
  signal: AbortSignal,
  onProgress: ((progress: Progress) => void) | undefined,
): Promise<Folded> {
  const groups = new Groups(() => query.aggregates.map(startState));
  if (query.keys.length === 0) groups.find([]);
  let rows = 0;
  let number = 0;
  for await (const batch of input.batches(query.columns.map(({ index }) => index))) {
    validate(query, batch, number++);
    for (let start = 0; start < batch.rows; ) {
      // Morsels end at multiples of their size in the whole input, so that many small batches cost no more turns.
      const end = Math.min(batch.rows, start + MORSEL - (rows % MORSEL));
      foldRows(query, groups, batch, start, end);
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
  return { groups: groups.all(), rows };
}

function foldRows(query: CheckedQuery, groups: Groups, batch: Batch, start: number, end: number): void {
  const read = batch.columns.map(valueReader);
  const keys = query.keys.map(({ column }) => read[column]);
  const values = query.aggregates.map(({ column }) => (column < 0 ? () => null : read[column]));
  for (let row = start; row < end; row++) {
    const key = keys.map((readKey) => {
      const value = readKey(row);
      return value === null ? null : canonical(value);
    });
    const { states } = groups.find(key);
    for (let i = 0; i < values.length; i++) states[i].fold(values[i](row));
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
