import { type RecordBatch, RecordBatchFileWriter, RecordBatchStreamWriter, type Schema } from 'apache-arrow';
import { recut } from './recut.js';

/** Arrow IPC, as a stream or a file, in batches of 65,536 rows. */
export async function* arrow(
  schema: Schema,
  batches: AsyncIterable<RecordBatch>,
  form: 'stream' | 'file',
): AsyncGenerator<Uint8Array, void> {
  const writer = form === 'file' ? new RecordBatchFileWriter() : new RecordBatchStreamWriter();
  const queue = writer[Symbol.asyncIterator]();
  let next = queue.next();

  /** What has been written so far. The queue has no such question, but a value that is there wins the race. */
  async function written(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for (;;) {
      const result = await Promise.race([next, undefined]);
      if (result === undefined || result.done === true) return Buffer.concat(chunks);
      chunks.push(result.value);
      next = queue.next();
    }
  }

  // An answer without rows has a schema all the same.
  writer.reset(undefined, schema);
  yield await written();
  for await (const batch of recut(schema, batches)) {
    writer.write(batch);
    yield await written();
  }
  writer.close();
  yield await written();
}
