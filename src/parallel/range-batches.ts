import type { RecordBatch } from 'apache-arrow';
import type { RangeBatch } from '../core/answer.js';

/** Numbers the batches of an answer, a range each, until the run is stopped. */
export async function* rangeBatches(
  batches: Iterable<RecordBatch> | AsyncIterable<RecordBatch>,
  signal: AbortSignal,
): AsyncGenerator<RangeBatch, void, undefined> {
  let range = 0;
  try {
    signal.throwIfAborted();
    for await (const batch of batches) {
      yield { range: range++, batch };
      signal.throwIfAborted();
    }
  } catch (error) {
    // a run that was stopped fails in many ways, all for one reason
    throw signal.aborted ? signal.reason : error;
  }
}
