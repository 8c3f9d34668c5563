import { Readable } from 'node:stream';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { InputError, inputError } from '../core/errors.js';
import { bytesOf, type Origin } from './origin.js';

/** Compressed bytes read at a time. */
const readBytes = 1 << 20;
/** Inflated bytes handed over at a time. */
const chunkBytes = 1 << 20;

/** The bytes of an origin that is compressed with gzip, in order. @throws InputError where they are damaged or not whole. */
export async function* inflated(origin: Origin): AsyncGenerator<Uint8Array, void> {
  const bytes = bytesOf(origin);
  const compressed = Readable.from(pieces());
  const gunzip = createGunzip({ chunkSize: chunkBytes });
  compressed.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of compressed.pipe(gunzip)) yield chunk as Uint8Array;
  } catch (error) {
    throw error instanceof InputError ? error : damaged(origin.name, error);
  } finally {
    compressed.destroy();
    bytes.close();
  }

  function* pieces(): Generator<Uint8Array, void> {
    for (let start = 0; start < bytes.size; start += readBytes) {
      yield bytes.read(start, Math.min(start + readBytes, bytes.size));
    }
  }
}

/** What the first bytes of an origin that is compressed with gzip are inflated to. @throws InputError */
export function inflatedHead(head: Uint8Array, name: string): Uint8Array {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    throw damaged(name, error);
  }
}

function damaged(name: string, error: unknown): InputError {
  const why = error instanceof Error ? error.message : String(error);
  return inputError(name, `a gzip file that cannot be inflated (${why})`, 'a whole gzip file', error);
}
