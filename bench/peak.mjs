/** How far peak memory grows over the input, in a process of its own, on one shape. */
import { createParallel } from 'rangefold';
import { shapeOf } from './data/shapes.mjs';
import { bytesOf, shared, tableOf } from './data/table.mjs';
import { answer } from './fresh.mjs';
import { held } from './held.mjs';
import { queryOf } from './query.mjs';

const RUNS = 3;

await answer(async ({ name, rows, workers }) => {
  const shape = shapeOf(name);
  const table = tableOf(shape, rows, shared);
  globalThis.gc();
  const before = process.memoryUsage.rss();
  const engine = createParallel({ workers });
  const input = await held(engine, table);
  for (let run = 0; run < RUNS; run++) await engine.aggregate(input, queryOf(shape));
  // in KiB, and of the whole life of the process: where making the data took more, growth comes out too large, never too small
  const peak = process.resourceUsage().maxRSS * 1024;
  await engine.close();
  return { name, rows, workers, input: bytesOf(table), before, peak };
});
