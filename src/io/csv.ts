import type { RecordBatch, Schema } from 'apache-arrow';
import { fieldsOf } from '../core/from-arrow.js';
import type { DataType } from '../core/type.js';
import { type Cell, columnReaders } from './column-readers.js';
import { cellTextOf } from './json-text.js';

/**
 * CSV as RFC 4180 has it, lines ended by LF: null is an empty field, the empty text is `""`; lists are JSON. With a tab
 * as delimiter it is TSV under the same rules.
 */
export async function* csv(
  schema: Schema,
  batches: AsyncIterable<RecordBatch>,
  delimiter: ',' | '\t' = ',',
): AsyncGenerator<string, void> {
  const fields = fieldsOf(schema);
  const texts = fields.map(({ type }) => fieldOf(type, delimiter));
  yield `${fields.map(({ name }) => quoted(name, delimiter)).join(delimiter)}\n`;
  for await (const batch of batches) {
    const readers = columnReaders(batch);
    let lines = '';
    for (let row = 0; row < batch.numRows; row++) {
      for (let i = 0; i < readers.length; i++) {
        const value = readers[i](row);
        if (i > 0) lines += delimiter;
        if (value !== null) lines += texts[i](value);
      }
      lines += '\n';
      if (lines.length < chunkLength) continue;
      yield lines;
      lines = '';
    }
    if (lines !== '') yield lines;
  }
}

/** Characters handed over at a time. */
const chunkLength = 1 << 16;

function fieldOf(type: DataType, delimiter: string): (cell: Exclude<Cell, null>) => string {
  const text = cellTextOf(type);
  return type.kind === 'utf8' || type.kind === 'list' ? (value) => quoted(text(value), delimiter) : text;
}

function quoted(text: string, delimiter: string): string {
  return text === '' || /["\r\n]/.test(text) || text.includes(delimiter)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}
