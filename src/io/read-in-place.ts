import { type RecordBatch, Table } from 'apache-arrow';
import { recordBatchOf } from '../core/to-arrow.js';
import { describeInputs } from './describe-inputs.js';
import { findInputs, type OpenOptions } from './find-inputs.js';
import type { Location } from './locate.js';
import { ownBatch } from './own-batch.js';
import type { PartModule } from './part.js';
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
  const { fields, parts } = await describeInputs(inputs, async (module, data) =>
    (await partModule(module)).describe(data as never),
  );
  const schema = sourceSchema(fields);
  const names = fields.map(({ name }) => name);
  const batches: RecordBatch[] = [];
  for (const { module, data } of parts) {
    for await (const batch of (await partModule(module)).read(data, names)) {
      batches.push(recordBatchOf(schema, ownBatch(batch).batch));
    }
  }
  return new Table(schema, batches);
}

function partModule(url: string): Promise<PartModule> {
  return import(url) as Promise<PartModule>;
}
