import { extname } from 'node:path';

export type OutputFormat = 'table' | 'csv' | 'tsv' | 'json' | 'ndjson' | 'arrow' | 'parquet';

const FORMATS: ReadonlyMap<string, OutputFormat> = new Map([
  ['.csv', 'csv'],
  ['.tsv', 'tsv'],
  ['.json', 'json'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
  ['.parquet', 'parquet'],
  ['.arrow', 'arrow'],
  ['.arrows', 'arrow'],
  ['.feather', 'arrow'],
  ['.txt', 'table'],
]);

/** The extensions that ask for a format. */
export const EXTENSIONS: readonly string[] = [...FORMATS.keys()];

/** The format that a file's name asks for. */
export function formatOfName(path: string): OutputFormat | undefined {
  return FORMATS.get(extname(path).toLowerCase());
}
