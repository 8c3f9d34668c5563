import type { RecordBatch, Table } from 'apache-arrow';
import type { Aggregator, Input, Query, RangeStats, RunOptions, Stats } from '../core/aggregator.js';
import { type Answer, answerOf, type RangeBatch, streamOf } from '../core/answer.js';
import { check } from '../core/check.js';
import { collect } from '../core/collect.js';
import { type OpenedInput, openInput } from '../core/input.js';
import { type Run, Runs } from '../core/runs.js';
import { schemaOf } from '../core/to-arrow.js';
import { assemble, requireFits } from './assemble.js';
import { Clock } from './clock.js';
import { compileProgram } from './compile-program.js';
import { type Folded, foldPhase } from './fold.js';
import { type HeldTable, Holder } from './hold.js';
import { compileKernels, instantiateKernels, type Kernels } from './kernels.js';
import { KernelMemory, reserveMemory } from './memory.js';
import { checkOptions, type ParallelOptions } from './options.js';
import { type Leveled, orderLevels } from './order-levels.js';
import type { Tuning } from './plan.js';
import type { Pool } from './pool.js';
import { InlineRunner, type Runner } from './runner.js';

export type { HeldTable } from './hold.js';
export type { ParallelOptions } from './options.js';
export type { Tuning } from './plan.js';

/**
 * The engine for work: folds rows on a pool of worker threads, cuts the groups into ascending ranges, orders each on a
 * worker of its own and lays the ranges end to end. Its answers are those of `createReference`, bit for bit, at any
 * number of workers. Threads start with the first run and stay until `close()`; they do not keep the process alive.
 * @throws QueryError for an option that is unknown or out of its range.
 */
export function createParallel(options: ParallelOptions = {}): ParallelAggregator {
  return new ParallelEngine(options);
}

/** The parallel engine, and what it alone can do. */
export interface ParallelAggregator extends Aggregator {
  /**
   * Copies a table into the engine's own memory, where its workers read it as it lies: for a table that is asked many
   * times. It is a Table like any other, for this engine and for whoever else reads tables over shared memory; after
   * `release()`, or when the engine is closed, it must not be read any more.
   * @throws MemoryLimitError where the engine's memory (4 GiB for all that is held and all that a run needs) does not take it.
   */
  hold(input: Table | RecordBatch): Promise<HeldTable>;
}

/** What an engine's runs share. */
interface Machine {
  readonly memory: KernelMemory;
  readonly kernels: Kernels;
  /** The threads, which start with the first run that is worth them. */
  pool(): Promise<Pool>;
}

class ParallelEngine implements ParallelAggregator {
  readonly name = 'parallel';
  private readonly workers: number;
  private readonly tuning: Tuning;
  private readonly runs = new Runs();
  private ready: Promise<Machine> | undefined;
  private pool: Promise<Pool> | undefined;
  private readonly holder = new Holder();
  /** Settles when the run that holds the pool is done with it. */
  private last: Promise<void> = Promise.resolve();

  constructor(options: ParallelOptions) {
    const { workers, tuning } = checkOptions(options);
    this.workers = workers;
    this.tuning = tuning;
  }

  aggregate: Aggregator['aggregate'] = async (input, query, options) =>
    collect(await this.start(input, query, options));

  async hold(input: Table | RecordBatch): Promise<HeldTable> {
    const run = this.runs.start(undefined);
    try {
      const { memory } = await this.warmUp();
      return await this.alone(run.signal, undefined, async () => this.holder.hold(memory, input));
    } finally {
      run.end();
    }
  }

  stream: Aggregator['stream'] = async (input, query, options) =>
    streamOf(await this.start(input, query, options));

  async close(): Promise<void> {
    this.runs.close();
    const pool = await this.pool?.catch(() => undefined);
    await pool?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async start(input: Input, query: Query, options: RunOptions = {}): Promise<Answer> {
    const run = this.runs.start(options.signal);
    try {
      return await this.answer(input, query, options, run);
    } catch (error) {
      run.end();
      // a run that was stopped fails in many ways, all for one reason
      throw run.signal.aborted ? run.signal.reason : error;
    }
  }

  /** Kernels are compiled while the input is opened. */
  private warmUp(): Promise<Machine> {
    this.ready ??= compileKernels().then((module) => {
      const memory = reserveMemory();
      const own = new KernelMemory(memory);
      return {
        memory: own,
        kernels: instantiateKernels(module, memory),
        pool: () => {
          // what small inputs never need is not loaded for them
          this.pool ??= import('./pool.js').then(({ Pool }) => new Pool(this.workers, module, own));
          return this.pool;
        },
      };
    });
    return this.ready;
  }

  /** Whether the calling thread folds an input itself. */
  private isSmall({ rows, source }: OpenedInput): boolean {
    return source === undefined && rows !== undefined && rows <= this.tuning.inlineRows;
  }

  /** All phases, in order. When this returns, the answer stands in memory of its own and the pool is free for others. */
  private async answer(
    input: Input,
    query: Query,
    options: RunOptions,
    { signal, end, fail }: Run,
  ): Promise<Answer> {
    const clock = new Clock(options.onProgress, fail);
    const warming = this.warmUp();
    warming.catch(() => undefined);
    const opened = await openInput(input, { ...options, signal });
    try {
      const checked = check(query, opened.fields);
      const program = compileProgram(checked);
      const { memory, kernels, pool } = await warming;
      signal.throwIfAborted();
      const runner: Runner = this.isSmall(opened) ? new InlineRunner(memory, kernels) : await pool();
      const schema = schemaOf(checked.output);
      const { tuning } = this;
      clock.count(() => 0, opened.rows);
      clock.enter('queue');
      const { folded, ordered, batches } = await this.alone(signal, runner, async () => {
        memory.reset();
        clock.count(() => memory.rows, opened.rows);
        clock.enter('fold');
        const folded = await foldPhase(memory, kernels, runner, program, checked, opened, tuning, signal);
        const ordered = await orderLevels(
          memory,
          kernels,
          runner,
          program,
          checked,
          folded,
          tuning,
          signal,
          (phase) => clock.enter(phase),
        );
        signal.throwIfAborted();
        clock.enter('assemble');
        requireFits(checked, ordered.ranges);
        const batches = await assemble(memory, runner, schema, checked, ordered.ranges);
        signal.throwIfAborted();
        clock.end();
        return { folded, ordered, batches };
      });
      const stats = statsOf(folded, ordered, strategiesOf(folded, ordered), clock);
      return answerOf(schema, rangeBatches(batches, signal), () => stats, end);
    } finally {
      clock.end();
      await opened.close();
    }
  }

  /** Runs `work` when no other run holds the pool. Its tasks are stopped when the signal is aborted. */
  private async alone<T>(
    signal: AbortSignal,
    runner: Runner | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const before = this.last;
    let done: () => void = () => undefined;
    this.last = new Promise((resolve) => {
      done = resolve;
    });
    const stop = (): void => runner?.stop();
    try {
      await orAborted(before, signal);
      signal.addEventListener('abort', stop);
      return await work();
    } finally {
      signal.removeEventListener('abort', stop);
      // also where this run gave up waiting: the one behind it waits for the one before it
      void before.then(done);
    }
  }
}

/** Waits, but no longer than until the signal is aborted: then rejects with its reason. */
async function orAborted(wait: Promise<void>, signal: AbortSignal): Promise<void> {
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  try {
    await Promise.race([wait, aborted]);
    signal.throwIfAborted();
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort);
  }
}

async function* rangeBatches(
  batches: readonly RecordBatch[],
  signal: AbortSignal,
): AsyncGenerator<RangeBatch, void, undefined> {
  for (const [range, batch] of batches.entries()) {
    signal.throwIfAborted();
    yield { range, batch };
  }
}

/** Every strategy that `stats.strategies` can name. */
export type Strategy = 'counting table' | 'hash table' | 'wide hash table' | 'relayout' | 'recut';

const TABLES = { dense: 'counting table', word: 'hash table', words: 'wide hash table' } as const;

function strategiesOf({ layout, relayouts }: Folded, { recut }: Leveled): Strategy[] {
  const strategies: Strategy[] = [TABLES[layout.kind]];
  if (relayouts > 0) strategies.push('relayout');
  if (recut) strategies.push('recut');
  return strategies;
}

function statsOf(folded: Folded, { ranges }: Leveled, strategies: Strategy[], clock: Clock): Stats {
  return {
    engine: 'parallel',
    rows: folded.rows,
    groups: ranges.reduce((sum, { rows }) => sum + rows, 0),
    workers: folded.tables.length,
    strategies,
    milliseconds: clock.milliseconds,
    ranges: ranges.map(
      ({ rows, partials, worker, milliseconds }): RangeStats => ({
        worker,
        partials,
        groups: rows,
        milliseconds,
      }),
    ),
    spilledBytes: 0,
  };
}
