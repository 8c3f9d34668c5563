import { type RecordBatch, Table, tableFromIPC, tableToIPC } from 'apache-arrow';
import { type Aggregator, count, max, mean, min, sum } from 'rangefold';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from '../support/cell.js';
import { cellsOf } from '../support/cells.js';
import { ENGINES } from '../support/engines.js';
import { batchOf, type ColumnNotation, dataOf } from '../support/notation.js';
import { cutBy, cutsOf } from './cuts.js';

type Named = Record<string, ColumnNotation>;

const columns = (named: Named): RecordBatch =>
  batchOf(Object.entries(named).map(([name, column]) => [name, dataOf(column)]));

const table = (named: Named): Table => new Table([columns(named)]);

const byFormula = (n: number, formula: (i: number) => Cell): Cell[] =>
  Array.from({ length: n }, (_, i) => formula(i));

/** Conformance cases whose input is made by a rule; the answers are arithmetic. */
describe.each(ENGINES)('$name', ({ create }) => {
  let engine: Aggregator;
  beforeAll(() => {
    engine = create();
  });
  afterAll(() => engine.close());

  const rowsOf = async (
    input: Table | RecordBatch[],
    query: Parameters<Aggregator['aggregate']>[1],
  ): Promise<readonly (readonly string[])[]> => cellsOf((await engine.aggregate(input, query)).table).rows;

  // apache/arrow#42231: one group came out several times once more than 32 rows had a null key.
  it('makes one group of any number of null keys', async () => {
    for (let n = 1; n <= 130; n++) {
      const input = table({ a: { type: 'u8', repeat: [0, n] }, g: { type: 'date32', repeat: [null, n] } });
      expect(await rowsOf(input, { by: ['a', 'g'], aggregates: { rows: count() } })).toEqual([
        ['0', 'null', `${n}`],
      ]);
    }
  });

  // duckdb/duckdb#9399: labels were repeated. 7919 and 5003 are coprime, and 100000 = 19 x 5003 + 4943.
  it('has strictly ascending keys', async () => {
    const n = 100_000;
    const input = table({
      k: { type: 'i32', values: byFormula(n, (i) => (i * 7919) % 5003) },
      v: { type: 'f64', range: [0, n] },
    });
    const rows = await rowsOf(input, { by: ['k'], aggregates: { rows: count(), m: mean('v') } });
    expect(rows.map(([k]) => k)).toEqual(byFormula(5003, String));
    const counts = rows.map(([, rows]) => Number(rows));
    expect(counts.reduce((a, b) => a + b, 0)).toBe(n);
    expect(counts.filter((rows) => rows === 20)).toHaveLength(4943);
    expect(counts.filter((rows) => rows === 19)).toHaveLength(5003 - 4943);
  });

  // pola-rs/polars#3275: a count went wrong where another code path took over.
  it.each([1, 7, 8, 9, 63, 64, 65, 999, 1000, 1001, 4095, 4096, 4097, 65535, 65536, 65537])(
    'counts %i rows of one key',
    async (n) => {
      const input = table({ k: { type: 'i64', repeat: [0, n] } });
      expect(await rowsOf(input, { by: ['k'], aggregates: { rows: count() } })).toEqual([['0', `${n}`]]);
    },
  );

  // duckdb/duckdb-web#5710, NVIDIA/cudf#3464, duckdb/duckdb#7257: the last digits changed from run to run.
  it('sums floats to the same bits in every cut and run', async () => {
    const n = 20_000;
    const batch = columns({
      k: { type: 'i32', values: byFormula(n, (i) => i % 97) },
      v: {
        type: 'f64',
        values: byFormula(n, (i) => Number((BigInt(i) * 2654435761n) % 4294967296n) / 4294967296 - 0.5),
      },
    });
    const query = { by: ['k'], aggregates: { s: sum('v'), m: mean('v') } };
    const rows = await rowsOf([batch], query);
    // Every value is a multiple of 2^-32, so the exact sum of a group is an integer over 2^32, well below 2^53.
    const sums = Array<bigint>(97).fill(0n);
    for (let i = 0; i < n; i++) sums[i % 97] += ((BigInt(i) * 2654435761n) % 4294967296n) - 2147483648n;
    const bits = (x: number): string => Buffer.from(Float64Array.of(x).buffer).toString('hex');
    expect(rows.map(([, s]) => s)).toEqual(sums.map((s) => bits(Number(s) / 4294967296)));
    for (const size of [1, 7, 1024, n]) expect(await rowsOf(cutBy(batch, size), query)).toEqual(rows);
    for (let run = 0; run < 5; run++) expect(await rowsOf([batch], query)).toEqual(rows);
  });

  // apache/arrow#41683, uwdata/flechette#70: rows were read against the dictionary of another batch.
  it('reads each batch by its own dictionary', async () => {
    const first = columns({ k: { type: 'dict<i32,utf8>', dictionary: ['a', 'b'], values: [0, 1, 0] } });
    const second = columns({ k: { type: 'dict<i32,utf8>', dictionary: ['c', 'a'], values: [0, 1] } });
    expect(await rowsOf([first, second], { by: ['k'], aggregates: { rows: count() } })).toEqual([
      [expect.stringContaining('"a"'), '3'],
      [expect.stringContaining('"b"'), '1'],
      [expect.stringContaining('"c"'), '1'],
    ]);
  });

  // pandas-dev/pandas#30552, #21439, dask/dask#5820: the product of all categories was built.
  it('does not build the product of a large dictionary and other keys', async () => {
    const input = table({
      a: {
        type: 'dict<i32,utf8>',
        dictionary: byFormula(100_000, (i) => `category ${i}`),
        values: byFormula(24, (i) => i),
      },
      b: { type: 'i32', range: [0, 24] },
      c: { type: 'i32', range: [0, 24] },
    });
    const rows = await rowsOf(input, { by: ['c', 'b', 'a'], aggregates: { rows: count() } });
    expect(rows.map(([c, b, , n]) => [c, b, n])).toEqual(
      byFormula(24, (i) => i).map((i) => [`${i}`, `${i}`, '1']),
    );
  });

  // apache/arrow#51223, apache/arrow-rs#417: the bit offset of a slice was lost.
  it('reads a boolean sliced at any bit', async () => {
    const pattern = [true, false, null, true, true, false, null, true, false, true, null, false];
    const values = byFormula(30, (i) => pattern[i % pattern.length]);
    for (let offset = 0; offset <= 17; offset++) {
      const input = table({
        k: { type: 'bool', values, slice: [offset, 11] },
        b: { type: 'bool', values, slice: [offset, 11] },
        v: { type: 'i32', values: byFormula(11, (i) => 2 ** i) },
      });
      const total = (key: Cell): number =>
        values
          .slice(offset, offset + 11)
          .reduce<number>((sum, value, i) => sum + (value === key ? 2 ** i : 0), 0);
      const rows = await rowsOf(input, { by: ['k'], aggregates: { s: sum('v'), b: max('b') } });
      expect(rows).toEqual([
        ['false', `${total(false)}`, 'false'],
        ['true', `${total(true)}`, 'true'],
        ['null', `${total(null)}`, 'null'],
      ]);
    }
  });

  // uwdata/flechette#53, #27: a null column shifted the buffers of the next; bytes at an odd place threw.
  it('reads what a file holds, wherever its bytes lie', async () => {
    const bytes = tableToIPC(
      table({
        a: { type: 'i32', values: [1, 2, 3] },
        b: { type: 'utf8', values: ['x', 'y', 'x'] },
        t: { type: 'i64', values: [5, 6, 7] },
      }),
      'stream',
    );
    for (const shift of [0, 1, 4, 8, 9]) {
      const moved = new Uint8Array(bytes.length + shift);
      moved.set(bytes, shift);
      const input = tableFromIPC(moved.subarray(shift));
      const rows = await rowsOf(input, { by: ['b'], aggregates: { a: sum('a'), t: sum('t') } });
      expect(rows.map((row) => row.slice(1))).toEqual([
        ['4', '12'],
        ['2', '6'],
      ]);
    }
  });

  // nodejs/node#32199, emscripten-core/emscripten#7068: text in shared memory was refused.
  it('reads columns in shared memory, and answers in memory of its own', async () => {
    const named: Named = {
      k: { type: 'utf8', values: ['b', 'é', 'b', null] },
      d: { type: 'dict<i8,utf8>', values: ['z', null, 'y', 'z'] },
      v: { type: 'f64', values: [1, 2, null, 4] },
      w: { type: 'bool', values: [true, null, false, true] },
    };
    const shared = new Table([
      batchOf(Object.entries(named).map(([name, column]) => [name, dataOf(column, SharedArrayBuffer)])),
    ]);
    expect(shared.batches[0].data.children[2].values.buffer).toBeInstanceOf(SharedArrayBuffer);
    const query = { by: ['k', 'd'], aggregates: { s: sum('v'), hi: max('d'), w: min('w') } };
    const answer = (await engine.aggregate(shared, query)).table;
    expect(cellsOf(answer)).toEqual(cellsOf((await engine.aggregate(table(named), query)).table));
    for (const { values } of answer.batches[0].data.children)
      expect(values.buffer).toBeInstanceOf(ArrayBuffer);
  });

  // AlaSQL/alasql#79, in all the ways in which an input can have no rows.
  it('answers no rows with no rows and the same schema', async () => {
    const full = columns({ k: { type: 'utf8', values: ['a'] }, v: { type: 'i64', values: [1] } });
    const query = { by: ['k'], aggregates: { s: sum('v'), n: count() } };
    const { columns: schema } = cellsOf((await engine.aggregate(full, query)).table);
    const none = { columns: schema, rows: [] };
    const { schema: given } = full;
    expect(cellsOf((await engine.aggregate(new Table(given, []), query)).table)).toEqual(none);
    expect(cellsOf((await engine.aggregate([], query, { schema: given })).table)).toEqual(none);
    for (const batches of [[full.slice(0, 0)], [full.slice(0, 0), full.slice(1, 1)]]) {
      const answer = await engine.aggregate(batches, query);
      expect(cellsOf(answer.table)).toEqual(none);
      expect(answer.ranges).toEqual([]);
      expect(answer.stats).toMatchObject({ rows: 0, groups: 0, ranges: [], spilledBytes: 0 });
    }
  });

  it('does not look at the columns that are not named', async () => {
    const input = table({
      '': { type: 'utf8', values: ['x', 'y'] },
      k: { type: 'i8', values: [2, 1] },
    });
    expect(await rowsOf(input, { by: ['k'], aggregates: {} })).toEqual([['1'], ['2']]);
    expect(await rowsOf(input, { by: [], aggregates: { n: count() } })).toEqual([['2']]);
  });

  it('gives the rows of one column of many values in any cut', async () => {
    // A key that is each of 0..999 once, in an order that 389, coprime to 1000, steps through.
    const batch = columns({
      k: { type: 'u16', values: byFormula(1000, (i) => (i * 389) % 1000) },
      v: { type: 'i32', values: byFormula(1000, (i) => ((i * 389) % 1000) * 3) },
    });
    const answer = byFormula(1000, (i) => i).map((i) => [`${i}`, `${Number(i) * 3}`]);
    for (const [, cut] of cutsOf(batch.numRows)) {
      expect(await rowsOf(cut(batch), { by: ['k'], aggregates: { s: sum('v') } })).toEqual(answer);
    }
  });
});
