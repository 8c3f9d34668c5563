import { Int32, makeData, Table } from 'apache-arrow';
import {
  type Aggregator,
  count,
  createParallel,
  createReference,
  EngineClosedError,
  type Query,
  sum,
} from 'rangefold';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../support/cells.js';
import { batchOf, dataOf } from '../support/notation.js';
import { createSources } from '../support/scripted-source.js';

const sourceOf = createSources();
const BY_K: Query = { by: ['k'], aggregates: { n: count(), s: sum('k') } };

let engine: Aggregator;
beforeAll(() => {
  engine = createParallel({ workers: 3, tuning: { groupsPerWorker: 1, morselRows: 16 } });
});
afterAll(() => engine.close());

/** So many rows that a run takes a while. */
const ROWS = 3_000_000;
const GROUPS = 50_000;

function large(): Table {
  const keys = new Int32Array(new SharedArrayBuffer(4 * ROWS));
  for (let row = 0; row < ROWS; row++) keys[row] = (row * 7919) % GROUPS;
  return new Table([
    batchOf([['k', makeData({ type: new Int32(), length: ROWS, nullCount: 0, data: keys })]]),
  ]);
}

const tick = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('a run that is stopped', () => {
  const input = large();

  it('rejects with the reason of its signal at any time, and leaves the engine to others', async () => {
    const whole = await engine.aggregate(input, BY_K);
    expect(whole.table.numRows).toBe(GROUPS);
    let stopped = 0;
    for (const delay of [0, 1, 2, 4, 8, 16, 32, 64, 128]) {
      const controller = new AbortController();
      const reason = new Error(`enough after ${delay} ms`);
      const run = engine.aggregate(input, BY_K, { signal: controller.signal }).then(
        () => undefined,
        (error: unknown) => error,
      );
      await tick(delay);
      controller.abort(reason);
      const came = await run;
      // a run that was faster than its signal has an answer
      if (came !== undefined) {
        expect(came).toBe(reason);
        stopped += 1;
      }
      const { table } = await engine.aggregate(sourceOf('read'), BY_K);
      expect(cellsOf(table).rows).toEqual([['7', '100', '700']]);
    }
    expect(stopped).toBeGreaterThan(2);
  });

  it('stops soon after progress was reported', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const run = engine.aggregate(input, BY_K, {
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    await expect(run).rejects.toBe(reason);
    expect((await engine.aggregate(sourceOf('read'), BY_K)).table.numRows).toBe(1);
  });

  it('gives up waiting for the runs before it', async () => {
    const controller = new AbortController();
    const first = engine.aggregate(input, BY_K);
    const waiting = engine.aggregate(input, BY_K, { signal: controller.signal });
    const last = engine.aggregate(sourceOf('read'), BY_K);
    controller.abort(new Error('no patience'));
    await expect(waiting).rejects.toThrow('no patience');
    expect((await first).table.numRows).toBe(GROUPS);
    expect((await last).table.numRows).toBe(1);
  });

  it.each([0, 5, 20, 60])(
    'rejects with EngineClosedError, as do those that wait, closed after %i ms',
    async (delay) => {
      const own = createParallel({ workers: 2 });
      await own.aggregate(sourceOf('read'), BY_K);
      const runs = Array.from({ length: 4 }, () =>
        own.aggregate(input, BY_K).catch((error: unknown) => error),
      );
      await tick(delay);
      await own.close();
      const outcomes = await Promise.all(runs);
      expect(outcomes.filter((outcome) => outcome instanceof EngineClosedError).length).toBeGreaterThan(1);
      for (const outcome of outcomes) {
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(EngineClosedError);
      }
    },
  );
});

describe('runs at the same time on one engine', () => {
  it('go on where the stream of another is half read', async () => {
    const input = large();
    const { batches } = await engine.stream(input, BY_K);
    const reader = batches[Symbol.asyncIterator]();
    let rows = (await reader.next()).value?.numRows ?? 0;
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(GROUPS);
    for (let i = 0; i < 3; i++) {
      expect((await engine.aggregate(input, BY_K)).table.numRows).toBe(GROUPS);
      await engine.aggregate(sourceOf('read', 'throw'), BY_K).catch(() => undefined);
    }
    for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
      rows += next.value.numRows;
    }
    expect(rows).toBe(GROUPS);
  });

  it('take no more memory than one after the other', async () => {
    const input = large();
    for (let i = 0; i < 3; i++) await engine.aggregate(input, BY_K);
    const before = process.memoryUsage().rss;
    const runs = Array.from({ length: 12 }, () =>
      engine.aggregate(input, BY_K).then(({ stats }) => stats.rows),
    );
    expect(await Promise.all(runs)).toEqual(runs.map(() => ROWS));
    // an answer of theirs has a MB, the tables of a run some 10
    expect(process.memoryUsage().rss - before).toBeLessThan(150 << 20);
  });

  it('are all answered, and each with its own answer', async () => {
    const reference = createReference();
    const inputs = Array.from({ length: 24 }, (_, i) =>
      batchOf([
        [
          'k',
          dataOf({ type: 'i32', values: Array.from({ length: 50 + i }, (_, row) => (row * 7) % (i + 1)) }),
        ],
        [
          't',
          dataOf({ type: 'utf8', values: Array.from({ length: 50 + i }, (_, row) => `${row % (i + 2)}`) }),
        ],
      ]),
    );
    const queries: Query[] = [
      BY_K,
      { by: ['t'], aggregates: { s: sum('k') } },
      { by: [], aggregates: { n: count() } },
    ];
    const runs = inputs.map((input, i) => engine.aggregate([input], queries[i % 3]));
    const answers = await Promise.all(runs);
    for (const [i, { table }] of answers.entries()) {
      const right = await reference.aggregate([inputs[i]], queries[i % 3]);
      expect(cellsOf(table)).toEqual(cellsOf(right.table));
    }
  });

  it('are answered beside runs that fail', async () => {
    const runs = Array.from({ length: 9 }, (_, i) =>
      engine.aggregate(i % 3 === 1 ? sourceOf('read', 'throw') : sourceOf('read', 'read slowly'), BY_K),
    );
    const settled = await Promise.allSettled(runs);
    expect(settled.map(({ status }) => status)).toEqual(
      runs.map((_, i) => (i % 3 === 1 ? 'rejected' : 'fulfilled')),
    );
  });
});
