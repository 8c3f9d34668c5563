import type { RecordBatch, Schema } from 'apache-arrow';
import { fieldsOf } from '../core/from-arrow.js';
import { columnReaders } from './column-readers.js';
import { jsonOf } from './json-text.js';

/**
 * One array of row objects, keys in column order. What a JSON number cannot hold is a string: integers beyond
 * 2^53 - 1, decimals, NaN and the infinities; so are dates and times. Lists are arrays.
 */
export async function* json(
  schema: Schema,
  batches: AsyncIterable<RecordBatch>,
): AsyncGenerator<string, void> {
  yield '[';
  let separator = '\n';
  for await (const rows of objects(schema, batches, ',\n')) {
    yield separator + rows;
    separator = ',\n';
  }
  yield '\n]\n';
}

/** Row objects as in `json`, each on a line of its own. */
export async function* ndjson(
  schema: Schema,
  batches: AsyncIterable<RecordBatch>,
): AsyncGenerator<string, void> {
  for await (const rows of objects(schema, batches, '\n')) yield `${rows}\n`;
}

/** Row objects, some at a time, with a separator between them. */
async function* objects(
  schema: Schema,
  batches: AsyncIterable<RecordBatch>,
  separator: string,
): AsyncGenerator<string, void> {
  const fields = fieldsOf(schema);
  const texts = fields.map(({ type }) => jsonOf(type));
  const keys = fields.map(({ name }, i) => `${i === 0 ? '' : ','}${JSON.stringify(name)}:`);
  for await (const batch of batches) {
    const readers = columnReaders(batch);
    let text = '';
    for (let row = 0; row < batch.numRows; row++) {
      text += text === '' ? '{' : `${separator}{`;
      for (let i = 0; i < readers.length; i++) {
        const value = readers[i](row);
        text += keys[i] + (value === null ? 'null' : texts[i](value));
      }
      text += '}';
      if (text.length < chunkLength) continue;
      yield text;
      text = '';
    }
    if (text !== '') yield text;
  }
}

/** Characters handed over at a time. */
const chunkLength = 1 << 16;
