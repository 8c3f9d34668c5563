import { channel } from 'node:diagnostics_channel';
import { fileURLToPath } from 'node:url';
import { move, Piscina } from 'piscina';
import { WorkerError } from '../core/errors.js';
import { threadArguments } from '../core/thread-arguments.js';
import { errorOf, type Outcome } from './failure.js';
import type { TaskName, Tasks, WorkerData } from './protocol.js';
import type { Done, Runner } from './runner.js';

interface Measured<N extends TaskName> extends Done<N> {
  readonly nanoseconds: number | undefined;
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
 * For measurements: `{ task, nanoseconds }` of the tasks that ran together, in the order they were given, the CPU time of
 * each, where the system tells it. Pools that start while nobody subscribes measure nothing.
 */
const MEASURED = channel('rangefold:tasks');

/** The engine's threads. Each holds the kernels and sees all of kernel memory. They never keep the process alive while idle. */
export class Pool implements Runner {
  private readonly piscina: Piscina;
  readonly workers: number;
  private readonly numbers = new Map<number, number>();

  constructor(workers: number, data: WorkerData) {
    this.workers = workers;
    this.piscina = new Piscina({
      filename: fileURLToPath(new URL('./worker.js', import.meta.url)),
      minThreads: workers,
      maxThreads: workers,
      // a task that waits would wait for a thread that is busy with another task of its run
      concurrentTasksPerWorker: 1,
      workerData: { ...data, measured: MEASURED.hasSubscribers },
      ...threadArguments(),
    });
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
  async run<N extends TaskName>(name: N, input: Tasks[N]['input']): Promise<Done<N>> {
    const [done] = await this.all(name, [input]);
    return done;
  }

  private async execute<N extends TaskName>(name: N, input: Tasks[N]['input']): Promise<Measured<N>> {
    let outcome: Outcome<Tasks[N]['output']>;
    try {
      outcome = (await this.piscina.run(input, { name })) as Outcome<Tasks[N]['output']>;
    } catch (error) {
      const came = error instanceof Error ? error.message : String(error);
      throw new WorkerError(`task ${name}: got a worker that died (${came})`, {
        parameter: `task ${name}`,
        came,
        cause: error,
      });
    }
    if ('failure' in outcome) throw errorOf(outcome.failure, name);
    const { value, thread, nanoseconds } = outcome;
    return { output: value, worker: this.numberOf(thread), nanoseconds };
  }

  /** The tasks run at the same time. */
  async all<N extends TaskName>(
    name: N,
    inputs: readonly Tasks[N]['input'][],
    stop: () => void = () => undefined,
  ): Promise<Done<N>[]> {
    const runs = inputs.map((input) => this.execute(name, input));
    for (const run of runs) run.catch(stop);
    const settled = await Promise.allSettled(runs);
    const done = settled.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
    if (MEASURED.hasSubscribers) {
      MEASURED.publish({ task: name, nanoseconds: done.map(({ nanoseconds }) => nanoseconds) });
    }
    return done;
  }

  async close(): Promise<void> {
    await this.piscina.destroy();
  }
}
