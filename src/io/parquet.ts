import { type RecordBatch, type Schema, Table, tableToIPC } from 'apache-arrow';
import {
  Compression,
  transformParquetStream,
  type RecordBatch as WasmBatch,
  Table as WasmTable,
  WriterPropertiesBuilder,
  writeParquet,
} from 'parquet-wasm/node';
import { recut } from './recut.js';

/** Rows of a row group: as others have it by default, and enough that columns compress well. */
const groupRows = 1 << 20;

/** Parquet compressed with Zstandard, in row groups of 1,048,576 rows. */
export async function* parquet(
  schema: Schema,
  batches: AsyncIterable<RecordBatch>,
): AsyncGenerator<Uint8Array, void> {
  const properties = new WriterPropertiesBuilder()
    .setCompression(Compression.ZSTD)
    .setMaxRowGroupSize(groupRows)
    .setCreatedBy('rangefold')
    .build();
  const rows = recut(schema, batches);
  let next = await rows.next();
  if (next.done === true) {
    yield writeParquet(wasmTable(new Table(schema)), properties);
    return;
  }
  let failure: unknown;
  const stream = new ReadableStream<WasmBatch>(
    {
      async pull(controller) {
        try {
          if (next.done === true) return controller.close();
          const table = wasmTable(new Table([next.value]));
          controller.enqueue(table.recordBatches()[0]);
          table.free();
          next = await rows.next();
        } catch (error) {
          failure = error;
          controller.error(error);
        }
      },
    },
    // One batch at a time, when the writer asks for it.
    { highWaterMark: 0 },
  );
  try {
    const written = (await transformParquetStream(stream, properties)) as ReadableStream<Uint8Array>;
    for await (const chunk of written) yield chunk;
    // To the writer a stream that fails is one that has ended.
    if (failure !== undefined) throw failure;
  } finally {
    await rows.return();
  }
}

/** The same rows in the memory of parquet-wasm. */
function wasmTable(table: Table): WasmTable {
  return WasmTable.fromIPCStream(tableToIPC(table, 'stream'));
}
