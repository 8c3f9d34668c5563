import { closeSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import { Bool, makeData, makeVector, type StructRowProxy, Table, tableToIPC, Vector } from 'apache-arrow';
import { count, createParallel, max, open, sum } from 'rangefold';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolder } from '../support/files.js';

const GIB = 2 ** 30;
const engine = createParallel({ workers: 2 });
afterAll(() => engine.close());
const file = createFolder();

const rowsOf = (table: Table): unknown[][] =>
  table.toArray().map((row: StructRowProxy) => Object.values(row.toJSON()));

describe('more than 2^31', () => {
  it('rows of one batch are all read', async () => {
    const rows = 2 ** 31 + 7;
    const marked = [3, 2 ** 31 - 1, 2 ** 31, rows - 1];
    const bits = new Uint8Array(Math.ceil(rows / 8));
    for (const row of marked) bits[Math.floor(row / 8)] |= 1 << (row % 8);
    const column = { type: new Bool(), length: rows, data: bits };
    const nulls = { nullCount: rows - marked.length, nullBitmap: bits };
    const table = new Table({
      marked: new Vector([makeData({ ...column, nullCount: 0 })]),
      valid: new Vector([makeData({ ...column, ...nulls })]),
    });
    const aggregates = { rows: count(), values: count('valid') };
    const answer = await engine.aggregate(table, { by: ['marked'], aggregates });
    expect(rowsOf(answer.table)).toEqual([
      [false, BigInt(rows - marked.length), 0n],
      [true, BigInt(marked.length), BigInt(marked.length)],
    ]);
    expect(answer.stats.rows).toBe(rows);
  });

  it('bytes of an Arrow stream are read, and each number where it stands', async () => {
    // batches that differ in nothing but their values, which are zeros (a hole of the file) in all but the last
    const length = 2 ** 20;
    const body = 8 * length;
    const table = (value: bigint): Table =>
      new Table({ v: makeVector(new BigInt64Array(length).fill(value)) });
    const zeros = tableToIPC(table(0n), 'stream');
    const ones = tableToIPC(table(1n), 'stream');
    // what stands before the values of a batch; behind them is the end of the stream
    const end = 8;
    const schema = tableToIPC(new Table(table(0n).schema), 'stream').length - end;
    const head = zeros.subarray(schema, zeros.length - end - body);
    const batches = Math.ceil((2.1 * GIB) / body);

    const path = file('holes.arrows', zeros.subarray(0, schema));
    const to = openSync(path, 'r+');
    let at = schema;
    for (let batch = 0; batch < batches; batch++) {
      writeSync(to, head, 0, head.length, at);
      at += head.length + body;
    }
    ftruncateSync(to, at);
    writeSync(to, ones, schema, ones.length - schema, at);
    closeSync(to);
    expect(statSync(path).size).toBeGreaterThan(2 * GIB);

    const aggregates = { rows: count(), sum: sum('v') };
    const answer = await engine.aggregate(await open(path), { by: ['v'], aggregates });
    expect(rowsOf(answer.table)).toEqual([
      [0n, BigInt(batches * length), 0n],
      [1n, BigInt(length), BigInt(length)],
    ]);
  });

  it('bytes of CSV are read, and the line of an error is counted through them', async () => {
    // cells of 2^20 zeros, holes of the file, behind one that looks like text
    const rows = 2_200;
    const path = file('holes.csv', `k,text\n0,${'x'.repeat(2 ** 20)}\n`);
    const to = openSync(path, 'r+');
    let at = statSync(path).size;
    for (let row = 1; row <= rows; row++) {
      const key = row < rows ? `${row},` : 'no number,';
      writeSync(to, key, at);
      at += key.length + 2 ** 20;
      writeSync(to, '\n', at++);
    }
    closeSync(to);
    expect(at).toBeGreaterThan(2 * GIB);
    const input = await open(path, { types: { k: 'Int64' } });
    const totals = { rows: count(), last: max('k'), sum: sum('k') };
    await expect(engine.aggregate(input, { by: [], aggregates: totals })).rejects.toThrow(`line ${rows + 2}`);
    const { table } = await engine.aggregate(input, { by: [], aggregates: { rows: count() } });
    expect(rowsOf(table)).toEqual([[BigInt(rows + 1)]]);
  });
});
