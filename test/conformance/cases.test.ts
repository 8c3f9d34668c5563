import { type RecordBatch, type Schema, Table } from 'apache-arrow';
import type { Aggregation, Aggregator } from 'rangefold';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf, expected, typeText } from '../support/cells.js';
import { ENGINES } from '../support/engines.js';
import { batchOf, dataOf } from '../support/notation.js';
import { typeOf } from '../support/types.js';
import { type Case, queryOf, readCases } from './case.js';
import { cutsOf } from './cuts.js';

const FILES = readCases();

describe.each(ENGINES)('$name', ({ create }) => {
  let engine: Aggregator;
  beforeAll(() => {
    engine = create();
  });
  afterAll(() => engine.close());

  describe.each(FILES)('%s', (_, cases) => {
    it.each(cases)('$name', async (item) => {
      const batches = batchesOf(item);
      for (const [cutName, cut] of cutsOf(rowsOf(batches))) {
        const { schema } = batches[0];
        await expectAnswer(engine, item, schema, batches.flatMap(cut), `${item.name}, ${cutName}`);
      }
    });
  });
});

function batchesOf({ columns, more = [] }: Case): RecordBatch[] {
  return [columns, ...more].map((batch) => batchOf(batch.map(([name, column]) => [name, dataOf(column)])));
}

function rowsOf(batches: readonly RecordBatch[]): number {
  return batches.reduce((rows, { numRows }) => rows + numRows, 0);
}

async function expectAnswer(
  engine: Aggregator,
  item: Case,
  schema: Schema,
  batches: readonly RecordBatch[],
  label: string,
): Promise<void> {
  // A Table holds one dictionary for a column, so batches that differ in theirs are given as they are.
  const input = item.more === undefined ? new Table(schema, [...batches]) : batches;
  const run = async (): Promise<Aggregation> => engine.aggregate(input, queryOf(item), { schema });
  if (item.error !== undefined) {
    const error = await run().then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.name, label).toBe(item.error.name);
    for (const words of item.error.says) expect(error?.message, label).toContain(words);
    return;
  }
  const { table, ranges, stats } = await run();
  expect(cellsOf(table), label).toEqual(answerOf(item));
  expect(stats.rows, label).toBe(rowsOf(batches));
  if (item.having === undefined && item.limit === undefined) expect(stats.groups, label).toBe(table.numRows);
  let end = 0;
  for (const range of ranges) {
    expect(range.start, label).toBe(end);
    end += range.length;
  }
  expect(end, label).toBe(table.numRows);
  if (table.numRows === 0) expect(ranges, label).toEqual([]);
}

function answerOf({ name, answer }: Case): ReturnType<typeof cellsOf> {
  if (answer === undefined) throw new Error(`${name} has neither an answer nor an error`);
  const columns = answer.columns.map((column) => {
    const [, output, type] = /^(.*): (.+)$/s.exec(column) ?? [];
    return { output, type };
  });
  return {
    columns: columns.map(({ output, type }) => `${output}: ${typeText(typeOf(type))}`),
    rows: answer.rows.map((row) => row.map((cell, i) => expected(columns[i].type, cell))),
  };
}
