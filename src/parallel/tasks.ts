import { buildTask } from './build-task.js';
import { chooseTask } from './choose-task.js';
import { coarsenTask } from './coarsen-task.js';
import { cutTask } from './cut-task.js';
import { extentsTask } from './extents-task.js';
import { foldTask } from './fold-task.js';
import { partTask, rankTask } from './gather-task.js';
import type { Kernels } from './kernels.js';
import { loadTask } from './load-task.js';
import type { KernelMemory } from './memory.js';
import { orderTask, sampleTask, splitTask } from './order-task.js';
import type { TaskName, Tasks } from './protocol.js';
import { relayoutTask } from './relayout-task.js';
import { spillTask } from './spill-task.js';

/** What does a task: it reads and writes kernel memory, and knows of no thread. */
export type Work<N extends TaskName> = (
  memory: KernelMemory,
  kernels: Kernels,
  input: Tasks[N]['input'],
) => Tasks[N]['output'] | Promise<Tasks[N]['output']>;

/** Every task of the protocol. */
export const TASKS: { readonly [N in TaskName]: Work<N> } = {
  fold: foldTask,
  relayout: relayoutTask,
  spill: spillTask,
  cut: cutTask,
  load: loadTask,
  extents: extentsTask,
  coarsen: coarsenTask,
  sample: sampleTask,
  split: splitTask,
  order: orderTask,
  rank: rankTask,
  part: partTask,
  build: buildTask,
  choose: chooseTask,
};
