import { setTimeout as wait } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { Int32, makeData, type RecordBatch, type Table } from 'apache-arrow';
import {
  type Aggregator,
  count,
  countDistinct,
  createParallel,
  median,
  type Query,
  sum,
  WorkerError,
} from 'rangefold';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchOf } from '../support/notation.js';
import { Random } from '../support/random.js';
import { createSources } from '../support/scripted-source.js';

const KILLS = Number(process.env.RANGEFOLD_RUNS ?? 1) > 1 ? 500 : 20;
const GROUPS = 20_000;
const ROWS_EACH = 15;
const QUERY: Query = {
  by: ['k'],
  aggregates: { n: count(), s: sum('k'), d: countDistinct('k'), m: median('k') },
};

/** Every key as often as every other, far from each other. */
function input(): RecordBatch {
  const length = GROUPS * ROWS_EACH;
  const keys = new Int32Array(new SharedArrayBuffer(4 * length));
  for (let row = 0; row < length; row++) keys[row] = (row * 7919) % GROUPS;
  return batchOf([['k', makeData({ type: new Int32(), length, nullCount: 0, data: keys })]]);
}

/** Says what is wrong with the answer, by arithmetic; undefined: nothing. */
function wrongIn(table: Table): string | undefined {
  if (table.numRows !== GROUPS) return `${table.numRows} groups`;
  let group = 0;
  for (const { data, numRows } of table.batches) {
    const [k, n, s, d, m] = data.children.map(({ values }) => values);
    for (let row = 0; row < numRows; row++, group++) {
      const sumOf = BigInt(group * ROWS_EACH);
      if (k[row] !== group) return `key ${k[row]} in row ${group}`;
      if (BigInt(n[row]) !== BigInt(ROWS_EACH) || BigInt(s[row]) !== sumOf || BigInt(d[row]) !== 1n)
        return `${n[row]}, ${s[row]}, ${d[row]} of key ${group}`;
      if (m[row] !== group) return `median ${m[row]} of key ${group}`;
    }
  }
  return undefined;
}

const workers = new Set<Worker>();
function note(worker: Worker): void {
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
}

let engine: Aggregator;
beforeAll(() => {
  process.on('worker', note);
  engine = createParallel({ workers: 3, tuning: { groupsPerWorker: 1000, morselRows: 4096 } });
});
afterAll(async () => {
  await engine.close();
  process.off('worker', note);
});

describe('a run of which a worker is killed at a random moment', () => {
  it(`has its whole answer or a WorkerError, ${KILLS} times, and the next run works`, async () => {
    const rows = input();
    expect(wrongIn((await engine.aggregate(rows, QUERY)).table)).toBeUndefined();
    const begun = performance.now();
    await engine.aggregate(rows, QUERY);
    const all = performance.now() - begun;
    const random = new Random(KILLS);
    let answered = 0;
    let rejected = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const run = engine.aggregate(rows, QUERY).then(
        ({ table }) => wrongIn(table) ?? 'answered',
        (error: unknown) => error,
      );
      const due = 1.2 * all * random.unit();
      await Promise.race([wait(due), run]);
      const victims = [...workers];
      if (victims.length > 0) await victims[random.below(victims.length)].terminate();
      const came = await run;
      if (came === 'answered') answered++;
      else {
        expect(came).toBeInstanceOf(WorkerError);
        rejected++;
      }
      if (kill % 5 === 0) expect(wrongIn((await engine.aggregate(rows, QUERY)).table)).toBeUndefined();
    }
    console.info(`Of ${KILLS} runs with a killed worker ${rejected} were rejected, ${answered} answered.`);
    expect(rejected).toBeGreaterThan(0);
    expect(wrongIn((await engine.aggregate(rows, QUERY)).table)).toBeUndefined();
  });
});

describe('a thread that dies of what a part left behind', () => {
  const sourceOf = createSources();
  const BY_K: Query = { by: ['k'], aggregates: { n: count() } };

  it.each(['throw afterwards', 'reject afterwards', 'exit afterwards'] as const)(
    'rejects the run that it is at by then, if any, where it was told to %s',
    async (deed) => {
      const seen: unknown[] = [];
      const see = (error: unknown): void => {
        seen.push(error);
      };
      process.on('uncaughtException', see).on('unhandledRejection', see);
      expect((await engine.aggregate(sourceOf(deed, deed), BY_K)).stats.rows).toBe(200);
      await wait(200);
      // an idle thread sleeps: what is due meanwhile comes when it has its next task
      const next = await engine
        .aggregate(sourceOf('read slowly', 'read slowly', 'read slowly'), BY_K)
        .then(({ stats }) => stats.rows)
        .catch((error: unknown) => error);
      if (next instanceof Error) expect(next).toBeInstanceOf(WorkerError);
      else expect(next).toBe(300);
      expect((await engine.aggregate(sourceOf('read', 'read', 'read'), BY_K)).stats.rows).toBe(300);
      process.off('uncaughtException', see).off('unhandledRejection', see);
      expect(seen).toEqual([]);
    },
  );
});
