import { Command, CommanderError, Option } from 'commander';
import { DELIMITER, isDelimiter } from '../io/csv-form.js';
import type { OutputFormat } from '../io/format-of-name.js';
import { UsageError } from './usage-error.js';

/** The command line as it was given, checked as far as words go. */
export interface CliOptions {
  readonly files: readonly string[];
  readonly by: string;
  readonly agg: readonly string[];
  readonly where: string | undefined;
  readonly having: string | undefined;
  readonly sort: string | undefined;
  readonly limit: number | undefined;
  readonly engine: 'parallel' | 'reference' | 'clickhouse';
  /** Of the server of --engine clickhouse. */
  readonly url: string | undefined;
  /** A table that is read in place instead of files. */
  readonly table: string | undefined;
  /** Undefined: as the engine thinks best. */
  readonly workers: number | undefined;
  /** Bytes. Undefined: none, and the system's directory for temporary files. */
  readonly memoryLimit: number | undefined;
  readonly spillDirectory: string | undefined;
  /** Undefined: by the name of the output, or a table. */
  readonly format: OutputFormat | undefined;
  readonly output: string | undefined;
  /** Of text; undefined: a comma, of .tsv a tab. */
  readonly delimiter: string | undefined;
  /** Types of a text's columns; others are inferred. */
  readonly types: Readonly<Record<string, string>>;
  /** Fields of a text that are null beside the empty one. */
  readonly nulls: readonly string[];
  readonly stats: boolean;
  readonly quiet: boolean;
}

/** Undefined where help or the version was asked for, and shown. @throws UsageError */
export function parseOptions(argv: readonly string[], version: string): CliOptions | undefined {
  const command = createCommand(version);
  try {
    command.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    const message = error.message.replace(/^error: /, '');
    throw new UsageError(message.startsWith('unknown option') ? `${message}; --help lists them` : message);
  }
  const options = command.opts<Partial<CliOptions> & { type?: CliOptions['types']; null?: string[] }>();
  // Checked here, for commander looks for what is missing before it looks for what is wrong.
  requirePlace(command.args, options);
  if (options.by === undefined) throw new UsageError('--by: got none, wanted key columns, as in --by origin');
  return {
    files: command.args,
    by: options.by,
    agg: options.agg ?? [],
    where: options.where,
    having: options.having,
    sort: options.sort,
    limit: options.limit,
    engine: options.engine ?? 'parallel',
    url: options.url,
    table: options.table,
    workers: options.workers,
    memoryLimit: options.memoryLimit,
    spillDirectory: options.spillDirectory,
    format: options.format,
    output: options.output,
    delimiter: options.delimiter,
    types: options.type ?? {},
    nulls: options.null ?? [],
    stats: options.stats === true,
    quiet: options.quiet === true,
  };
}

/** Whether it is said what is read, and only once. @throws UsageError */
function requirePlace(files: readonly string[], { engine, url, table }: Partial<CliOptions>): void {
  if (engine !== 'clickhouse') {
    const name = url !== undefined ? '--url' : table !== undefined ? '--table' : undefined;
    if (name !== undefined) throw new UsageError(`${name}: got one, wanted --engine clickhouse beside it`);
  } else if (url === undefined) {
    throw new UsageError(
      '--url: got none, wanted the server of --engine clickhouse, as http://localhost:8123',
    );
  }
  if (table !== undefined && files.length > 0)
    throw new UsageError('--table: got files beside it, wanted either');
  if (table === undefined && files.length === 0) {
    throw new UsageError('files: got none, wanted one or more, as in rangefold sales.csv --by shop, or -');
  }
}

function createCommand(version: string): Command {
  const command = new Command('rangefold')
    .description(
      'Groups the rows of Parquet, Arrow, CSV and TSV files (texts also in gzip), and writes one row a group, in key order.',
    )
    .argument('[files...]', 'one input, in the order given; - is standard input')
    .option(
      '--by <keys>',
      "keys: origin,desc(distance), bucket(delay,15), month=timeBucket(date,'1 month'), rollup(a,b)",
      once('--by', 'commas between keys'),
    )
    .addOption(
      new Option('--agg <aggregate>', 'an output column: late=mean(delay) where delay > 0; repeatable')
        .argParser(append)
        .default([], 'count()'),
    )
    .option(
      '--where <condition>',
      "rows kept: delay > 0 and origin in ('SFO','LAX')",
      once('--where', 'and between conditions'),
    )
    .option(
      '--having <condition>',
      'groups kept, over output columns: flights >= 1000',
      once('--having', 'and between conditions'),
    )
    .option(
      '--sort <columns>',
      'output columns to sort by: desc(flights),origin (default: key order)',
      once('--sort', 'commas between columns'),
    )
    .option('--limit <number>', 'groups kept, from the first', (value: string) =>
      wholeNumber('--limit', value, 0, Number.MAX_SAFE_INTEGER),
    )
    .addOption(
      choice(
        '--engine <name>',
        'which engine runs: parallel; reference, the same answers slowly; clickhouse, on its servers',
        ['parallel', 'reference', 'clickhouse'],
      ).default('parallel', 'parallel'),
    )
    .option(
      '--url <url>',
      'the server of --engine clickhouse; CLICKHOUSE_USER, CLICKHOUSE_PASSWORD and CLICKHOUSE_DATABASE are of the environment',
    )
    .option('--table <name>', 'a table of that server instead of files: events, or database.events')
    .option('--workers <number>', 'threads of the parallel engine (default: one a core)', (value: string) =>
      wholeNumber('--workers', value, 1, 1024),
    )
    .option(
      '--memory-limit <size>',
      'memory of the parallel engine, as 500MB or 2GB; groups that do not fit go to files',
      (value: string) => byteSize('--memory-limit', value),
    )
    .option('--spill-directory <directory>', "where (default: the system's for temporary files)")
    .addOption(
      choice(
        '--format <name>',
        'table, csv, tsv, json, ndjson, arrow or parquet (default: by the name of the output, or table)',
        ['table', 'csv', 'tsv', 'json', 'ndjson', 'arrow', 'parquet'],
      ),
    )
    .option(
      '--output <file>',
      'where to write, whole or not at all, over what is there (default: standard output)',
    )
    .option(
      '--delimiter <character>',
      "between the fields of a text, as ';' or '\\t' (default: a comma, of .tsv a tab)",
      delimiterOf,
    )
    .addOption(
      new Option(
        '--type <column=type>',
        'the type of a column of a text: code=Utf8; repeatable (default: inferred)',
      ).argParser(typed),
    )
    .addOption(
      new Option(
        '--null <text>',
        'a field of a text that is null, beside the empty one: N/A; repeatable',
      ).argParser(append),
    )
    .option('--stats', 'what ran and how long each phase took, on standard error')
    .option('--quiet', 'no progress on standard error')
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}`)
    .configureOutput({ writeErr: () => undefined })
    .exitOverride();
  return command;
}

const examples = [
  'rangefold flights.parquet --by origin',
  "rangefold flights.parquet --by 'origin,desc(distance)' --agg 'late=mean(delay)' --agg 'max(delay)'",
  "rangefold flights.parquet --by origin --where \"destination = 'SFO'\" --sort 'desc(count)' --limit 5",
  'rangefold jan.csv feb.csv.gz --by origin --output by-origin.parquet',
  "cat jan.csv | rangefold - --by origin --agg 'sum(delay)' --format csv | head",
];

function choice(flags: string, text: string, known: readonly string[]): Option {
  const name = flags.split(' ')[0];
  return new Option(flags, text).argParser((value: string) => {
    if (known.includes(value)) return value;
    throw new UsageError(`${name}: got ${JSON.stringify(value)}, wanted one of ${known.join(', ')}`);
  });
}

function delimiterOf(value: string): string {
  const character = value === '\\t' ? '\t' : value;
  if (isDelimiter(character)) return character;
  throw new UsageError(`--delimiter: got ${JSON.stringify(value)}, wanted ${DELIMITER}`);
}

function typed(value: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = value.indexOf('=');
  const [column, type] = [value.slice(0, at), value.slice(at + 1)];
  if (at < 1 || type === '')
    throw new UsageError(`--type: got ${JSON.stringify(value)}, wanted a column and its type, as code=Utf8`);
  if (Object.hasOwn(before, column))
    throw new UsageError(`--type: got ${JSON.stringify(column)} more than once, wanted one type`);
  return { ...before, [column]: type };
}

/** The second of two would be taken and the first forgotten. */
function once(name: string, instead: string): (value: string, before: string | undefined) => string {
  return (value, before) => {
    if (before === undefined) return value;
    throw new UsageError(`${name}: got it more than once, wanted it once, with ${instead}`);
  };
}

function append(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function wholeNumber(name: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  throw new UsageError(
    `${name}: got ${JSON.stringify(value)}, wanted a whole number from ${least} to ${most}`,
  );
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Bytes, as 500MB or 1.5GB, or with an i between for the powers of 1024. */
function byteSize(name: string, value: string): number {
  const [, digits, letter = '', binary] = /^(\d+(?:\.\d+)?) ?(?:([KMGT]?)(i?)B)?$/i.exec(value) ?? [];
  const power = UNITS.indexOf(`${letter.toUpperCase()}B`);
  const bytes = Math.floor(Number(digits) * (binary ? 1024 : 1000) ** power);
  if (digits !== undefined && Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new UsageError(`${name}: got ${JSON.stringify(value)}, wanted bytes, as 500MB, 2GB or 1.5GiB`);
}
