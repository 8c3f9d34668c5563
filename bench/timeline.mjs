/** A run of a real question, drawn: when each worker was at which task. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inFreshProcess } from './fresh.mjs';
import { counted, short } from './lines.mjs';
import { install } from './rivals/install.mjs';

/** Draws the fastest of `turns` runs, and gives the file's path. */
export async function drawTimeline(workers, turns, { node, cpu, cores, date }) {
  const run = await inFreshProcess(new URL('timeline-run.mjs', import.meta.url), { workers, turns });
  const { milliseconds, rows, groups } = run;
  const machine = `${counted(workers, 'worker')} on ${counted(cores, 'core')}, ${cpu}, Node ${node}, ${date.slice(0, 10)}`;
  install();
  // what draws is there only once it is installed
  const { timelineChart } = await import('./rivals/timeline-chart.mjs');
  const svg = await timelineChart(
    barsOf(run),
    [
      `${counted(rows, 'flight')} of a Parquet file, counted by day and route: ${counted(groups, 'group')} in ${short(milliseconds)} ms`,
      `${machine}; the fastest of ${counted(turns, 'run')}`,
    ],
    milliseconds,
  );
  const path = fileURLToPath(new URL('../docs/timeline.svg', import.meta.url));
  writeFileSync(path, svg);
  return path;
}

/** What is drawn of each phase of the calling thread, and of each task: of the order phase its two steps apart. */
const LABELS = {
  open: 'open',
  queue: 'open',
  fold: 'fold',
  relayout: 'fold',
  sample: 'split',
  split: 'split',
  order: 'order',
  build: 'order: build',
  assemble: 'assemble',
};

/** A bar for each phase that the calling thread sees, and one for each task, on the lane of its worker. */
export function barsOf({ milliseconds, phases, tasks }) {
  const label = (name) => {
    if (LABELS[name] === undefined)
      throw new Error(`a task of the timeline: got ${name}, wanted one that has a label`);
    return LABELS[name];
  };
  return [
    ...phases.map(({ phase, start }, i) => ({
      lane: 'phase',
      label: label(phase),
      start,
      end: phases[i + 1]?.start ?? milliseconds,
    })),
    ...tasks.map(({ task, worker, start, end }) => ({
      lane: `worker ${worker}`,
      label: label(task),
      start,
      end,
    })),
  ];
}
