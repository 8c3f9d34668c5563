import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { TaskName, Tasks } from './protocol.js';
import { TASKS, type Work } from './tasks.js';

/** What runs the tasks of a run: a pool of threads, or the calling thread. */
export interface Runner {
  /** Tasks that may run at the same time. */
  readonly workers: number;
  /** Runs a task. It may take the buffers in `moved` away, where it does not run on the calling thread. */
  run<N extends TaskName>(
    name: N,
    input: Tasks[N]['input'],
    moved?: readonly ArrayBuffer[],
  ): Promise<Done<N>>;
  /**
   * Runs a task for each input. When one fails the others are stopped, and the error is that of the first. All of them have
   * ended when it settles, in whatever way: only then may their memory be used again.
   */
  all<N extends TaskName>(name: N, inputs: readonly Tasks[N]['input'][]): Promise<Done<N>[]>;
  /** Makes the tasks that run end soon, as failed ones. */
  stop(): void;
}

/** What a task gave, and the worker that did it: a number below `workers`. */
export interface Done<N extends TaskName> {
  readonly output: Tasks[N]['output'];
  readonly worker: number;
}

/**
 * Runs tasks one after the other on the calling thread: what an input is worth that a few milliseconds fold. With more
 * workers than one it does the work of each in turn, so that a test can look at what a phase leaves behind.
 */
export class InlineRunner implements Runner {
  readonly workers: number;
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;

  constructor(memory: KernelMemory, kernels: Kernels, workers = 1) {
    this.workers = workers;
    this.memory = memory;
    this.kernels = kernels;
  }

  async run<N extends TaskName>(name: N, input: Tasks[N]['input']): Promise<Done<N>> {
    const work = TASKS[name] as Work<N>;
    return { output: await work(this.memory, this.kernels, input), worker: 0 };
  }

  async all<N extends TaskName>(name: N, inputs: readonly Tasks[N]['input'][]): Promise<Done<N>[]> {
    const done: Done<N>[] = [];
    for (const input of inputs) done.push(await this.run(name, input));
    return done;
  }

  stop(): void {
    this.memory.cancel();
  }
}
