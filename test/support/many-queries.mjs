// Asks one engine many small questions, all aggregates among them, some wrong, some stopped; says what memory is in use
// after so many as the first argument says, and as the second.
import { setTimeout as wait } from 'node:timers/promises';
import { tableFromArrays } from 'apache-arrow';
import * as rangefold from 'rangefold';

const [early, late] = process.argv.slice(2).map(Number);
const { argMax, argMin, correlation, count, countDistinct, covariance, desc, every, first, gt, join, last } =
  rangefold;
const { list, max, mean, median, min, mode, quantile, rollup, some, stddev, sum, top, bottom, variance } =
  rangefold;

const rows = 300;
const each = (value) => Array.from({ length: rows }, (_, row) => value(row));
const input = tableFromArrays({
  k: Int32Array.from(each((row) => row % 17)),
  g: each((row) => `group ${row % 5}`),
  x: Float64Array.from(each((row) => (row * 7919) % 101)),
  y: Float64Array.from(each((row) => row / 3)),
  b: each((row) => row % 3 === 0),
  large: BigInt64Array.from(each(() => 2n ** 62n)),
});
const aggregates = [
  { n: count(), d: countDistinct('x'), t: countDistinct('g') },
  { s: sum('x'), m: mean('y'), v: variance('x'), d: stddev('y') },
  { c: covariance('x', 'y'), r: correlation('x', 'y') },
  { a: min('g'), z: max('g'), l: argMin('g', 'x'), h: argMax('x', 'y') },
  { f: first('g'), l: last('x') },
  { m: median('x'), q: quantile('y', 0.9), o: mode('g') },
  { t: top('x', 3), b: bottom('g', 2), l: list('g') },
  { j: join('g', ', '), e: every('b'), s: some('b') },
];
const queries = [
  ...aggregates.flatMap((one) => [
    { by: ['k'], aggregates: one },
    { by: [], aggregates: one },
  ]),
  { by: rollup('g', 'k'), aggregates: { s: sum('x') } },
  { by: ['g', desc('k')], aggregates: { s: sum('x') }, sort: [desc('s')], having: gt('s', 100), limit: 5 },
];
const wrong = [
  { by: ['k'], aggregates: { s: sum('large') } },
  { by: ['nobody'], aggregates: {} },
];
const none = { by: [], aggregates: {} };
const collecting = { schema: input.schema, batches: () => [] };
const engine = rangefold.createParallel({ workers: 3, tuning: { inlineRows: 0, groupsPerWorker: 1 } });
const counts = { answered: 0, failed: 0, stopped: 0 };

async function ask(number) {
  if (number % 7 === 3) {
    const controller = new AbortController();
    const run = engine.aggregate(input, queries[number % queries.length], { signal: controller.signal });
    if (number % 2 === 0) setTimeout(() => controller.abort(new Error('enough')), number % 3);
    else controller.abort(new Error('enough'));
    await run.then(
      () => counts.answered++,
      () => counts.stopped++,
    );
  } else if (number % 7 === 5) {
    await engine.aggregate(input, wrong[number % wrong.length]).then(
      () => {
        throw new Error('a wrong question was answered');
      },
      () => counts.failed++,
    );
  } else {
    await engine.aggregate(input, queries[number % queries.length]);
    counts.answered++;
  }
}

/** What is in use once all that can be given back has been. */
async function usage() {
  const module = new URL('./collecting-part.mjs', import.meta.url).href;
  await engine.aggregate({ ...collecting, parts: [1, 2, 3].map(() => ({ module, data: {} })) }, none);
  await engine.aggregate(input, queries[0]);
  for (let i = 0; i < 5; i++) {
    globalThis.gc();
    await wait(50);
  }
  const { rss, heapUsed } = process.memoryUsage();
  const { memory } = await engine.ready;
  return { rss, heapUsed, kernel: memory.used, ...counts };
}

const usages = [];
for (let number = 1; number <= late; number++) {
  await ask(number);
  if (number === early || number === late) {
    usages.push(await usage());
  }
}
console.log(JSON.stringify(usages));
