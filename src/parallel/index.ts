import type { RecordBatch, Table } from 'apache-arrow';
import type { Aggregator, Input, Query, RunOptions } from '../core/aggregator.js';
import { type Answer, answerOf, streamOf } from '../core/answer.js';
import { check } from '../core/check.js';
import { collect } from '../core/collect.js';
import { type OpenedInput, openInput } from '../core/input.js';
import { type Run, Runs } from '../core/runs.js';
import { schemaOf } from '../core/to-arrow.js';
import { assemble, requireFits } from './assemble.js';
import { Clock } from './clock.js';
import { compileProgram } from './compile-program.js';
import { foldPhase } from './fold.js';
import type { HeldTable } from './held-table.js';
import { Holder } from './hold.js';
import { compileKernels, instantiateKernels, type Kernels } from './kernels.js';
import { cutPhase } from './load.js';
import { KernelMemory, reserveMemory } from './memory.js';
import { type CheckedOptions, checkOptions, type ParallelOptions } from './options.js';
import { orAborted } from './or-aborted.js';
import { orderLevels } from './order-levels.js';
import { planKernelBytes } from './plan.js';
import type { Pool } from './pool.js';
import { rangeBatches } from './range-batches.js';
import { InlineRunner, type Runner } from './runner.js';
import { removeLeftFolders, SpillFolder } from './spill-folder.js';
import { spilledAnswer } from './spilled-answer.js';
import { statsOf } from './stats.js';
import { withinLimit } from './within-limit.js';

export type { HeldTable } from './held-table.js';
export type { ParallelOptions } from './options.js';
export type { Tuning } from './tuning.js';

/**
 * The engine for work: folds rows on a pool of worker threads, cuts the groups into ascending ranges, orders each on a
 * worker of its own and lays the ranges end to end. Its answers are those of `createReference`, bit for bit, at any
 * number of workers. Threads start with the first run and stay until `close()`; they do not keep the process alive.
 * @throws QueryError for an option that is unknown or out of its range; MemoryLimitError for a limit that no run can keep.
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
   * @throws QueryError for what is neither; MemoryLimitError where the engine's memory (4 GiB for all that is held and all that a run
   * needs) does not take it.
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
  private readonly options: CheckedOptions;
  private readonly runs = new Runs();
  private ready: Promise<Machine> | undefined;
  private pool: Promise<Pool> | undefined;
  private readonly holder = new Holder();
  private cleaning: Promise<void> | undefined;
  /** Folders that are being removed. */
  private readonly removals = new Set<Promise<void>>();
  /** Settles when the run that holds the pool is done with it. */
  private last: Promise<void> = Promise.resolve();

  constructor(options: ParallelOptions) {
    this.options = checkOptions(options);
  }

  aggregate: Aggregator['aggregate'] = async (input, query, options) =>
    collect(withinLimit(await this.start(input, query, options), this.options.memoryLimit));

  async hold(input: Table | RecordBatch): Promise<HeldTable> {
    const run = this.runs.start(undefined);
    try {
      const { memory } = await this.warmUp();
      return await this.alone(run.signal, undefined, async () => {
        memory.reset();
        return this.holder.hold(memory, input);
      });
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
    await Promise.all([this.cleaning, ...this.removals]);
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
    this.cleaning ??= removeLeftFolders(this.options.spillDirectory);
    this.ready ??= compileKernels().then((module) => {
      const memory = reserveMemory();
      const own = new KernelMemory(memory);
      return {
        memory: own,
        kernels: instantiateKernels(module, memory),
        pool: () => {
          // what small inputs never need is not loaded for them
          this.pool ??= import('./pool.js').then(({ Pool }) => new Pool(this.options.workers, module, own));
          return this.pool;
        },
      };
    });
    return this.ready;
  }

  /** Whether the calling thread folds an input itself. */
  private isSmall({ rows, source }: OpenedInput): boolean {
    return source === undefined && rows !== undefined && rows <= this.options.tuning.inlineRows;
  }

  /**
   * All phases, in order. When this returns, the answer stands in memory of its own and the pool is free for others; or
   * the groups stand in files, and are loaded as they are asked for.
   */
  private async answer(input: Input, query: Query, options: RunOptions, run: Run): Promise<Answer> {
    const { signal } = run;
    const clock = new Clock(options.onProgress, run.fail);
    const warming = this.warmUp();
    warming.catch(() => undefined);
    this.holder.requireHeld(input);
    const opened = await openInput(input, { ...options, signal });
    const folder = new SpillFolder(this.options.spillDirectory);
    let isSpilled = false;
    try {
      const checked = check(query, opened.fields);
      const program = compileProgram(checked);
      const { memory, kernels, pool } = await warming;
      signal.throwIfAborted();
      const runner: Runner = this.isSmall(opened) ? new InlineRunner(memory, kernels) : await pool();
      const schema = schemaOf(checked.output);
      const { tuning, memoryLimit } = this.options;
      clock.count(() => 0, opened.rows);
      clock.enter('queue');
      const enter = (phase: string): void => clock.enter(phase);
      const alone = <T>(work: () => Promise<T>): Promise<T> =>
        this.alone(signal, runner, () => {
          memory.reset(memoryLimit === undefined ? undefined : planKernelBytes(memoryLimit));
          return work();
        });
      const done = await alone(async () => {
        clock.count(() => memory.rows, opened.rows);
        enter('fold');
        const folded = await foldPhase(
          memory,
          kernels,
          runner,
          program,
          checked,
          opened,
          tuning,
          signal,
          folder,
        );
        clock.count(() => folded.rows, opened.rows);
        if (folded.runs.length > 0) {
          enter('split');
          return { folded, spilled: await cutPhase(memory, runner, program, folded, tuning, folder) };
        }
        const ordered = await orderLevels(
          memory,
          kernels,
          runner,
          program,
          checked,
          folded,
          tuning,
          signal,
          enter,
        );
        signal.throwIfAborted();
        enter('assemble');
        requireFits(checked, ordered.ranges);
        const batches = await assemble(memory, runner, schema, checked, ordered.ranges);
        signal.throwIfAborted();
        return { folded, ordered, batches };
      });
      if (done.spilled === undefined) {
        const { folded, ordered, batches } = done;
        clock.end();
        const stats = statsOf(folded, { ...ordered, spilledBytes: 0 }, clock);
        return answerOf(schema, rangeBatches(batches, signal), () => stats, run.end);
      }
      isSpilled = true;
      const { folded, spilled } = done;
      const loading = {
        memory,
        kernels,
        runner,
        program,
        query: checked,
        spilled,
        tuning,
        signal,
        alone,
        clock,
      };
      const { batches, tally } = spilledAnswer(loading, schema, memoryLimit);
      // what runs from now on only reads, and is stopped as well
      signal.addEventListener('abort', () => this.remove(folder, signal), { once: true });
      return answerOf(
        schema,
        rangeBatches(batches, signal),
        () => statsOf(folded, tally, clock),
        () => {
          this.remove(folder, signal);
          run.end();
        },
      );
    } finally {
      clock.end();
      if (!isSpilled) this.remove(folder, signal);
      await opened.close();
    }
  }

  private remove(folder: SpillFolder, { aborted }: AbortSignal): void {
    if (!aborted) {
      folder.remove();
      return;
    }
    const removal = folder.removeLater();
    this.removals.add(removal);
    void removal.then(() => this.removals.delete(removal));
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
