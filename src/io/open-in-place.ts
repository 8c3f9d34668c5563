import { type RecordBatch, type Schema, Table } from 'apache-arrow';
import { recordBatchOf } from '../core/to-arrow.js';
import { describe, read } from './csv-part.js';
import { describeInputs } from './describe-inputs.js';
import { findInputs, type OpenOptions } from './find-inputs.js';
import type { Location } from './locate.js';
import { ownBatch } from './own-batch.js';
import { sourceSchema } from './source-schema.js';

/** So much text is read in less time than a thread takes to start. */
const inPlaceBytes = 1 << 20;

/** A text that is read on the calling thread. */
export interface InPlace {
  readonly schema: Schema;
  /** All rows, with the named columns. @throws InputError where a value does not fit. */
  read(names: readonly string[]): Table;
}

/**
 * Opens CSV and TSV to read it on the calling thread, where it is less than 1 MiB in all.
 * @returns undefined where it is more, compressed, or of another format.
 * @throws as `open` does.
 */
export async function openInPlace(
  input: Location | readonly Location[],
  options: OpenOptions = {},
): Promise<InPlace | undefined> {
  const inputs = await findInputs(input, options);
  const size = inputs.reduce((sum, { origin }) => sum + origin.size, 0);
  if (size >= inPlaceBytes || inputs.some(({ form, isGzip }) => form === undefined || isGzip))
    return undefined;
  const { fields, parts } = await describeInputs(inputs, async (_, data) => describe(data as never));
  return {
    schema: sourceSchema(fields),
    read(names) {
      const asked = new Set(names);
      const schema = sourceSchema(fields.filter(({ name }) => asked.has(name)));
      const wanted = schema.fields.map(({ name }) => name);
      const batches: RecordBatch[] = [];
      for (const { data } of parts) {
        for (const batch of read(data, wanted)) batches.push(recordBatchOf(schema, ownBatch(batch).batch));
      }
      return new Table(schema, batches);
    },
  };
}
