import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What came on standard input, as a file that can be read in parts like any other. */
export interface KeptInput {
  readonly path: string;
  /** Takes the file away. */
  remove(): Promise<void>;
}

/**
 * Writes what comes to a file of its own in the system's folder for such: Parquet is read from its end, and workers share
 * a text by its places. No more of it is in memory than a chunk.
 */
export async function keepInput(input: Readable, signal: AbortSignal): Promise<KeptInput> {
  const folder = await mkdtemp(join(tmpdir(), 'rangefold-stdin-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'input');
  try {
    await pipeline(input, createWriteStream(path, { mode: 0o600 }), { signal });
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
