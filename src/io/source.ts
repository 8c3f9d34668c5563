import type { RecordBatch } from 'apache-arrow';
import type { Source } from '../core/source.js';
import { recordBatchOf } from '../core/to-arrow.js';
import type { Field } from '../core/type.js';
import { createDecoder, type Decoder } from './decoder.js';
import type { NamedPart, WholeDescription } from './describe-inputs.js';
import { indicesOf } from './part.js';
import { sourceSchema } from './source-schema.js';

/** A source over parts that part modules read. Every loop over `batches` has a decoding thread of its own. */
export function createSource({ fields, parts, rows, approximateRows }: WholeDescription): Source {
  const schema = sourceSchema(fields);
  return {
    schema,
    parts,
    ...(rows !== undefined && { rows }),
    ...(approximateRows !== undefined && { approximateRows }),
    batches: (columns = fields.map(({ name }) => name)) => decode(fields, parts, columns),
  };
}

function decode(
  fields: readonly Field[],
  parts: readonly NamedPart[],
  columns: readonly string[],
): AsyncIterableIterator<RecordBatch, undefined> {
  let decoder: Decoder | undefined;
  const batches = all();
  return {
    next: () => batches.next(),
    // A generator answers return() only after the next() that is waited for, and a decoder may take long over it.
    async return() {
      await decoder?.close();
      return batches.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };

  async function* all(): AsyncGenerator<RecordBatch, undefined> {
    const names = fields.map(({ name }) => name);
    const indices = indicesOf(names, columns, 'batches(columns)');
    const schema = sourceSchema(indices.map((index) => fields[index]));
    decoder = createDecoder();
    try {
      for (const part of parts) {
        for await (const batch of decoder.read(part, columns, part.place)) yield recordBatchOf(schema, batch);
      }
    } finally {
      await decoder.close();
    }
  }
}
