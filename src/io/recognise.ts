import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { inputError } from '../core/errors.js';
import { type Origin, reason } from './origin.js';

export type Format = 'parquet' | 'arrow' | 'csv' | 'tsv';

const byExtension: Readonly<Record<string, Format>> = {
  '.parquet': 'parquet',
  '.arrow': 'arrow',
  '.feather': 'arrow',
  '.arrows': 'arrow',
  '.csv': 'csv',
  '.tsv': 'tsv',
};

/** JSON is written, and not read: its lines would pass for CSV. */
const written = ['.json', '.ndjson', '.jsonl'];

/** What an input looks like. */
export interface Recognised {
  readonly format: Format;
  /** Whether it is a text that is compressed with gzip. */
  readonly isGzip: boolean;
}

/**
 * The format of an input: what the caller says, else what the extension says (that before `.gz`), else what its first
 * bytes look like. Whether a text is compressed, its first bytes alone say.
 * @throws InputError where the first bytes are not of that format, or of none that is known.
 */
export async function recognise(origin: Origin, said: Format | undefined): Promise<Recognised> {
  const extension = extensionOf(origin);
  const format = said ?? byExtension[extension];
  if (format === undefined && written.includes(extension))
    throw inputError(origin.name, 'a JSON file', 'Parquet, Arrow IPC, CSV or TSV');
  const head = await firstBytes(origin);
  const compressed = head[0] === 0x1f && head[1] === 0x8b;
  // Loaded for those who need it: node:zlib takes some milliseconds.
  const inflate = compressed ? (await import('./gzip.js')).inflatedHead : undefined;
  const found = formatOf(inflate === undefined ? head : inflate(head, origin.name), origin.name);
  const isText = (one: Format | undefined): boolean => one === 'csv' || one === 'tsv';
  if (format === undefined) {
    if (found === undefined) {
      throw inputError(origin.name, 'bytes of no known format', 'Parquet, Arrow IPC, CSV or TSV');
    }
  } else if (found !== format && !(isText(format) && isText(found))) {
    const came =
      found === undefined ? 'bytes that do not begin like it' : `bytes that begin like ${words[found]}`;
    throw inputError(origin.name, came, words[format]);
  }
  const recognised = format ?? found ?? 'csv';
  if (compressed && !isText(recognised)) {
    throw inputError(
      origin.name,
      `a gzip file of ${words[recognised]}`,
      'one that is not compressed, or a gzip file of text',
    );
  }
  return { format: recognised, isGzip: compressed };
}

/** In lower case, of `x.csv.gz` that of `x.csv`. */
function extensionOf({ path }: Origin): string {
  return path === undefined ? '' : extname(path.toLowerCase().replace(/\.gz$/, ''));
}

const words: Readonly<Record<Format, string>> = {
  parquet: 'a Parquet file',
  arrow: 'an Arrow IPC file or stream',
  csv: 'text (CSV)',
  tsv: 'text (TSV)',
};

const looked = 512;

/** The format that the first bytes look like. @throws InputError for the compressed and the outdated. */
function formatOf(head: Uint8Array, name: string): Format | undefined {
  const begins = (text: string): boolean => [...text].every((letter, i) => head[i] === letter.charCodeAt(0));
  if (begins('PAR1')) return 'parquet';
  if (begins('ARROW1') || begins('\xff\xff\xff\xff')) return 'arrow';
  if (begins('\x1f\x8b')) throw inputError(name, 'a gzip file in a gzip file', 'text in a gzip file');
  if (begins('\x28\xb5\x2f\xfd')) throw inputError(name, 'a zstd file', 'one that is not compressed');
  if (begins('FEA1')) throw inputError(name, 'a Feather file of version 1', 'one of version 2 (Arrow IPC)');
  if (begins('\xff\xfe') || begins('\xfe\xff')) throw inputError(name, 'text in UTF-16', 'text in UTF-8');
  return head.includes(0) ? undefined : 'csv';
}

async function firstBytes({ name, path, bytes }: Origin): Promise<Uint8Array> {
  if (bytes !== undefined) return bytes.subarray(0, looked);
  if (path === undefined) return new Uint8Array(0);
  try {
    const file = await open(path);
    try {
      const { bytesRead, buffer } = await file.read(new Uint8Array(looked), 0, looked, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw inputError(name, reason(error), 'a file that can be read', error);
  }
}
