import {
  makeData,
  RecordBatch,
  RecordBatchReader,
  RecordBatchStreamWriter,
  Struct,
  Table,
  tableFromIPC,
  tableToIPC,
} from 'apache-arrow';
import { type Aggregator, count, max, min, named, open, type Query } from 'rangefold';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldsOf, batchOf as viewOf } from '../../dist/core/from-arrow.js';
import { valueReader } from '../../dist/core/read-values.js';
import { arrow } from '../../dist/io/arrow.js';
import type { Cell } from '../support/cell.js';
import { cellsOf, expected } from '../support/cells.js';
import { ENGINES } from '../support/engines.js';
import { parquetOf } from '../support/files.js';
import { batchOf, type ColumnNotation, dataOf } from '../support/notation.js';
import { SAMPLES, valueTypeOf } from '../support/types.js';

const ROWS = 12;

/** Every sample of a type in turn, and nulls between them. */
const ALL: readonly (readonly [type: string, column: ColumnNotation])[] = SAMPLES.map(([type, ascending]) => [
  type,
  { type, cycle: [...ascending.toReversed(), null], length: ROWS },
]);

const everyType = batchOf(ALL.map(([type, column]) => [type, dataOf(column)]));

/** The least, the greatest and the number of values of each column: all samples occur. */
const ENDS: Query = {
  by: [],
  aggregates: ALL.flatMap(([type]) => [
    named(`min ${type}`, min(type)),
    named(`max ${type}`, max(type)),
    named(`count ${type}`, count(type)),
  ]),
};
const endsOf = (): readonly string[] =>
  SAMPLES.flatMap(([type, ascending]) => {
    const value = valueTypeOf(type);
    const [least = null, greatest = null] = [ascending[0], ascending.at(-1)];
    const rows = Array.from({ length: ROWS }, (_, i) => i % (ascending.length + 1) < ascending.length);
    return [expected(value, least), expected(value, greatest), String(rows.filter(Boolean).length)];
  });

/** Types and values of a table. (The buffers of a file are longer than their rows.) */
function contentOf({ schema, batches }: Table): unknown {
  const fields = fieldsOf(schema);
  const all = fields.map((_, i) => i);
  const rows = batches.flatMap((batch) => {
    const read = viewOf(batch, all).columns.map(valueReader);
    return Array.from({ length: batch.numRows }, (_, row) => read.map((column) => column(row)));
  });
  return { fields, rows };
}

/** A stream of batches, whose dictionaries are one that changes. */
function streamOf(batches: readonly RecordBatch[]): Uint8Array {
  const [{ schema }] = batches;
  const { type } = schema.fields[0];
  const same = batches.map(({ data, numRows }) => {
    const children = [data.children[0].clone(type)];
    return new RecordBatch(
      schema,
      makeData({ type: new Struct(schema.fields), length: numRows, nullCount: 0, children }),
    );
  });
  return RecordBatchStreamWriter.writeAll(same).toUint8Array(true);
}

describe.each(ENGINES)('$name', ({ create }) => {
  let engine: Aggregator;
  beforeAll(() => {
    engine = create();
  });
  afterAll(() => engine.close());

  // Bits of validity, and of booleans, begin anywhere; values and offsets begin at the row.
  it.each(SAMPLES)('reads a slice of %s at any bit', async (type, ascending) => {
    const cells: readonly Cell[] = [...ascending, null];
    for (const offset of [0, 1, 3, 7, 8, 9, 13]) {
      const length = 2 * cells.length + 3;
      const column = { type, cycle: cells, length: offset + length, slice: [offset, length] } as const;
      const { table } = await engine.aggregate([batchOf([['k', dataOf(column)]])], {
        by: ['k'],
        aggregates: { rows: count(), values: count('k'), least: min('k') },
      });
      const times = cells.map(
        (_, i) =>
          Array.from({ length }, (_, row) => (offset + row) % cells.length).filter((c) => c === i).length,
      );
      expect(cellsOf(table).rows, `offset ${offset}`).toEqual(
        cells.map((cell, i) => {
          const text = expected(valueTypeOf(type), cell);
          return [text, `${times[i]}`, cell === null ? '0' : `${times[i]}`, text];
        }),
      );
    }
  });

  // uwdata/flechette#53, #27: a Null column shifted the buffers of the next, and bytes at an odd place threw.
  it.each(['file', 'stream'] as const)('reads every type from a %s, wherever its bytes lie', async (form) => {
    const bytes = tableToIPC(new Table([everyType]), form);
    for (const shift of [0, 1, 4, 9]) {
      const moved = new Uint8Array(bytes.length + shift);
      moved.set(bytes, shift);
      const { table } = await engine.aggregate(tableFromIPC(moved.subarray(shift)), ENDS);
      expect(cellsOf(table).rows).toEqual([endsOf()]);
    }
    const { table } = await engine.aggregate(await open(bytes), ENDS);
    expect(cellsOf(table).rows).toEqual([endsOf()]);
  });

  it.each(['file', 'stream'] as const)('gives answers that survive a %s', async (form) => {
    const query = { by: ['utf8', 'decimal256(76,0)'], aggregates: ENDS.aggregates };
    const { table } = await engine.aggregate([everyType], query);
    const { schema, batches } = await engine.stream([everyType], query);
    const chunks: Uint8Array[] = [];
    for await (const chunk of arrow(schema, batches, form)) chunks.push(chunk);
    const back = tableFromIPC(Buffer.concat(chunks));
    expect(back.numRows).toBe(table.numRows);
    expect(contentOf(back)).toEqual(contentOf(table));
  });

  // apache/arrow#41683, uwdata/flechette#70: rows were read against the dictionary before or after theirs.
  it('reads a stream that replaces its dictionary, or adds to it', async () => {
    const batch = (dictionary: Cell[], values: Cell[], deltas: number[]) =>
      batchOf([['k', dataOf({ type: 'dict<i32,utf8>', dictionary, values, deltas })]]);
    const replaced = [batch(['a', 'b'], [0, 1, 0], [2]), batch(['c', 'a'], [0, 1], [2])];
    const grown = [batch(['b', 'a'], [1, 0, 1], [2]), batch(['b', 'a', 'c'], [2, 1], [2, 1])];
    for (const batches of [replaced, grown]) {
      const { table } = await engine.aggregate(RecordBatchReader.from(streamOf(batches)), {
        by: ['k'],
        aggregates: { rows: count() },
      });
      expect(cellsOf(table).rows).toEqual([
        [expected('utf8', 'a'), '3'],
        [expected('utf8', 'b'), '1'],
        [expected('utf8', 'c'), '1'],
      ]);
    }
  });

  // hyparam/hyparquet#59: a decimal of 13 bytes, most significant first, was parsed wrongly.
  it('reads decimals from Parquet', async () => {
    const column = dataOf({ type: 'decimal128(30,10)', values: ['2024.0000000000', '-0.0000000005', null] });
    const source = await open(parquetOf(new Table([batchOf([['v', column]])])));
    const { table } = await engine.aggregate(source, {
      by: [],
      aggregates: { lo: min('v'), hi: max('v'), n: count('v') },
    });
    const type = 'decimal128(30,10)';
    expect(cellsOf(table).rows).toEqual([
      [expected(type, '-0.0000000005'), expected(type, '2024.0000000000'), '2'],
    ]);
  });
});
