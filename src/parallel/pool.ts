import { channel } from 'node:diagnostics_channel';
import { fileURLToPath } from 'node:url';
import { move, Piscina } from 'piscina';
import { WorkerError } from '../core/errors.js';
import { threadArguments } from '../core/thread-arguments.js';
import { errorOf, type Outcome, type TaskTime } from './failure.js';
import type { KernelMemory } from './memory.js';
import type { TaskName, Tasks, WorkerData } from './protocol.js';
import type { Done, Runner } from './runner.js';

interface Measured<N extends TaskName> extends Done<N> {
  readonly time: TaskTime | undefined;
}

/** Makes a task's answer move buffers to the caller instead of copying them. */
export function moving<T extends object>(answer: T, buffers: readonly ArrayBuffer[]): T {
  // piscina moves what is named by its two well-known symbols
  return move({
    get [Piscina.transferableSymbol](): readonly ArrayBuffer[] {
      return buffers;
    },
    get [Piscina.valueSymbol](): T {
      return answer;
    },
  } as never) as unknown as T;
}

/**
 * Milliseconds that tasks have to end by themselves once they are told to; then their threads are ended, so that a run ends
 * within 100. Our own tasks look at the flag every few milliseconds. A module that reads a part may be anywhere: in a decoder that knows no flag, or in an endless loop.
 */
const PATIENCE = 40;

/**
 * For measurements: `{ task, nanoseconds, spans }` of the tasks that ran together, in the order they were given: the CPU time
 * of each, where the system tells it, and `{ worker, start, end }`. Pools that start while nobody subscribes measure nothing.
 */
const MEASURED = channel('rangefold:tasks');

function publish(task: TaskName, done: readonly Measured<TaskName>[]): void {
  if (!MEASURED.hasSubscribers) return;
  MEASURED.publish({
    task,
    nanoseconds: done.map(({ time }) => time?.nanoseconds),
    spans: done.map(({ worker, time }) => time && { worker, start: time.start, end: time.end }),
  });
}

/** The engine's threads. Each holds the kernels and sees all of kernel memory. They never keep the process alive while idle. */
export class Pool implements Runner {
  readonly workers: number;
  private readonly module: WebAssembly.Module;
  private readonly memory: KernelMemory;
  private threads: Piscina | undefined;
  private readonly numbers = new Map<number, number>();
  private running = 0;
  private patience: NodeJS.Timeout | undefined;
  private closed = false;
  /** Settles when all threads have ended that are being ended. */
  private ending: Promise<void> = Promise.resolve();

  constructor(workers: number, module: WebAssembly.Module, memory: KernelMemory) {
    this.workers = workers;
    this.module = module;
    this.memory = memory;
    this.threads = this.start();
  }

  private start(): Piscina {
    const { workers, module } = this;
    const { memory } = this.memory;
    const threads = new Piscina({
      filename: fileURLToPath(new URL('./worker.js', import.meta.url)),
      minThreads: workers,
      maxThreads: workers,
      // a task that waits would wait for a thread that is busy with another task of its run
      concurrentTasksPerWorker: 1,
      workerData: { module, memory, measured: MEASURED.hasSubscribers } satisfies WorkerData,
      ...threadArguments(),
    });
    // an error of a thread that has no task has nobody to tell, and must not end the process
    threads.on('error', () => undefined);
    return threads;
  }

  /** The number of a thread among the engine's, from 0. */
  private numberOf(thread: number): number {
    const known = this.numbers.get(thread);
    if (known !== undefined) return known;
    const number = this.numbers.size % this.workers;
    this.numbers.set(thread, number);
    return number;
  }

  /** Runs a task on a thread that is free. @throws the error that the task raised; WorkerError where its thread died. */
  async run<N extends TaskName>(
    name: N,
    input: Tasks[N]['input'],
    moved: readonly ArrayBuffer[] = [],
  ): Promise<Done<N>> {
    const done = await this.execute(name, input, moved);
    publish(name, [done]);
    return done;
  }

  private async execute<N extends TaskName>(
    name: N,
    input: Tasks[N]['input'],
    moved: readonly ArrayBuffer[] = [],
  ): Promise<Measured<N>> {
    if (this.closed) throw new WorkerError(`task ${name}: got a pool that is closed`);
    let outcome: Outcome<Tasks[N]['output']>;
    this.threads ??= this.start();
    this.running++;
    try {
      outcome = (await this.threads.run(input, { name, transferList: [...moved] })) as typeof outcome;
    } catch (error) {
      // a task is given up before its thread has ended
      await this.ending;
      const came = error instanceof Error ? error.message : String(error);
      throw new WorkerError(`task ${name}: got a worker that died (${came})`, {
        parameter: `task ${name}`,
        came,
        cause: error,
      });
    } finally {
      this.running--;
      if (this.running === 0) {
        clearTimeout(this.patience);
        this.patience = undefined;
      }
    }
    if ('failure' in outcome) throw errorOf(outcome.failure, name);
    const { value, thread, time } = outcome;
    return { output: value, worker: this.numberOf(thread), time };
  }

  async all<N extends TaskName>(name: N, inputs: readonly Tasks[N]['input'][]): Promise<Done<N>[]> {
    const errors: unknown[] = [];
    const runs = inputs.map((input) => this.execute(name, input));
    for (const run of runs) {
      run.catch((error) => {
        errors.push(error);
        this.stop();
      });
    }
    const settled = await Promise.allSettled(runs);
    const done = settled.map((one) => {
      // those behind the first failed because they were stopped
      if (one.status === 'rejected') throw errors[0];
      return one.value;
    });
    publish(name, done);
    return done;
  }

  stop(): void {
    this.memory.cancel();
    if (this.running > 0) this.patience ??= setTimeout(() => this.end(), PATIENCE);
  }

  /** Ends the threads, whatever they do. The next task starts others. */
  private end(): void {
    const { threads } = this;
    this.threads = undefined;
    this.numbers.clear();
    if (threads !== undefined) this.ending = threads.destroy();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.end();
    await this.ending;
  }
}
