/** Work and span of one shape, in a process of its own. */
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { createParallel } from 'rangefold';
import { requireSame } from './agree.mjs';
import { shapeOf } from './data/shapes.mjs';
import { shared, tableOf } from './data/table.mjs';
import { answer } from './fresh.mjs';
import { held } from './held.mjs';
import { workAndSpan } from './projection.mjs';
import { queryOf } from './query.mjs';

let batches = [];
// before any pool starts: the others measure nothing
subscribe('rangefold:tasks', (batch) => batches.push(batch));

await answer(async ({ name, rows, workers, turns }) => {
  const shape = shapeOf(name);
  const query = queryOf(shape);
  const table = tableOf(shape, rows, shared);
  const results = [];
  let first;
  for (const count of workers) {
    const engine = createParallel({ workers: count, tuning: { deal: 'static', inlineRows: 0 } });
    const input = await held(engine, table);
    const runs = [];
    // one more: the first compiles
    for (let turn = 0; turn <= turns; turn++) {
      batches = [];
      const before = cpuTime();
      const { table: came, stats } = await engine.aggregate(input, query);
      const serial = cpuTime() - before;
      if (turn > 0) runs.push({ ...workAndSpan(batches, serial, count), groups: stats.groups });
      else {
        first ??= came;
        await requireSame(`${count} workers`, came, `${workers[0]}`, first);
      }
    }
    await engine.close();
    runs.sort((a, b) => a.span - b.span);
    results.push({ workers: count, ...runs[runs.length >> 1] });
  }
  return { name, title: shape.title, rows, results };
});

/** CPU nanoseconds of the calling thread, brought up to date by a moment's sleep. */
function cpuTime() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.01);
  return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]);
}
