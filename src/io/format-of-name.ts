import { extname } from 'node:path';

export type OutputFormat = 'table' | 'csv' | 'tsv' | 'json' | 'ndjson' | 'arrow' | 'parquet';

/** The format that a file's name asks for. */
export function formatOfName(path: string): OutputFormat | undefined {
  switch (extname(path).toLowerCase()) {
    case '.csv':
      return 'csv';
    case '.tsv':
      return 'tsv';
    case '.json':
      return 'json';
    case '.ndjson':
    case '.jsonl':
      return 'ndjson';
    case '.parquet':
      return 'parquet';
    case '.arrow':
    case '.arrows':
    case '.feather':
      return 'arrow';
    case '.txt':
      return 'table';
    default:
      return undefined;
  }
}
