import { stat } from 'node:fs/promises';
import type { Aggregator, Input, Query } from '../core/aggregator.js';
import { check } from '../core/check.js';
import type { Field } from '../core/type.js';
import type { OpenOptions } from '../io/find-inputs.js';
import { EXTENSIONS, formatOfName } from '../io/format-of-name.js';
import type { Cluster } from './cluster.js';
import type { CliOptions } from './options.js';
import { createProgressLine } from './progress.js';
import { queryOf } from './query.js';
import { statsText } from './stats-text.js';
import { UsageError } from './usage-error.js';

/**
 * Runs the query of a command line and writes its answer. What it needs is loaded here, after the words are known to
 * be right, and the engine starts while the files are being opened.
 * @throws UsageError, and what the engines and formats throw
 */
export async function run(options: CliOptions, signal: AbortSignal): Promise<void> {
  const { files, output, workers, memoryLimit: limit } = options;
  // What is wrong with the words is said before any file is opened.
  queryOf(options);
  const standard = files.indexOf('-');
  if (files.lastIndexOf('-') !== standard) {
    throw new UsageError('- (standard input): got it more than once, wanted it once at most');
  }
  if (options.engine !== 'parallel') {
    const name = workers !== undefined ? '--workers' : limit !== undefined ? '--memory-limit' : undefined;
    if (name !== undefined) {
      throw new UsageError(`${name}: got a number, wanted none with --engine ${options.engine}`);
    }
  }
  const format = options.format ?? (output === undefined ? 'table' : formatOfName(output));
  if (format === undefined) {
    throw new UsageError(
      `--output ${output}: got no known extension, wanted one of ${EXTENSIONS.join(', ')}, or --format`,
    );
  }
  if (output === undefined && ['arrow', 'parquet'].includes(format) && process.stdout.isTTY === true) {
    throw new UsageError(`--format ${format}: got a terminal to write to, wanted --output or a pipe`);
  }
  if (output !== undefined) await requireOther(output, files);
  const kept =
    standard === -1
      ? undefined
      : await (await import('./standard-input.js')).keepInput(process.stdin, signal);
  try {
    const paths = files.map((path) => (path === '-' && kept !== undefined ? kept.path : path));
    const names = files.map((path) => (path === '-' ? 'standard input' : path));
    await answer(options, paths, names, format, signal);
  } finally {
    await kept?.remove();
  }
}

/** @throws UsageError where the answer would be written over what is asked. */
async function requireOther(output: string, files: readonly string[]): Promise<void> {
  const identityOf = (path: string): Promise<string | undefined> =>
    stat(path).then(
      ({ dev, ino }) => `${dev} ${ino}`,
      () => undefined,
    );
  const written = await identityOf(output);
  if (written === undefined) return;
  for (const path of files) {
    if (path !== '-' && (await identityOf(path)) === written)
      throw new UsageError(`--output ${output}: got a file that is read, wanted another`);
  }
}

async function answer(
  options: CliOptions,
  paths: readonly string[],
  names: readonly string[],
  format: NonNullable<CliOptions['format']>,
  signal: AbortSignal,
): Promise<void> {
  const { output } = options;
  const starting = createEngine(options);
  const [{ inputOf, fields }, { writeFile, writeStream }, engine] = await Promise.all([
    options.table === undefined
      ? openInput(paths, { names, ...textOptions(options) })
      : starting.then((engine) => findTable(engine, options.table ?? '', signal)),
    importWriter(format),
    starting,
  ]);
  const { stderr, stdout } = process;
  const progress = options.quiet || stderr.isTTY !== true ? undefined : createProgressLine(stderr);
  let isWriting = false;
  try {
    const query = queryOf(options, fields);
    const input = inputOf(query);
    // Where the engine does not know how many rows there are, it does not say.
    const about =
      typeof input === 'object' && 'approximateRows' in input ? { totalRows: input.approximateRows } : {};
    const answer = await engine.stream(input, query, {
      signal,
      ...(progress && {
        // what comes while rows are written to a terminal would stand among them
        onProgress: (it) => (isWriting ? undefined : progress.show({ ...about, ...it })),
      }),
    });
    progress?.clear();
    isWriting = output === undefined;
    if (output !== undefined) await writeFile(answer, format, output);
    else if (!(await writeStream(answer, format, stdout, viewOf(stdout)))) return;
    if (options.stats) stderr.write(statsText(await answer.stats));
  } finally {
    progress?.clear();
    await engine.close();
  }
}

async function importWriter(
  format: NonNullable<CliOptions['format']>,
): Promise<typeof import('../io/write.js')> {
  const module = await import('../io/write.js');
  await module.loadWriter(format);
  return module;
}

/** How a text is read. */
function textOptions({ delimiter, types, nulls }: CliOptions): OpenOptions {
  return {
    types,
    ...(delimiter !== undefined && { delimiter }),
    ...(nulls.length > 0 && { nullValues: ['', ...nulls] }),
  };
}

/** What is asked, as a query needs it, and its columns. */
interface Opened {
  inputOf(query: Query): Input | string;
  readonly fields: readonly Field[];
}

/** Small texts are read before a thread could start. */
async function openInput(paths: readonly string[], how: OpenOptions): Promise<Opened> {
  const [{ openInPlace }, { fieldsOf }] = await Promise.all([
    import('../io/open-in-place.js'),
    import('../core/from-arrow.js'),
  ]);
  const text = await openInPlace(paths, how);
  if (text !== undefined) {
    const fields = fieldsOf(text.schema);
    return { inputOf: (query) => text.read(check(query, fields).columns.map(({ name }) => name)), fields };
  }
  const source = await (await import('../io/open.js')).open(paths, how);
  return { inputOf: () => source, fields: fieldsOf(source.schema) };
}

async function findTable(engine: Engine, table: string, signal: AbortSignal): Promise<Opened> {
  return { inputOf: () => table, fields: (await engine.fieldsOf?.(table, signal)) ?? [] };
}

/** What a table is fitted to, where it is written to a terminal. */
function viewOf(stream: NodeJS.WriteStream): { columns: number; rows: number; colors: boolean } | undefined {
  if (stream.isTTY !== true) return undefined;
  return { columns: stream.columns, rows: stream.rows, colors: stream.hasColors() };
}

/** An engine that may read tables in place. */
type Engine = Pick<Aggregator<Input | string>, 'stream' | 'close'> & Partial<Pick<Cluster, 'fieldsOf'>>;

async function createEngine(options: CliOptions): Promise<Engine> {
  const { engine, workers, memoryLimit, spillDirectory, url } = options;
  if (url !== undefined) return (await import('./cluster.js')).connect(url);
  if (engine === 'reference')
    return ofFiles((await import('../reference/create-reference.js')).createReference());
  const { createParallel } = await import('../parallel/index.js');
  return ofFiles(
    createParallel({
      ...(workers !== undefined && { workers }),
      ...(memoryLimit !== undefined && { memoryLimit }),
      ...(spillDirectory !== undefined && { spillDirectory }),
    }),
  );
}

/** The words are right, so that no table comes here. */
function ofFiles(engine: Aggregator): Engine {
  return engine as Engine;
}
