import { Bench } from 'tinybench';

/** A run counts as faster than the best so far from this much on. */
const FASTER = 0.97;
/** Warm after so many runs that were not faster, or after so much time. */
const STEADY = 3;
const WARM_MILLISECONDS = 15_000;

/** No turn begins after so much time once there were enough for a median of some worth. */
const TURNS_MILLISECONDS = 30_000;
const FEWEST_TURNS = 3;

/** Runs until runs get no faster: code is compiled and memory touched by then. Gives the fastest run's milliseconds. */
export async function warm(run) {
  const end = performance.now() + WARM_MILLISECONDS;
  let best = Number.POSITIVE_INFINITY;
  let steady = 0;
  while (steady < STEADY && performance.now() < end) {
    const start = performance.now();
    await run();
    const took = performance.now() - start;
    steady = took < best * FASTER ? 0 : steady + 1;
    best = Math.min(best, took);
  }
  return best;
}

/**
 * Times contestants (`{ name, run }`) in turns: A B C A B C, so that what else the machine does falls on all alike.
 * Fewer turns are taken where they take long. Gives a summary of milliseconds for each, in order.
 */
export async function inTurns(contestants, turns) {
  const bench = new Bench({ iterations: 1, time: 0, warmup: false, throws: true });
  for (const { name, run } of contestants) bench.add(name, run, { async: true });
  const taken = contestants.map(() => []);
  const end = performance.now() + TURNS_MILLISECONDS;
  for (let turn = 0; turn < turns && (turn < FEWEST_TURNS || performance.now() < end); turn++) {
    bench.reset();
    await bench.run();
    bench.tasks.forEach((task, i) => {
      taken[i].push(task.result.latency.mean);
    });
  }
  return taken.map(summaryOf);
}

/** Milliseconds of several runs: median, quartiles, least and most, and all of them. */
export function summaryOf(milliseconds) {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (p) => {
    const index = p * (sorted.length - 1);
    const low = sorted[Math.floor(index)];
    return low + (index % 1) * (sorted[Math.ceil(index)] - low);
  };
  return {
    median: at(0.5),
    quartiles: [at(0.25), at(0.75)],
    least: sorted[0],
    most: sorted[sorted.length - 1],
    runs: milliseconds,
  };
}
