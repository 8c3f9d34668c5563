/** How far peak memory grows over the input, in a process of its own, on one shape. */
import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createParallel } from 'rangefold';
import { shapeOf } from './data/shapes.mjs';
import { bytesOf, ordinary, tableOf } from './data/table.mjs';
import { answer } from './fresh.mjs';
import { queryOf } from './query.mjs';

const RUNS = 3;

await answer(async ({ name, rows, workers }) => {
  const shape = shapeOf(name);
  const table = tableOf(shape, rows, ordinary);
  const before = await settled();
  forgetPeak();
  const engine = createParallel({ workers });
  for (let run = 0; run < RUNS; run++) await engine.aggregate(table, queryOf(shape));
  const peak = process.resourceUsage().maxRSS * 1024;
  await engine.close();
  return { name, rows, workers, input: bytesOf(table), before, peak };
});

/** Resident bytes when what making the data left behind has been given back, which happens on a thread of its own. */
async function settled() {
  // not by a flag of the process, which its threads would be given too
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5; tries++) {
    collect();
    await setTimeout(100);
    const now = process.memoryUsage.rss();
    if (now < 0.99 * least) tries = 0;
    least = Math.min(least, now);
  }
  return least;
}

/**
 * Starts the peak anew, where the system can (Linux: proc(5), clear_refs). Elsewhere the peak is that of the whole
 * process, in which making the data takes part, and growth comes out too large.
 */
function forgetPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // no such file, or not ours to write
  }
}
