import type { Aggregator } from '../core/aggregator.js';
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
  const { files, output, workers } = options;
  // What is wrong with the words is said before any file is opened.
  queryOf(options);
  if (files.includes('-')) throw new UsageError('- (standard input) is not supported yet');
  if (workers !== undefined && options.engine === 'reference') {
    throw new UsageError('--workers: got a number, wanted none with --engine reference');
  }
  const { formatOfName, writeFile, writeStream } = await import('../io/write.js');
  const format = options.format ?? (output === undefined ? 'table' : formatOfName(output));
  if (format === undefined) {
    throw new UsageError(`--output ${output}: got no known extension, wanted one, or --format`);
  }
  const [{ open }, { fieldsOf }, engine] = await Promise.all([
    import('../io/open.js'),
    import('../core/from-arrow.js'),
    createEngine(options),
  ]);
  const progress =
    options.quiet || process.stderr.isTTY !== true ? undefined : createProgressLine(process.stderr);
  try {
    const source = await open(files);
    const answer = await engine.stream(source, queryOf(options, fieldsOf(source.schema)), {
      signal,
      ...(progress && { onProgress: (it) => progress.show(it) }),
    });
    if (output !== undefined) await writeFile(answer, format, output);
    else if (!(await writeStream(answer, format, process.stdout))) return;
    progress?.clear();
    if (options.stats) process.stderr.write(statsText(await answer.stats));
  } finally {
    progress?.clear();
    await engine.close();
  }
}

async function createEngine({ engine, workers }: CliOptions): Promise<Aggregator> {
  if (engine === 'reference') return (await import('../reference/create-reference.js')).createReference();
  const { createParallel } = await import('../parallel/index.js');
  return createParallel(workers === undefined ? {} : { workers });
}
