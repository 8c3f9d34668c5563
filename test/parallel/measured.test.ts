import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import { Int32, Table } from 'apache-arrow';
import { count, createParallel } from 'rangefold';
import { expect, test } from 'vitest';
import { column } from '../support/files.js';

interface Batch {
  readonly task: string;
  readonly nanoseconds: readonly (number | undefined)[];
  readonly spans: readonly ({ worker: number; start: number; end: number } | undefined)[];
}

const ROWS = 200_000;
const table = new Table({
  k: column(
    new Int32(),
    Array.from({ length: ROWS }, (_, row) => row % 1000),
  ),
});

/** The batches of tasks of one run that are told while somebody listens. */
async function told(before: boolean): Promise<readonly Batch[]> {
  const batches: Batch[] = [];
  const listen = (batch: unknown) => void batches.push(batch as Batch);
  const engine = createParallel({ workers: 2, tuning: { inlineRows: 0 } });
  const run = () => engine.aggregate(table, { by: ['k'], aggregates: { n: count() } });
  if (!before) await run();
  subscribe('rangefold:tasks', listen);
  try {
    await run();
  } finally {
    unsubscribe('rangefold:tasks', listen);
  }
  await run();
  await engine.close();
  return batches;
}

test.skipIf(!existsSync('/proc/thread-self/schedstat'))(
  'whoever listens when the threads start is told the CPU time of each task (skipped where there is no schedstat)',
  async () => {
    const batches = await told(true);
    const folds = batches.filter(({ task }) => task === 'fold');
    expect(folds).toHaveLength(1);
    expect(folds[0].nanoseconds).toHaveLength(2);
    const times = batches.flatMap(({ nanoseconds }) => nanoseconds);
    for (const time of times) expect(time).toBeGreaterThan(0);
    // one run of 200,000 rows, not the second, to which nobody listened
    expect(times.reduce<number>((sum, time) => sum + (time ?? 0), 0)).toBeLessThan(10e9);
  },
);

test('and when each ran, and on which worker: those of one worker follow each other, within the run', async () => {
  const now = () => Number(process.hrtime.bigint()) / 1e6;
  const before = now();
  const spans = (await told(true)).flatMap((batch) => batch.spans);
  const after = now();
  const lanes = [0, 1].map((worker) =>
    spans.filter((span) => span?.worker === worker).toSorted((a, b) => (a?.start ?? 0) - (b?.start ?? 0)),
  );
  expect(lanes.flat()).toHaveLength(spans.length);
  for (const lane of lanes) {
    expect(lane.length).toBeGreaterThan(0);
    const ticks = [before, ...lane.flatMap((span) => [span?.start, span?.end]), after];
    expect(ticks).toEqual(ticks.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
  }
});

test('threads that started while nobody listened measure nothing', async () => {
  const times = (await told(false)).flatMap(({ nanoseconds, spans }) => [...nanoseconds, ...spans]);
  expect(times.length).toBeGreaterThan(0);
  expect(times.every((time) => time === undefined)).toBe(true);
});
