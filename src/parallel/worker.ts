import { threadId, workerData } from 'node:worker_threads';
import { buildTask } from './build-task.js';
import { failureOf, type Outcome } from './failure.js';
import { foldTask } from './fold-task.js';
import { instantiateKernels, type Kernels } from './kernels.js';
import { KernelMemory } from './memory.js';
import { orderTask, sampleTask, splitTask } from './order-task.js';
import { moving } from './pool.js';
import type { BuildOutput, TaskName, Tasks, WorkerData } from './protocol.js';
import { relayoutTask } from './relayout-task.js';

// The entry of a worker thread: tasks by their names in the protocol. It decides nothing.

const data = workerData as WorkerData;
const memory = new KernelMemory(data.memory);
const kernels = instantiateKernels(data.module, data.memory);

type Work<N extends TaskName> = (
  memory: KernelMemory,
  kernels: Kernels,
  input: Tasks[N]['input'],
) => Tasks[N]['output'] | Promise<Tasks[N]['output']>;
type Task<N extends TaskName> = (input: Tasks[N]['input']) => Promise<Outcome<Tasks[N]['output']>>;

function task<N extends TaskName>(work: Work<N>): Task<N> {
  return async (input) => {
    try {
      return { value: await work(memory, kernels, input) };
    } catch (error) {
      return { failure: failureOf(error) };
    }
  };
}

export const fold = task<'fold'>(foldTask);
export const relayout = task<'relayout'>(relayoutTask);
export const sample = task<'sample'>(sampleTask);
export const split = task<'split'>(splitTask);
export const order = task<'order'>(orderTask);

const built = task<'build'>((...given) => buildTask(...given, threadId));
export const build: Task<'build'> = async (input) => {
  const outcome = await built(input);
  return 'value' in outcome ? moving(outcome, buffersOf(outcome.value)) : outcome;
};

function buffersOf({ columns }: BuildOutput): ArrayBuffer[] {
  return columns.flatMap(({ values, offsets, validity, buffers = [] }) =>
    [values, offsets, validity, ...buffers].flatMap((bytes) => (bytes === undefined ? [] : [bytes.buffer])),
  );
}
