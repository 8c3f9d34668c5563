import { RecordBatchReader } from 'apache-arrow';
import type { Column } from '../core/column.js';
import { WorkerError } from '../core/errors.js';
import { batchOf, columnOrListOf } from '../core/from-arrow.js';
import { offsetReader, type Value, valueReader } from '../core/read-values.js';
import type { ClickHouseResponse } from './client.js';
import { faultOf } from './server.js';

/** Rows that a server sent, by column. */
export interface Rows {
  readonly count: number;
  readonly columns: readonly Reader[];
}

/** A column: values by row, or lists. */
export interface Reader {
  value(row: number): Value | null;
  list(row: number): readonly (Value | null)[];
}

/**
 * Reads an answer of a server a batch at a time.
 * @throws WorkerError where it ends before its end.
 */
export async function* readRows(
  { stream, summary }: ClickHouseResponse,
  signal: AbortSignal,
): AsyncGenerator<Rows, void, undefined> {
  let rows = 0;
  try {
    const reader = await RecordBatchReader.from(chunksOf(stream));
    for await (const batch of reader) {
      signal.throwIfAborted();
      // An answer without rows is a batch without buffers.
      if (batch.numRows === 0) continue;
      const indices = batch.schema.fields.map((_, i) => i);
      const { columns } = batchOf(batch, indices, 'ClickHouse', columnOrListOf);
      rows += batch.numRows;
      yield { count: batch.numRows, columns: columns.map(readerOf) };
    }
  } catch (error) {
    throw faultOf(error, signal);
  } finally {
    stream.destroy();
  }
  signal.throwIfAborted();
  // apache-arrow takes the end of a stream that was cut for its end.
  if (summary !== undefined && Number(summary.result_rows) !== rows) {
    const came = `${rows} groups`;
    const wanted = `${summary.result_rows}, as the server counted`;
    throw new WorkerError(`ClickHouse: got ${came}, wanted ${wanted}`, {
      parameter: 'ClickHouse',
      came,
      wanted,
    });
  }
}

/** A stream of Node would be read ahead of who reads it. */
async function* chunksOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield* stream;
}

function readerOf(column: Column): Reader {
  if (column.type.kind !== 'list') return { value: valueReader(column), list: () => [] };
  const { items, offsets } = column;
  if (items === undefined || offsets === undefined) throw new TypeError('a list without items');
  const at = offsetReader({ ...column, type: { kind: 'binary', form: 'plain' } });
  const read = valueReader(items);
  return {
    value: () => null,
    list(row) {
      const end = at(row + 1);
      const values: (Value | null)[] = [];
      for (let i = at(row); i < end; i++) values.push(read(i));
      return values;
    },
  };
}
