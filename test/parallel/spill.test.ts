import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Float64, Int64, type RecordBatch, Table } from 'apache-arrow';
import {
  AggregateOverflowError,
  type Aggregator,
  count,
  createParallel,
  desc,
  EngineClosedError,
  gt,
  type ParallelOptions,
  type Query,
  sum,
} from 'rangefold';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { column } from '../support/files.js';

/** Every table is spilled at 100 groups, and read back about 500 at a time. */
const SPILLING = { inlineRows: 0, groupsPerWorker: 1, spillGroups: 100, chunkGroups: 10, loadGroups: 500 };

/** Groups 0 to GROUPS - 1, each in ROWS / GROUPS rows that lie far apart. */
const GROUPS = 5000;
const ROWS = 20_000;
const table = new Table({
  k: column(
    new Int64(),
    Array.from({ length: ROWS }, (_, row) => BigInt((row * 7919) % GROUPS)),
  ),
  v: column(
    new Int64(),
    Array.from({ length: ROWS }, (_, row) => BigInt(row)),
  ),
});
const QUERY = { by: ['k'], aggregates: { n: count(), s: sum('v') } } as const satisfies Query;

/** The sum of the rows' numbers of each group: row = k * 7919^-1 mod GROUPS, then every GROUPS rows. */
const sums = Array.from({ length: GROUPS }, () => 0n);
for (let row = 0; row < ROWS; row++) sums[(row * 7919) % GROUPS] += BigInt(row);

let directory = '';
let engine: Aggregator;

function create(options: ParallelOptions = {}): Aggregator {
  return createParallel({ workers: 2, spillDirectory: directory, tuning: SPILLING, ...options });
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rangefold-test-'));
  engine = create();
});

afterEach(async () => {
  await engine.close();
  rmSync(directory, { recursive: true });
});

const left = (): string[] => readdirSync(directory);

function* keysOf(batch: RecordBatch): Generator<bigint> {
  const data = batch.getChild('k')?.data ?? [];
  for (const { values } of data) yield* values as BigInt64Array;
}

/** Reads a stream to its end. */
async function readOn(iterator: AsyncIterator<RecordBatch>): Promise<void> {
  while ((await iterator.next()).done !== true);
}

/** The batches of the table, and then an error. */
async function* failing(): AsyncGenerator<RecordBatch> {
  for (let i = 0; i < 3; i++) yield* table.batches;
  throw new Error('the source is dry');
}

describe('a run that is spilled', () => {
  it('says so, and hands out its ranges one after the other, in order', async () => {
    const { batches, stats } = await engine.stream(table, QUERY);
    let next = 0n;
    let batchCount = 0;
    for await (const batch of batches) {
      batchCount++;
      const totals = batch.getChild('s')?.data[0].values as BigInt64Array;
      let row = 0;
      for (const key of keysOf(batch)) {
        expect(key).toBe(next++);
        expect(totals[row++]).toBe(sums[Number(key)]);
      }
    }
    expect(next).toBe(BigInt(GROUPS));
    const { strategies, spilledBytes, rows, groups, ranges } = await stats;
    expect(strategies).toContain('spill');
    // a key and a count of each partial group, at least
    expect(spilledBytes).toBeGreaterThan(16 * GROUPS);
    expect({ rows, groups, ranges: ranges.length }).toEqual({
      rows: ROWS,
      groups: GROUPS,
      ranges: batchCount,
    });
    expect(batchCount).toBeGreaterThan(GROUPS / 500);
  });

  it.each<[string, Query, (keys: bigint[]) => void]>([
    [
      'a limit',
      { ...QUERY, limit: 1234 },
      (keys) => expect(keys).toEqual(Array.from({ length: 1234 }, (_, k) => BigInt(k))),
    ],
    [
      'conditions and a limit',
      { ...QUERY, having: gt('k', 3000), limit: 3 },
      (keys) => expect(keys).toEqual([3001n, 3002n, 3003n]),
    ],
    [
      'another order',
      { ...QUERY, sort: [desc('k')] },
      (keys) => expect(keys).toEqual(Array.from({ length: GROUPS }, (_, k) => BigInt(GROUPS - 1 - k))),
    ],
    [
      'another order and a limit',
      { ...QUERY, sort: [desc('k')], limit: 2 },
      (keys) => expect(keys).toEqual([4999n, 4998n]),
    ],
    ['a limit of none', { ...QUERY, limit: 0 }, (keys) => expect(keys).toEqual([])],
  ])('keeps %s', async (_, query, check) => {
    const { table: answer, stats } = await engine.aggregate(table, query);
    expect(stats.strategies).toContain('spill');
    check(answer.batches.flatMap((batch) => [...keysOf(batch)]));
  });

  it('names the first group of which a sum does not fit, be it behind a limit', async () => {
    const most = 2n ** 62n;
    const large = new Table({
      k: column(
        new Int64(),
        Array.from({ length: ROWS }, (_, row) => BigInt((row * 7919) % GROUPS)),
      ),
      v: column(
        new Int64(),
        // four rows a group: those of 4321 and 4400 are too large together
        Array.from({ length: ROWS }, (_, row) => ([4321, 4400].includes((row * 7919) % GROUPS) ? most : 1n)),
      ),
    });
    for (const limit of [undefined, 10]) {
      const error = await engine
        .aggregate(large, { by: ['k'], aggregates: { s: sum('v') }, ...(limit !== undefined && { limit }) })
        .catch((error: unknown) => error);
      expect(error).toBeInstanceOf(AggregateOverflowError);
      expect(String(error)).toContain('k=4321');
    }
    const { batches, stats } = await engine.stream(large, { by: ['k'], aggregates: { s: sum('v') } });
    let next = 0n;
    await expect(
      (async () => {
        for await (const batch of batches) for (const key of keysOf(batch)) expect(key).toBe(next++);
      })(),
    ).rejects.toThrow('k=4321');
    await expect(stats).rejects.toThrow(AggregateOverflowError);
    expect(next).toBeLessThanOrEqual(4321n);
    expect(left()).toEqual([]);
  });

  it('adds floats exactly, in however many pieces', async () => {
    // 1e300 and -1e300 cancel, what is left of a group is its number of rows times 2^-40
    const rows = 8000;
    const floats = new Table({
      k: column(
        new Int64(),
        Array.from({ length: rows }, (_, row) => BigInt(row % 40)),
      ),
      x: column(
        new Float64(),
        Array.from({ length: rows }, (_, row) => [1e300, 2 ** -40, -1e300, 0][Math.floor(row / 40) % 4]),
      ),
    });
    const tuning = { ...SPILLING, spillGroups: 1, morselRows: 41, chunkGroups: 3 };
    const other = create({ tuning });
    const { table: answer, stats } = await other.aggregate(floats, {
      by: ['k'],
      aggregates: { s: sum('x') },
    });
    await other.close();
    expect(stats.strategies).toContain('spill');
    const values = [...(answer.getChild('s') ?? [])];
    expect(values).toEqual(Array.from({ length: 40 }, () => (rows / 160) * 2 ** -40));
  });
});

describe('the files of a run that is spilled', () => {
  it('are there while its stream is read, and gone at its end', async () => {
    const { batches } = await engine.stream(table, QUERY);
    expect(left()).toHaveLength(1);
    let keys = 0;
    for await (const batch of batches) {
      expect(left()).toHaveLength(1);
      keys += batch.numRows;
    }
    expect(keys).toBe(GROUPS);
    expect(left()).toEqual([]);
  });

  it.each(['half read', 'unread'])('are gone when its stream is left %s', async (how) => {
    const { batches, stats } = await engine.stream(table, QUERY);
    if (how === 'unread') await batches[Symbol.asyncIterator]().return?.();
    else for await (const batch of batches) if (batch.numRows > 0) break;
    expect(left()).toEqual([]);
    expect((await stats).strategies).toContain('spill');
    expect((await engine.aggregate(table, QUERY)).table.numRows).toBe(GROUPS);
  });

  it('are gone when its input fails', async () => {
    await expect(engine.stream(failing(), QUERY)).rejects.toThrow('the source is dry');
    expect(left()).toEqual([]);
    expect((await engine.aggregate(table, QUERY)).table.numRows).toBe(GROUPS);
  });

  it('are gone when it is stopped, and its stream ends with the reason', async () => {
    const controller = new AbortController();
    const { batches } = await engine.stream(table, QUERY, { signal: controller.signal });
    const iterator = batches[Symbol.asyncIterator]();
    expect((await iterator.next()).done).toBe(false);
    controller.abort(new Error('enough'));
    await expect(readOn(iterator)).rejects.toThrow('enough');
    // nobody is kept waiting for it
    await vi.waitFor(() => expect(left()).toEqual([]));
    expect((await engine.aggregate(table, QUERY)).table.numRows).toBe(GROUPS);
  });

  it('are gone when the engine is closed', async () => {
    const { batches } = await engine.stream(table, QUERY);
    const iterator = batches[Symbol.asyncIterator]();
    await iterator.next();
    await engine.close();
    expect(left()).toEqual([]);
    await expect(readOn(iterator)).rejects.toThrow(EngineClosedError);
  });

  it('are of one run: others go on beside it', async () => {
    const { batches } = await engine.stream(table, QUERY);
    let keys = 0;
    for await (const batch of batches) {
      for (const key of keysOf(batch)) expect(key).toBe(BigInt(keys++));
      if (keys < GROUPS / 2) expect((await engine.aggregate(table, QUERY)).table.numRows).toBe(GROUPS);
      expect(left()).toHaveLength(1);
    }
    expect(keys).toBe(GROUPS);
  });
});
