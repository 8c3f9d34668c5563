import { describe, expect, it } from 'vitest';
import { type CliOptions, parseOptions } from '../../dist/cli/options.js';
import { run } from '../../dist/cli/run.js';
import { UsageError } from '../../dist/cli/usage-error.js';

// Threads and processes start slowly on a busy machine.

const defaults: CliOptions = {
  files: ['f.csv'],
  by: 'k',
  agg: [],
  where: undefined,
  having: undefined,
  sort: undefined,
  limit: undefined,
  engine: 'parallel',
  url: undefined,
  table: undefined,
  workers: undefined,
  memoryLimit: undefined,
  spillDirectory: undefined,
  format: undefined,
  output: undefined,
  delimiter: undefined,
  types: {},
  nulls: [],
  stats: false,
  quiet: false,
};

describe('options', () => {
  it('have defaults', () => expect(parseOptions(['f.csv', '--by', 'k'], '1.2.3')).toEqual(defaults));

  it('are all taken, before and after the files', () => {
    const words =
      '--by k a.csv --agg sum(x) --agg n=count() b.csv --where x>0 --having n>1 --sort n --limit 0 --engine reference --workers 3 --memory-limit 1.5GiB --spill-directory d --format json --output o --delimiter ; --type v=Float64 --type t=Timestamp[ms] --null N/A --null - --stats --quiet';
    expect(parseOptions(words.split(' '), '1.2.3')).toEqual({
      files: ['a.csv', 'b.csv'],
      by: 'k',
      agg: ['sum(x)', 'n=count()'],
      where: 'x>0',
      having: 'n>1',
      sort: 'n',
      limit: 0,
      engine: 'reference',
      url: undefined,
      table: undefined,
      workers: 3,
      memoryLimit: 1_610_612_736,
      spillDirectory: 'd',
      format: 'json',
      output: 'o',
      delimiter: ';',
      types: { v: 'Float64', t: 'Timestamp[ms]' },
      nulls: ['N/A', '-'],
      stats: true,
      quiet: true,
    });
  });

  it.each<[string, string]>([
    ['--by k', 'files: got none, wanted one or more, as in rangefold sales.csv --by shop, or -'],
    ['f', '--by: got none, wanted key columns, as in --by origin'],
    ['f --by k --type Utf8', '--type: got "Utf8", wanted a column and its type, as code=Utf8'],
    ['f --by k --type a=Utf8 --type a=Bool', '--type: got "a" more than once, wanted one type'],
    ['f --what', "unknown option '--what'; --help lists them"],
    [
      'f --by k --delimiter ab',
      '--delimiter: got "ab", wanted one ASCII character, no quote and no line end',
    ],
    [
      'f --by k --delimiter "',
      '--delimiter: got "\\"", wanted one ASCII character, no quote and no line end',
    ],
    ['f --by', "option '--by <keys>' argument missing"],
    ['f --by k --workers 0', '--workers: got "0", wanted a whole number from 1 to 1024'],
    ['f --by k --workers 1.5', '--workers: got "1.5", wanted a whole number from 1 to 1024'],
    ['f --by k --engine fast', '--engine: got "fast", wanted one of parallel, reference, clickhouse'],
    [
      'f --by k --engine clickhouse',
      '--url: got none, wanted the server of --engine clickhouse, as http://localhost:8123',
    ],
    ['f --by k --url http://h', '--url: got one, wanted --engine clickhouse beside it'],
    ['--by k --table t', '--table: got one, wanted --engine clickhouse beside it'],
    ['f --by k --engine clickhouse --url http://h --table t', '--table: got files beside it, wanted either'],
    [
      '--by k --engine clickhouse --url http://h',
      'files: got none, wanted one or more, as in rangefold sales.csv --by shop, or -',
    ],
    [
      'f --by k --format xml',
      '--format: got "xml", wanted one of table, csv, tsv, json, ndjson, arrow, parquet',
    ],
    ['f --by k --memory-limit 2XB', '--memory-limit: got "2XB", wanted bytes, as 500MB, 2GB or 1.5GiB'],
    ['f --by k --memory-limit 0', '--memory-limit: got "0", wanted bytes, as 500MB, 2GB or 1.5GiB'],
    ['f --by k --limit -3', '--limit: got "-3", wanted a whole number from 0 to 9007199254740991'],
  ])('are refused: %s', (words, message) => {
    expect(() => parseOptions(words.split(' '), '1.2.3')).toThrow(new UsageError(message));
  });

  it.each<[Partial<CliOptions>, string]>([
    [{ by: 'desc(' }, "--by: got the end, wanted a name, '(', a text or ')'"],
    [{ agg: ['delay'] }, '--agg: got "delay", wanted a function, as in mean(delay)'],
    [{ files: ['-', 'a', '-'] }, '- (standard input): got it more than once, wanted it once at most'],
    [
      { engine: 'reference', memoryLimit: 9 },
      '--memory-limit: got a number, wanted none with --engine reference',
    ],
    [{ engine: 'reference', workers: 2 }, '--workers: got a number, wanted none with --engine reference'],
    [
      { engine: 'clickhouse', url: 'ftp://h', table: 't' },
      '--url: got "ftp://h", wanted one of HTTP, as http://localhost:8123',
    ],
    [
      { engine: 'clickhouse', url: 'http://me:secret@h', table: 't' },
      '--url: got a user or password, wanted them in CLICKHOUSE_USER and CLICKHOUSE_PASSWORD',
    ],
    [
      { output: 'x.xml' },
      '--output x.xml: got no known extension, wanted one of .csv, .tsv, .json, .ndjson, .jsonl, .parquet, .arrow, .arrows, .feather, .txt, or --format',
    ],
  ])('are refused where they do not fit: %j', async (options, message) => {
    const running = run({ ...defaults, ...options }, new AbortController().signal);
    await expect(running).rejects.toThrow(UsageError);
    await expect(running).rejects.toThrow(message);
  });
});
