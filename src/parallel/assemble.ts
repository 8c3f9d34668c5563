import type { RecordBatch, Schema } from 'apache-arrow';
import type { Batch } from '../core/column.js';
import { overflowError } from '../core/overflow-error.js';
import type { CheckedQuery } from '../core/plan.js';
import { valueReader } from '../core/read-values.js';
import { recordBatchOf } from '../core/to-arrow.js';
import type { BuildOutput } from './protocol.js';

/** A built range as a record batch over the memory it was copied to. */
export function assemble(schema: Schema, query: CheckedQuery, range: BuildOutput): RecordBatch {
  return recordBatchOf(schema, batchOf(query, range));
}

/** @throws AggregateOverflowError for the first group, in order, of which a sum does not fit. */
export function requireFits(query: CheckedQuery, ranges: readonly BuildOutput[]): void {
  const range = ranges.find(({ overflow }) => overflow !== undefined);
  if (range?.overflow === undefined) return;
  const { row, output, value } = range.overflow;
  const { columns } = batchOf(query, range);
  const group = query.keys.map((_, k) => valueReader(columns[k])(row));
  throw overflowError(query.aggregates[output], value, query.keys, group);
}

function batchOf(query: CheckedQuery, { rows, columns }: BuildOutput): Batch {
  return {
    rows,
    columns: columns.map((column, c) => ({
      ...column,
      type: query.output[c].type,
      length: rows,
      bitOffset: 0,
    })),
  };
}
