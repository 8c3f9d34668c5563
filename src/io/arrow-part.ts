import { RecordBatchReader } from 'apache-arrow';
import type { Batch } from '../core/column.js';
import { InputError, inputError } from '../core/errors.js';
import { batchOf, fieldsOf } from '../core/from-arrow.js';
import { validateColumn } from '../core/validate-column.js';
import { loadZstandard, ZstandardNeeded } from './arrow-compression.js';
import { type Bytes, bytesOf, type Origin } from './origin.js';
import { type Description, indicesOf } from './part.js';

/** A whole stream, or record batches `from` to before `to` of a file. */
export interface ArrowPart {
  readonly origin: Origin;
  readonly from?: number;
  readonly to?: number;
}

/** Enough bytes that the cost of a part does not show. */
const partBytes = 4 << 20;

/** Fields and parts of an Arrow IPC file or stream; a stream can be read from its beginning only. @throws InputError */
export async function describe({ origin }: { readonly origin: Origin }): Promise<Description> {
  return withDecoders(origin, async (reader) => {
    const fields = fieldsOf(reader.schema);
    const { footer } = reader;
    if (footer === null) return { fields, parts: [{ data: { origin } satisfies ArrowPart }] };
    const parts: { data: ArrowPart }[] = [];
    let from = 0;
    let bytes = 0;
    for (let to = 1; to <= footer.numRecordBatches; to++) {
      bytes += footer.getRecordBatch(to - 1)?.bodyLength ?? 0;
      if (bytes < partBytes && to < footer.numRecordBatches) continue;
      parts.push({ data: { origin, from, to } });
      from = to;
      bytes = 0;
    }
    return { fields, parts };
  });
}

/**
 * Reads record batches. Columns lie over the bytes that were read.
 * @throws InputError where the bytes are damaged, or a column's type is not read.
 */
export async function* read(data: unknown, columns: readonly string[]): AsyncGenerator<Batch, void> {
  let given = 0;
  for (let isWhole = false; !isWhole; ) {
    try {
      let seen = 0;
      for await (const batch of batchesOf(data as ArrowPart, columns)) {
        seen += 1;
        if (seen <= given) continue;
        given = seen;
        yield batch;
      }
      isWhole = true;
    } catch (error) {
      if (!(error instanceof ZstandardNeeded)) throw error;
      await loadZstandard();
    }
  }
}

async function* batchesOf(
  { origin, from, to }: ArrowPart,
  columns: readonly string[],
): AsyncGenerator<Batch, void> {
  const bytes = watched(bytesOf(origin));
  try {
    const reader = await opened(bytes, origin);
    const names = reader.schema.fields.map(({ name }) => name);
    const indices = indicesOf(names, columns, origin.name);
    for (let i = from ?? 0; to === undefined || i < to; i++) {
      const place = `${origin.name}, batch ${i}`;
      const recordBatch = await decoding(place, async () => {
        if (to !== undefined) return reader.readRecordBatch(i);
        const { done, value } = await reader.next();
        return done === true ? undefined : value;
      });
      if (recordBatch === undefined) {
        // A damaged length can look like the end.
        if (bytes.last() === bytes.size) return;
        throw inputError(
          place,
          `the end at byte ${bytes.last()}`,
          `at byte ${bytes.size}, the end of the stream`,
        );
      }
      if (recordBatch === null) throw inputError(place, 'nothing', 'a record batch');
      if (recordBatch.numRows === 0) continue;
      const batch = batchOf(recordBatch, indices, place);
      for (const [at, column] of batch.columns.entries()) {
        validateColumn(column, `${place}, column ${JSON.stringify(columns[at])}`);
      }
      yield batch;
    }
  } finally {
    bytes.close();
  }
}

async function withDecoders<T>(origin: Origin, use: (reader: RecordBatchReader) => Promise<T>): Promise<T> {
  try {
    return await reading(origin, use);
  } catch (error) {
    if (!(error instanceof ZstandardNeeded)) throw error;
    await loadZstandard();
    return reading(origin, use);
  }
}

async function reading<T>(origin: Origin, use: (reader: RecordBatchReader) => Promise<T>): Promise<T> {
  const bytes = bytesOf(origin);
  try {
    return await use(await opened(bytes, origin));
  } finally {
    bytes.close();
  }
}

async function opened(bytes: Bytes, origin: Origin): Promise<RecordBatchReader> {
  requireWhole(bytes, origin.name);
  const reader = await decoding(origin.name, async () =>
    (await RecordBatchReader.from(handleOf(bytes))).open({ autoDestroy: false }),
  );
  if (reader.schema === undefined) throw inputError(origin.name, 'no schema', 'an Arrow IPC file or stream');
  return reader;
}

/** A file ends as it begins; of a stream nothing says where it ends but its end. */
function requireWhole(bytes: Bytes, name: string): void {
  const isMagic = (start: number): boolean =>
    new TextDecoder().decode(bytes.read(start, start + 6)) === 'ARROW1';
  if (bytes.size < 6 || !isMagic(0) || (bytes.size > 18 && isMagic(bytes.size - 6))) return;
  throw inputError(name, 'a file that does not end with ARROW1', 'a whole Arrow IPC file');
}

type FileHandle = Extract<Parameters<typeof RecordBatchReader.from>[0], { readonly fd: number }>;

/** What apache-arrow needs of a file, so that it reads what it needs and no more. */
function handleOf(bytes: Bytes): FileHandle {
  const handle = {
    fd: 0,
    stat: async () => ({ size: bytes.size }),
    read: async (target: Uint8Array, at: number, length: number, position: number) => {
      const end = Math.min(position + length, bytes.size);
      target.set(bytes.read(position, end), at);
      return { bytesRead: end - position, buffer: target };
    },
    close: async () => undefined,
  };
  return handle as unknown as FileHandle;
}

/** Bytes that keep account of how far they were read. */
function watched(bytes: Bytes): Bytes & { readonly last: () => number } {
  let last = 0;
  return {
    ...bytes,
    read(start, end) {
      last = Math.max(last, end);
      return bytes.read(start, end);
    },
    last: () => last,
  };
}

/** Runs a step of decoding; whatever goes wrong in it is the fault of the bytes. */
async function decoding<T>(place: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof InputError || error instanceof ZstandardNeeded) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw inputError(place, `data that cannot be decoded (${why.split('\n')[0]})`, 'Arrow IPC data', error);
  }
}
