import { readFileSync } from 'node:fs';
import { threadId, workerData } from 'node:worker_threads';
import { buffersOf } from './buffers-of.js';
import { failureOf, type Outcome, type TaskTime } from './failure.js';
import { instantiateKernels } from './kernels.js';
import { KernelMemory } from './memory.js';
import { moving } from './pool.js';
import type { TaskName, Tasks, WorkerData } from './protocol.js';
import { TASKS, type Work } from './tasks.js';

// The entry of a worker thread: the tasks of the protocol by their names. It decides nothing.

const data = workerData as WorkerData;
const memory = new KernelMemory(data.memory);
const kernels = instantiateKernels(data.module, data.memory);

const nothing = new Int32Array(new SharedArrayBuffer(4));

/**
 * CPU nanoseconds of this thread so far; undefined where the system does not tell them (Linux does). They are brought up to
 * date at ticks and when a thread goes to sleep, so that without a moment's sleep short tasks would come out as 0.
 */
function cpuTime(): number | undefined {
  try {
    Atomics.wait(nothing, 0, 0, 0.01);
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]);
  } catch {
    return undefined;
  }
}

/** Milliseconds of a clock that is the same on all threads, which `performance.now()` is not. */
function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Begins to take the time of a task. @returns what ends it. */
function clock(): () => TaskTime {
  const before = cpuTime();
  const start = now();
  return () => {
    const end = now();
    return { start, end, nanoseconds: before === undefined ? undefined : (cpuTime() ?? before) - before };
  };
}

type Task<N extends TaskName> = (input: Tasks[N]['input']) => Promise<Outcome<Tasks[N]['output']>>;

function task<N extends TaskName>(work: Work<N>): Task<N> {
  return async (input) => {
    try {
      const stop = data.measured === true ? clock() : undefined;
      const value = await work(memory, kernels, input);
      return { value, thread: threadId, time: stop?.() };
    } catch (error) {
      return { failure: failureOf(error) };
    }
  };
}

export const fold = task<'fold'>(TASKS.fold);
export const relayout = task<'relayout'>(TASKS.relayout);
export const spill = task<'spill'>(TASKS.spill);
export const cut = task<'cut'>(TASKS.cut);
export const load = task<'load'>(TASKS.load);
export const extents = task<'extents'>(TASKS.extents);
export const coarsen = task<'coarsen'>(TASKS.coarsen);
export const sample = task<'sample'>(TASKS.sample);
export const split = task<'split'>(TASKS.split);
export const order = task<'order'>(TASKS.order);
export const rank = task<'rank'>(TASKS.rank);
export const part = task<'part'>(TASKS.part);

const built = task<'build'>(TASKS.build);
export const build: Task<'build'> = async (input) => {
  const outcome = await built(input);
  return 'value' in outcome ? moving(outcome, buffersOf(outcome.value.columns)) : outcome;
};

const chosen = task<'choose'>(TASKS.choose);
export const choose: Task<'choose'> = async (input) => {
  const outcome = await chosen(input);
  if (!('value' in outcome)) return outcome;
  return moving(outcome, buffersOf(outcome.value.flatMap(({ columns }) => columns)));
};
