import { buildTask } from '../../dist/parallel/build-task.js';
import { foldTask } from '../../dist/parallel/fold-task.js';
import { compileKernels, instantiateKernels, type Kernels } from '../../dist/parallel/kernels.js';
import { KernelMemory, reserveMemory } from '../../dist/parallel/memory.js';
import { orderTask, sampleTask, splitTask } from '../../dist/parallel/order-task.js';
import type { Pool } from '../../dist/parallel/pool.js';
import type { TaskName, Tasks } from '../../dist/parallel/protocol.js';
import { relayoutTask } from '../../dist/parallel/relayout-task.js';

/** Kernels over memory of their own. */
export async function createKernels(): Promise<{ readonly memory: KernelMemory; readonly kernels: Kernels }> {
  const wasm = reserveMemory();
  const kernels = instantiateKernels(await compileKernels(), wasm);
  const memory = new KernelMemory(wasm);
  memory.reset();
  return { memory, kernels };
}

/** Runs the tasks of a run one after the other on this thread, so that a test can look at what a phase leaves behind. */
export function inProcessPool(memory: KernelMemory, kernels: Kernels): Pool {
  const run = async <N extends TaskName>(name: N, input: Tasks[N]['input']): Promise<Tasks[N]['output']> => {
    const work = TASKS[name] as unknown as (
      memory: KernelMemory,
      kernels: Kernels,
      input: Tasks[N]['input'],
    ) => Tasks[N]['output'] | Promise<Tasks[N]['output']>;
    return work(memory, kernels, input);
  };
  const all = async <N extends TaskName>(
    name: N,
    inputs: readonly Tasks[N]['input'][],
  ): Promise<Tasks[N]['output'][]> => {
    const outputs: Tasks[N]['output'][] = [];
    for (const input of inputs) outputs.push(await run(name, input));
    return outputs;
  };
  return { run, all, numberOf: () => 0, close: async () => undefined } as unknown as Pool;
}

const TASKS = {
  fold: foldTask,
  relayout: relayoutTask,
  sample: sampleTask,
  split: splitTask,
  order: orderTask,
  build: (memory: KernelMemory, kernels: Kernels, input: Tasks['build']['input']) =>
    buildTask(memory, kernels, input, 0),
};
