import type { RecordBatch } from 'apache-arrow';
import {
  type Aggregator,
  count,
  createParallel,
  eq,
  gt,
  InputError,
  isIn,
  isNull,
  max,
  type Query,
  sum,
  WorkerError,
} from 'rangefold';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../support/cells.js';
import { rejection } from '../support/files.js';
import { batchOf, type ColumnNotation, dataOf } from '../support/notation.js';
import { createSources } from '../support/scripted-source.js';

const sourceOf = createSources();
const BY_K: Query = { by: ['k'], aggregates: { n: count(), s: sum('k') } };

let engine: Aggregator;
beforeAll(() => {
  engine = createParallel({ workers: 3, tuning: { groupsPerWorker: 1, morselRows: 16 } });
});
afterAll(() => engine.close());

const BY_K_ALONE: Query = { by: ['k'], aggregates: {} };

/** The engine still answers as it should. */
async function expectUsable(): Promise<void> {
  const { table, stats } = await engine.aggregate(sourceOf('read', 'read slowly', 'read', 'read'), BY_K);
  expect(cellsOf(table).rows).toEqual([['7', '400', '2800']]);
  expect(stats.rows).toBe(400);
}

describe('a part that fails', () => {
  it.each([
    ['throw', /task fold: got RangeError: no such luck/],
    ['throw later', /task fold: got RangeError: no more luck/],
  ] as const)('rejects with a WorkerError where it %ss, and the engine goes on', async (does, words) => {
    const error = await rejection(
      engine.aggregate(sourceOf('read', 'read slowly', does, 'read slowly', 'read'), BY_K),
    );
    expect(error).toBeInstanceOf(WorkerError);
    expect(error.message).toMatch(words);
    expect(error.message).not.toContain('\n');
    await expectUsable();
  });

  it('rejects with the InputError that it raises', async () => {
    const error = await rejection(engine.aggregate(sourceOf('read slowly', 'refuse', 'read'), BY_K));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ message: 'part 1: got garbage, wanted rows', parameter: 'part 1' });
    await expectUsable();
  });

  it('rejects with a WorkerError where its thread dies, and another takes its place', async () => {
    const error = await rejection(engine.aggregate(sourceOf('read slowly', 'exit', 'read slowly'), BY_K));
    expect(error).toBeInstanceOf(WorkerError);
    expect(error.message).toMatch(/task fold: got a worker that died/);
    await expectUsable();
  });

  it('rejects with a WorkerError where its module is not there', async () => {
    expect(await rejection(engine.aggregate(sourceOf('read', 'be missing'), BY_K))).toBeInstanceOf(
      WorkerError,
    );
    await expectUsable();
  });
});

describe.each([
  ['ordinary', ArrayBuffer],
  ['shared', SharedArrayBuffer],
] as const)('damage in %s memory', (_, Memory) => {
  const text = (): RecordBatch => batch({ k: { type: 'utf8', values: ['a', 'bc', '', 'd'] } });
  const batch = (named: Record<string, ColumnNotation>): RecordBatch =>
    batchOf(Object.entries(named).map(([name, column]) => [name, dataOf(column, Memory)]));

  it.each([
    [1, 99],
    [4, 5],
    [2, 0],
    [0, -1],
    [0, 2],
    [3, -2147483648],
  ])('names batch and column of offset %i that is %i', async (place, offset) => {
    const damaged = text();
    (damaged.data.children[0].valueOffsets as Int32Array)[place] = offset;
    const queries: Query[] = [
      BY_K_ALONE,
      { by: [], aggregates: { last: max('k') } },
      // one that conditions look at, and nothing else does
      { by: [], aggregates: {}, where: gt('k', 'b') },
      { by: [], aggregates: { n: count({ where: eq('k', 'd') }) } },
      // rows that are not kept are checked as well
      { ...BY_K_ALONE, where: isIn('k', []) },
    ];
    for (const query of queries) {
      const error = await rejection(engine.aggregate([text(), damaged, text()], query));
      expect(error).toBeInstanceOf(InputError);
      expect(error.message).toMatch(/^batch 1, column "k": got /);
    }
    expect((await engine.aggregate([text()], BY_K_ALONE)).table.numRows).toBe(4);
  });

  it.each([[-1], [2], [127], [-128]])('names batch, column and row of code %i', async (code) => {
    const damaged = batch({
      k: { type: 'dict<i8,utf8>', dictionary: ['a', 'b'], values: [0, 1, code, 1, null] },
    });
    for (const query of [
      BY_K_ALONE,
      { by: [], aggregates: {}, where: gt('k', 'a') },
      { ...BY_K_ALONE, where: isNull('k') },
    ]) {
      const error = await rejection(engine.aggregate([damaged], query));
      expect(error).toBeInstanceOf(InputError);
      expect(error.message).toContain(`batch 0, column "k": got code ${code} in row 2`);
    }
  });

  it('names batch and column of a damaged dictionary', async () => {
    const damaged = batch({ k: { type: 'dict<i8,utf8>', dictionary: ['a', 'bc'], values: [0, 0] } });
    const entries = damaged.data.children[0].dictionary?.data[0].valueOffsets as Int32Array;
    entries[2] = 77;
    for (const query of [BY_K_ALONE, { by: [], aggregates: {}, where: gt('k', 'a') }]) {
      const error = await rejection(engine.aggregate([damaged], query));
      expect(error).toBeInstanceOf(InputError);
      expect(error.message).toMatch(/^batch 0, column "k".*dictionary/);
    }
  });
});
