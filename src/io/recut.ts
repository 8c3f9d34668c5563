import type { RecordBatch, Schema } from 'apache-arrow';
import { byteWidth, offsetWidth } from '../core/byte-width.js';
import type { Batch, Column } from '../core/column.js';
import { concat } from '../core/concat.js';
import { countBits } from '../core/count-bits.js';
import { batchOf } from '../core/from-arrow.js';
import { recordBatchOf } from '../core/to-arrow.js';

/** Rows of a batch in a file. */
export const fileBatchRows = 65_536;

/**
 * The same rows in batches of `rows` each, the last one shorter. Their bytes depend on the rows only, not on how
 * they were cut before. Columns own their memory, and are not nested.
 */
export async function* recut(
  schema: Schema,
  batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
  rows: number = fileBatchRows,
): AsyncGenerator<RecordBatch, void> {
  const all = schema.fields.map((_, i) => i);
  let pieces: Batch[] = [];
  let have = 0;
  for await (const recordBatch of batches) {
    const batch = batchOf(recordBatch, all);
    for (let at = 0; at < batch.rows; ) {
      const end = Math.min(batch.rows, at + rows - have);
      pieces.push({ rows: end - at, columns: batch.columns.map((column) => slice(column, at, end)) });
      have += end - at;
      at = end;
      if (have < rows) continue;
      yield recordBatchOf(schema, joined(pieces, have));
      pieces = [];
      have = 0;
    }
  }
  if (have > 0) yield recordBatchOf(schema, joined(pieces, have));
}

function joined(pieces: readonly Batch[], rows: number): Batch {
  const [first, ...rest] = pieces;
  const columns = first.columns.map((column, i) =>
    concat([column, ...rest.map((piece) => piece.columns[i])], `column ${i}`),
  );
  return { rows, columns };
}

/** Rows `from` to before `to` of a column that is not nested, over the same memory. */
function slice(column: Column, from: number, to: number): Column {
  const { type, values, offsets, validity } = column;
  const length = to - from;
  const bit = column.bitOffset + from;
  const bits = (bytes: Uint8Array): Uint8Array => bytes.subarray(bit >> 3, (bit + length + 7) >> 3);
  const nulls = validity === undefined ? column.nulls && length : length - countBits(validity, bit, length);
  const head = {
    ...column,
    length,
    nulls,
    bitOffset: bit & 7,
    ...(validity && { validity: bits(validity) }),
  };
  if (type.kind === 'bool') return { ...head, values: bits(values) };
  const offset = offsetWidth(type);
  if (offset !== undefined) return { ...head, offsets: offsets?.subarray(from * offset, (to + 1) * offset) };
  const width = byteWidth(type) ?? 0;
  return { ...head, values: values.subarray(from * width, to * width) };
}
