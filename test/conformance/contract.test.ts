import { type RecordBatch, Table } from 'apache-arrow';
import {
  AggregateOverflowError,
  type Aggregator,
  asc,
  count,
  EngineClosedError,
  type Input,
  InputError,
  max,
  type Progress,
  type Query,
  QueryError,
  sum,
} from 'rangefold';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../support/cells.js';
import { ENGINES } from '../support/engines.js';
import { batchOf, dataOf } from '../support/notation.js';

const ints = (...values: number[]): RecordBatch => batchOf([['k', dataOf({ type: 'i32', values })]]);

const BY_K = { by: ['k'], aggregates: { n: count() } } as const;

/** What every engine promises about a run beside its answer. */
describe.each(ENGINES)('$name', ({ create }) => {
  // One for all tests but those that close theirs: a pool of threads takes long to start.
  let engine: Aggregator;
  beforeAll(() => {
    engine = create();
  });
  afterAll(() => engine.close());

  it('streams the batches that aggregate() collects', async () => {
    const { schema, batches, stats } = await engine.stream([ints(3, 1), ints(3)], BY_K);
    const collected: RecordBatch[] = [];
    for await (const batch of batches) collected.push(batch);
    const { table } = await engine.aggregate([ints(3, 1), ints(3)], BY_K);
    expect(cellsOf(new Table(schema, collected))).toEqual(cellsOf(table));
    expect(cellsOf(table).rows).toEqual([
      ['1', '1'],
      ['3', '2'],
    ]);
    expect(await stats).toMatchObject({ rows: 3, groups: 2 });
  });

  it('has stats of the run', async () => {
    const { stats, ranges } = await engine.aggregate([ints(5, 6, 5)], BY_K);
    expect(stats.rows).toBe(3);
    expect(stats.groups).toBe(2);
    expect(stats.engine).toBe(engine.name);
    expect(stats.workers).toBeGreaterThanOrEqual(1);
    expect(stats.spilledBytes).toBe(0);
    expect(stats.strategies.length).toBeGreaterThan(0);
    for (const time of Object.values(stats.milliseconds)) expect(time).toBeGreaterThanOrEqual(0);
    expect(stats.ranges.reduce((groups, range) => groups + range.groups, 0)).toBe(2);
    expect(ranges.reduce((rows, range) => rows + range.length, 0)).toBe(2);
  });

  it('ends a stream that is left early, and settles its stats', async () => {
    const early = await engine.stream([ints(1)], BY_K);
    for await (const _ of early.batches) break;
    expect((await early.stats).groups).toBe(1);
    const unread = await engine.stream([ints(1)], BY_K);
    await unread.batches[Symbol.asyncIterator]().return?.();
    await unread.stats;
  });

  it('raises user errors before it reads a row, and closes the input', async () => {
    let read = 0;
    let closed = false;
    async function* input(): AsyncGenerator<RecordBatch> {
      try {
        for (;;) {
          read += 1;
          yield ints(1);
        }
      } finally {
        closed = true;
      }
    }
    const query = { by: ['q'], aggregates: {} };
    await expect(engine.aggregate(input(), query)).rejects.toThrow(QueryError);
    expect(read).toBe(1);
    expect(closed).toBe(true);
    await expect(engine.stream(input(), query)).rejects.toThrow(/unknown column "q"/);
    await expect(engine.aggregate([], BY_K)).rejects.toThrow(QueryError);
    await expect(engine.aggregate(5 as unknown as Input, BY_K)).rejects.toThrow(QueryError);
    await expect(engine.aggregate([ints(1)], undefined as unknown as Query)).rejects.toThrow(QueryError);
  });

  it('names batch and column of damaged data', async () => {
    const text = batchOf([['k', dataOf({ type: 'utf8', values: ['a', 'bc'] })]]);
    const damaged = batchOf([['k', dataOf({ type: 'utf8', values: ['a', 'bc'] })]]);
    (damaged.data.children[0].valueOffsets as Int32Array)[2] = 99;
    await expect(engine.aggregate([text, damaged], BY_K)).rejects.toThrow(InputError);
    await expect(engine.aggregate([text, damaged], BY_K)).rejects.toThrow(/batch 1.*column "k"/);
    for (const [type, entry] of [
      ['dict<i8,utf8>', 'a'],
      ['dict<i8,i32>', 7],
      ['dict<i8,f64>', 0.5],
    ] as const) {
      const codes = dataOf({ type, dictionary: [entry], values: [0, 1] });
      await expect(engine.aggregate([batchOf([['k', codes]])], BY_K)).rejects.toThrow(
        /batch 0.*column "k".*code 1/,
      );
    }
    await expect(engine.aggregate([text, ints(1)], BY_K)).rejects.toThrow(
      /batch 1, column "k": got type Int32/,
    );
  });

  it('passes an error of the input on as it is', async () => {
    const error = new Error('the disk is gone');
    async function* input(): AsyncGenerator<RecordBatch> {
      yield ints(1);
      throw error;
    }
    await expect(engine.aggregate(input(), BY_K)).rejects.toBe(error);
  });

  it('rejects a run that is aborted, with the reason of the signal', async () => {
    const reason = new Error('enough');
    await expect(engine.aggregate([ints(1)], BY_K, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    const controller = new AbortController();
    let closed = false;
    async function* input(): AsyncGenerator<RecordBatch> {
      try {
        yield ints(1);
        controller.abort(reason);
        for (;;) yield ints(2);
      } finally {
        closed = true;
      }
    }
    await expect(engine.aggregate(input(), BY_K, { signal: controller.signal })).rejects.toBe(reason);
    expect(closed).toBe(true);
    expect((await engine.aggregate([ints(1)], BY_K)).table.numRows).toBe(1);
  });

  it('rejects a run that waits for its input when it is aborted or the engine is closed', async () => {
    async function* stuck(): AsyncGenerator<RecordBatch> {
      yield ints(1);
      await new Promise(() => {});
    }
    const controller = new AbortController();
    const reason = new Error('enough');
    const aborted = engine.aggregate(stuck(), BY_K, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 5);
    await expect(aborted).rejects.toBe(reason);
    const other = create();
    const closed = other.aggregate(stuck(), BY_K);
    setTimeout(() => other.close(), 5);
    await expect(closed).rejects.toThrow(EngineClosedError);
  });

  it('rejects runs after close(), which may come twice', async () => {
    const own = create();
    const { table } = await own.aggregate([ints(1)], BY_K);
    const before = cellsOf(table);
    await own.close();
    await own.close();
    await expect(own.aggregate([ints(1)], BY_K)).rejects.toThrow(EngineClosedError);
    await expect(own.stream([ints(1)], BY_K)).rejects.toThrow(EngineClosedError);
    expect(cellsOf(table)).toEqual(before);
    const unused = create();
    await unused[Symbol.asyncDispose]();
    await expect(unused.aggregate([ints(1)], BY_K)).rejects.toThrow(EngineClosedError);
  });

  it('gives an answer that no later run and no change of the input alters', async () => {
    const batch = batchOf([
      ['k', dataOf({ type: 'utf8', values: ['b', 'a'] })],
      ['v', dataOf({ type: 'i64', values: [1, 2] })],
    ]);
    const query = { by: ['k'], aggregates: { s: sum('v'), hi: max('k') } };
    const { table } = await engine.aggregate(batch, query);
    const before = cellsOf(table);
    for (const { values } of batch.data.children) {
      new Uint8Array(values.buffer, values.byteOffset, values.byteLength).fill(0);
    }
    await engine.aggregate(batch, query);
    expect(cellsOf(table)).toEqual(before);
  });

  it('answers runs at the same time', async () => {
    const runs = Array.from({ length: 5 }, (_, i) => engine.aggregate([ints(i, i)], BY_K));
    expect((await Promise.all(runs)).map(({ table }) => cellsOf(table).rows)).toEqual(
      runs.map((_, i) => [[`${i}`, '2']]),
    );
  });

  it('reports progress up to the last row', async () => {
    const seen: Progress[] = [];
    const batches = [ints(...Array(1000).fill(1)), ints(2, 3)];
    await engine.aggregate(new Table(batches), BY_K, { onProgress: (progress) => seen.push(progress) });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.at(-1)?.rows).toBe(1002);
    expect(seen.every(({ totalRows }) => totalRows === 1002)).toBe(true);
    expect(seen.map(({ rows }) => rows)).toEqual(seen.map(({ rows }) => rows).toSorted((a, b) => a - b));
    const ended = seen.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen).toHaveLength(ended);
  });

  it('raises one overflow error in the same words, whatever the cut', async () => {
    const batch = batchOf([
      ['k', dataOf({ type: 'f64', values: ['NaN', 1.5, 'NaN', 1.5] })],
      ['t', dataOf({ type: 'timestamp[ms,UTC]', values: [null, -1, null, -1] })],
      ['v', dataOf({ type: 'u64', values: ['18446744073709551615', '18446744073709551615', 1, 2] })],
    ]);
    const query = { by: ['k', asc('t').as('at')], aggregates: { n: count(), total: sum('v') } };
    const message =
      'aggregate "total": got 18446744073709551617 in group k=1.5, at=1969-12-31T23:59:59.999Z, wanted a sum that fits Uint64';
    for (const input of [[batch], [batch.slice(0, 1), batch.slice(1, 3), batch.slice(3, 4)]]) {
      await expect(engine.aggregate(input, query)).rejects.toThrow(AggregateOverflowError);
      await expect(engine.aggregate(input, query)).rejects.toThrow(message);
    }
  });

  it('has the name of its kind', () => {
    expect(['reference', 'parallel', 'clickhouse']).toContain(engine.name);
  });
});
