/**
 * Work and span of a run from what its tasks took: `batches` are `{ task, nanoseconds }`, the tasks that ran together, and
 * `serial` is the CPU time of the calling thread, which is counted whole. The span of a batch is that of its longest
 * worker, where tasks are dealt in their order, each to the worker with the least to do.
 */
export function workAndSpan(batches, serial, workers) {
  const phases = {};
  for (const { task, nanoseconds } of batches.filter((batch) => batch.nanoseconds.length > 0)) {
    phases[task] ??= { work: 0, span: 0 };
    phases[task].work += nanoseconds.reduce((sum, one) => sum + one, 0);
    phases[task].span += longest(nanoseconds, workers);
  }
  const total = (of) => Object.values(phases).reduce((sum, phase) => sum + phase[of], serial);
  return { work: total('work'), span: total('span'), serial, phases };
}

function longest(tasks, workers) {
  const busy = new Float64Array(workers);
  for (const one of tasks) busy[busy.indexOf(Math.min(...busy))] += one;
  return Math.max(...busy);
}
