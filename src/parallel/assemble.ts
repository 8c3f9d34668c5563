import type { RecordBatch, Schema } from 'apache-arrow';
import type { Batch, Column } from '../core/column.js';
import { overflowError } from '../core/overflow-error.js';
import type { CheckedQuery } from '../core/plan.js';
import { valueReader } from '../core/read-values.js';
import { recordBatchOf } from '../core/to-arrow.js';
import type { DataType } from '../core/type.js';
import { choose } from './choose.js';
import { integersOf, nullsOf } from './filled-column.js';
import type { KernelMemory } from './memory.js';
import type { SetRange } from './order-levels.js';
import type { BuiltColumn } from './protocol.js';
import type { Runner } from './runner.js';

/** The answer's record batches, one a range where all groups are kept as they come: then over the memory that the ranges were copied to. */
export async function assemble(
  memory: KernelMemory,
  runner: Runner,
  schema: Schema,
  query: CheckedQuery,
  ranges: readonly SetRange[],
): Promise<RecordBatch[]> {
  const batches = await choose(memory, runner, query, batchesOf(query, ranges));
  return batches.map((batch) => recordBatchOf(schema, batch));
}

/** The groups of ranges, as batches of all columns of the answer. */
export function batchesOf(query: CheckedQuery, ranges: readonly SetRange[]): Batch[] {
  return ranges.map((range) => batchOf(query, range));
}

/** @throws AggregateOverflowError for the first group, in order, of which a sum does not fit. */
export function requireFits(query: CheckedQuery, ranges: readonly SetRange[]): void {
  const range = ranges.find(({ overflow }) => overflow !== undefined);
  if (range?.overflow === undefined) return;
  const { row, output, value } = range.overflow;
  const { columns } = batchOf(query, range);
  const members = membersOf(query, range);
  throw overflowError(
    query.aggregates[output],
    value,
    members.map((k) => query.keys[k]),
    members.map((k) => valueReader(columns[k])(row)),
  );
}

/** A built column of `length` rows as a column of the answer. */
export function builtColumn(
  type: DataType,
  { items, itemCount = 0, ...built }: BuiltColumn,
  length: number,
): Column {
  return {
    ...built,
    type,
    length,
    bitOffset: 0,
    ...(items !== undefined && type.kind === 'list' && { items: builtColumn(type.item, items, itemCount) }),
  };
}

/** The keys of a range's groups, as indices into the query's. */
function membersOf({ keys, sets }: CheckedQuery, { set }: SetRange): readonly number[] {
  return sets?.[set] ?? keys.map((_, k) => k);
}

/** The columns of a range: of the keys that are not in its set nulls, behind the keys what `grouping` says of them. */
function batchOf(query: CheckedQuery, range: SetRange): Batch {
  const { keys, sets, output } = query;
  const { rows, columns } = range;
  // behind a limit nothing was built
  if (sets === undefined && columns.length === 0) return { rows, columns: [] };
  const members = membersOf(query, range);
  const all = [
    ...keys.map(({ type }, k) => (members.includes(k) ? columns[members.indexOf(k)] : nullsOf(type, rows))),
    ...(sets === undefined ? [] : [integersOf(groupingOf(keys.length, members), rows)]),
    ...columns.slice(members.length),
  ];
  return { rows, columns: all.map((column, c) => builtColumn(output[c].type, column, rows)) };
}

/** A bit for each key, the first highest: set where it is not in the set. */
function groupingOf(keys: number, members: readonly number[]): number {
  return Array.from({ length: keys }, (_, k) => k).reduce(
    (bits, k) => 2 * bits + (members.includes(k) ? 0 : 1),
    0,
  );
}
