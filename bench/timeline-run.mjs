/** When each task of a run ran and on which worker, in a process of its own. */
import { subscribe } from 'node:diagnostics_channel';
import { count, createParallel, mean, open, timeBucket } from 'rangefold';
import { FLIGHTS } from './data/flights.mjs';
import { answer } from './fresh.mjs';

const QUERY = {
  by: [timeBucket('date', '1 day').as('day'), 'origin', 'destination'],
  aggregates: { flights: count(), late: mean('delay') },
};

let batches = [];
// before the pool starts: the others measure nothing
subscribe('rangefold:tasks', (batch) => batches.push(batch));

await answer(async ({ workers, turns }) => {
  const flights = await open(FLIGHTS);
  const engine = createParallel({ workers });
  const runs = [];
  for (let turn = 0; turn < turns; turn++) {
    batches = [];
    const phases = [];
    const start = now();
    const { stats } = await engine.aggregate(flights, QUERY, {
      onProgress: ({ phase }) => {
        if (phases.at(-1)?.phase !== phase) phases.push({ phase, start: now() - start });
      },
    });
    const milliseconds = now() - start;
    const tasks = batches.flatMap(({ task, spans }) =>
      spans.map((span) => ({
        task,
        worker: span.worker,
        start: span.start - start,
        end: span.end - start,
      })),
    );
    runs.push({ milliseconds, phases, tasks, rows: stats.rows, groups: stats.groups });
  }
  await engine.close();
  return runs.sort((a, b) => a.milliseconds - b.milliseconds)[0];
});

/** Milliseconds of the clock that tasks tell. */
function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}
