import { createWriteStream } from 'node:fs';
import { chmod, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RecordBatch, Schema } from 'apache-arrow';
import { RangefoldError } from '../core/errors.js';
import type { OutputFormat } from './format-of-name.js';
import { reason } from './origin.js';
import { isWithoutPackage, PACKAGE } from './parquet-package.js';
import type { TableView } from './pretty.js';

/** What is written: the answer of an engine's `stream`, for one. */
export interface Rows {
  readonly schema: Schema;
  readonly batches: AsyncIterable<RecordBatch>;
}

/**
 * Writes rows to a stream and leaves it open. A reader that has seen enough (`| head`) is no error: the batches are
 * returned early.
 * @param view what a table is fitted to; default: it is as wide as its cells.
 * @returns whether all was written.
 */
export async function writeStream(
  rows: Rows,
  format: OutputFormat,
  target: Writable,
  view?: TableView,
): Promise<boolean> {
  try {
    await pour(await encode(rows, format, 'stream', view), target, { end: false });
    return true;
  } catch (error) {
    if (isClosedPipe(error)) return false;
    throw error;
  }
}

/**
 * Writes rows to a file: under another name beside it, which becomes the file's when all is written, so that an error
 * leaves nothing behind and whoever reads the file finds it whole. A link stays, and the file that it leads to is written; a file that is
 * there keeps its permissions. What is no regular file (`/dev/null`) is written to in place. Arrow is a stream in `.arrows`, else a file.
 * @throws RangefoldError where the file cannot be written.
 */
export async function writeFile(rows: Rows, format: OutputFormat, path: string): Promise<void> {
  const chunks = await encode(rows, format, extname(path).toLowerCase() === '.arrows' ? 'stream' : 'file');
  const target = await targetOf(path);
  if (target === undefined) return pour(chunks, createWriteStream(path, { flags: 'r+' }));
  // Nobody else's: where there is such a file, it is not opened. (node:crypto would take longer to load than a small answer.)
  const temporary = `${target.path}.${process.pid}-${Math.random().toString(36).slice(2, 10)}.tmp`;
  const file = createWriteStream(temporary, { flags: 'wx' });
  try {
    await pour(chunks, file);
    if (target.mode !== undefined) await chmod(temporary, target.mode);
    await rename(temporary, target.path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw isSystemError(error) ? unwritable(path, error) : error;
  }
}

type Chunks = AsyncGenerator<string | Uint8Array, void>;

async function pour(chunks: Chunks, target: Writable, options: { end?: boolean } = {}): Promise<void> {
  try {
    await pipeline(chunks, target, options);
  } finally {
    // The pipeline returns them as well, and does not wait until it is done.
    await chunks.return();
  }
}

/** The file that a path leads to, and its permissions where it is there; undefined where it is no regular file. */
async function targetOf(
  path: string,
): Promise<{ readonly path: string; readonly mode?: number } | undefined> {
  try {
    const target = await stat(path);
    if (target.isDirectory()) throw unwritable(path, Object.assign(new Error(), { code: 'EISDIR' }));
    return target.isFile() ? { path: await realpath(path), mode: target.mode & 0o777 } : undefined;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    // nothing is there, or a link to nothing
    return {
      path: await readlink(path).then(
        (to) => resolve(dirname(path), to),
        () => path,
      ),
    };
  }
}

/** Formats are loaded when they are asked for. */
const writers = {
  table: () => import('./pretty.js'),
  csv: () => import('./csv.js'),
  tsv: () => import('./csv.js'),
  json: () => import('./json.js'),
  ndjson: () => import('./json.js'),
  arrow: () => import('./arrow.js'),
  parquet: () =>
    import('./parquet.js').catch((error: unknown) => {
      if (!isWithoutPackage(error)) throw error;
      const details = { parameter: 'format', came: 'parquet', wanted: PACKAGE, cause: error };
      throw new RangefoldError(`format: got parquet, wanted ${PACKAGE}`, details);
    }),
} as const satisfies Readonly<Record<OutputFormat, () => Promise<unknown>>>;

/** Loads what writes a format, so that it is there when the first rows are. */
export async function loadWriter(format: OutputFormat): Promise<void> {
  await writers[format]();
}

async function encode(
  { schema, batches }: Rows,
  format: OutputFormat,
  form: 'stream' | 'file',
  view?: TableView,
): Promise<Chunks> {
  switch (format) {
    case 'table':
      return (await writers.table()).pretty(schema, batches, view);
    case 'csv':
      return (await writers.csv()).csv(schema, batches);
    case 'tsv':
      return (await writers.tsv()).csv(schema, batches, '\t');
    case 'json':
      return (await writers.json()).json(schema, batches);
    case 'ndjson':
      return (await writers.ndjson()).ndjson(schema, batches);
    case 'arrow':
      return (await writers.arrow()).arrow(schema, batches, form);
    case 'parquet':
      return (await writers.parquet()).parquet(schema, batches);
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function isClosedPipe(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ERR_STREAM_DESTROYED';
}

function unwritable(path: string, error: unknown): RangefoldError {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  const came = isMissing ? 'a directory that does not exist' : reason(error);
  const wanted = 'a file that can be written';
  return new RangefoldError(`${path}: got ${came}, wanted ${wanted}`, {
    parameter: path,
    came,
    wanted,
    cause: error,
  });
}
