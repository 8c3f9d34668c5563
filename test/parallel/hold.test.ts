import { tableFromArrays } from 'apache-arrow';
import {
  count,
  createParallel,
  createReference,
  EngineClosedError,
  type HeldTable,
  MemoryLimitError,
  max,
  sum,
} from 'rangefold';
import { describe, expect, it } from 'vitest';
import { Holder } from '../../dist/parallel/hold.js';
import { KernelMemory, reserveMemory } from '../../dist/parallel/memory.js';
import { cellsOf } from '../support/cells.js';
import { batchOf, dataOf } from '../support/notation.js';

const TUNING = { inlineRows: 0, morselRows: 3 };
const QUERY = { by: ['t', 'd'], aggregates: { n: count(), s: sum('v'), m: max('u') } };

const rows = (from: number) =>
  batchOf([
    ['t', dataOf({ type: 'utf8', values: ['b', null, 'a', 'b', `${from}`] })],
    ['d', dataOf({ type: 'dict<i8,utf8>', dictionary: ['x', 'y'], values: [0, 1, 1, null, 0] })],
    ['v', dataOf({ type: 'f64', values: [from, 2, 0.5, null, -1] })],
    ['u', dataOf({ type: 'utf8_view', values: ['', 'a text that no view holds', 'short', null, 'z'] })],
  ]);

describe('a table that an engine holds', () => {
  it('gives the answer of the table it was copied from, to the engine and to others', async () => {
    const engine = createParallel({ workers: 2, tuning: TUNING });
    const other = createParallel({ workers: 2, tuning: TUNING });
    const reference = createReference();
    for (const input of [rows(1), rows(2).slice(1, 4)]) {
      const { table } = await engine.hold(input);
      const wanted = cellsOf((await reference.aggregate(input, QUERY)).table);
      for (const one of [engine, other, reference]) {
        expect(cellsOf((await one.aggregate(table, QUERY)).table)).toEqual(wanted);
      }
    }
    for (const one of [engine, other, reference]) await one.close();
  });

  it('stays as it is through later runs and holds', async () => {
    const engine = createParallel({ workers: 2, tuning: TUNING });
    const held = [];
    for (let i = 0; i < 5; i++) held.push(await engine.hold(rows(i)));
    await engine.aggregate(rows(9), QUERY);
    for (const [i, { table }] of held.entries()) {
      const wanted = cellsOf((await engine.aggregate(rows(i), QUERY)).table);
      expect(cellsOf((await engine.aggregate(table, QUERY)).table)).toEqual(wanted);
    }
    await engine.close();
  });

  it('gives its memory back once all below it is given back', () => {
    // 256 MiB, of which runs keep 64
    const memory = new KernelMemory(reserveMemory(4096));
    const holder = new Holder();
    const table = tableFromArrays({ v: new Float64Array(8_000_000) });
    const hold = (): HeldTable => holder.hold(memory, table);
    const upper = hold();
    const lower = hold();
    const lowest = hold();
    expect(hold).toThrow(MemoryLimitError);
    upper.release();
    expect(hold).toThrow(MemoryLimitError);
    lowest.release();
    const again = hold();
    expect(again.table.numRows).toBe(8_000_000);
    again.release();
    lower.release();
    hold();
    hold();
    hold();
    expect(hold).toThrow(/held tables: got 640\d{5} bytes more, wanted at most \d+/);
  });

  it('is refused by an engine that is closed', async () => {
    const engine = createParallel({ workers: 1 });
    await engine.close();
    await expect(engine.hold(rows(1))).rejects.toThrow(EngineClosedError);
  });
});

describe('what is held no more', () => {
  it('is refused, be it the table or a batch of it, once others may lie in its place', async () => {
    const engine = createParallel({ workers: 1 });
    const query = { by: [], aggregates: { n: count() } };
    const { table, release } = await engine.hold(rows(1));
    expect((await engine.aggregate(table, query)).table.get(0)?.n).toBe(5n);
    release();
    await engine.hold(rows(2));
    for (const input of [table, table.batches[0]])
      await expect(engine.aggregate(input, query)).rejects.toThrow(
        'input: got a held table that was released, wanted one that is held',
      );
    await engine.close();
  });

  it.each([
    ['an array', [1]],
    ['undefined', undefined],
    ['a promise, which wants an await', Promise.resolve()],
  ])('of %s is nothing held', async (came, input) => {
    const engine = createParallel({ workers: 1 });
    await expect(engine.hold(input as never)).rejects.toThrow(
      `hold(input): got ${came}, wanted a Table or a RecordBatch`,
    );
    await engine.close();
  });
});
