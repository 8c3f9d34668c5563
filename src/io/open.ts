import type { Source } from '../core/source.js';
import { createDecoder } from './decoder.js';
import { describeInputs } from './describe-inputs.js';
import { findInputs, type OpenOptions } from './find-inputs.js';
import type { Location } from './locate.js';
import { createSource } from './source.js';

/**
 * Opens Parquet, Arrow IPC (file or stream), CSV or TSV, the two texts also compressed with gzip. Several inputs are one
 * source in the order given; they need the same columns. Only what describes them is read, and that on a thread of its own.
 * @throws InputError where an input is missing, damaged or of another form; QueryError for a wrong argument.
 */
export async function open(
  input: Location | readonly Location[],
  options: OpenOptions = {},
): Promise<Source> {
  const inputs = await findInputs(input, options);
  const decoder = createDecoder();
  try {
    return createSource(await describeInputs(inputs, decoder.describe));
  } finally {
    await decoder.close();
  }
}
