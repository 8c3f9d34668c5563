import { type RecordBatch, Table } from 'apache-arrow';
import { recordBatchOf } from '../core/to-arrow.js';
import { describe, read } from './csv-part.js';
import { describeInputs } from './describe-inputs.js';
import { findInputs, type OpenOptions } from './find-inputs.js';
import type { Location } from './locate.js';
import { ownBatch } from './own-batch.js';
import { sourceSchema } from './source-schema.js';

/** So much text is read in less time than a thread takes to start. */
const inPlaceBytes = 1 << 20;

/**
 * Reads CSV and TSV on the calling thread, where it is less than 1 MiB in all.
 * @returns undefined where it is more, compressed, or of another format.
 * @throws as `open` does, and as its source where a value does not fit.
 */
export async function readInPlace(
  input: Location | readonly Location[],
  options: OpenOptions = {},
): Promise<Table | undefined> {
  const inputs = await findInputs(input, options);
  const size = inputs.reduce((sum, { origin }) => sum + origin.size, 0);
  if (size >= inPlaceBytes || inputs.some(({ form, isGzip }) => form === undefined || isGzip))
    return undefined;
  const { fields, parts } = await describeInputs(inputs, async (_, data) => describe(data as never));
  const schema = sourceSchema(fields);
  const names = fields.map(({ name }) => name);
  const batches: RecordBatch[] = [];
  for (const { data } of parts) {
    for (const batch of read(data, names)) batches.push(recordBatchOf(schema, ownBatch(batch).batch));
  }
  return new Table(schema, batches);
}
