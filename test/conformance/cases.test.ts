import { Table } from 'apache-arrow';
import type { Aggregator } from 'rangefold';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf, expected, typeText } from '../support/cells.js';
import { ENGINES } from '../support/engines.js';
import { batchOf, dataOf } from '../support/notation.js';
import { typeOf } from '../support/type-notation.js';
import { type Case, queryOf, readCases } from './case.js';
import { CUTS } from './cuts.js';

const FILES = readCases();

describe.each(ENGINES)('$name', ({ create }) => {
  let engine: Aggregator;
  beforeAll(() => {
    engine = create();
  });
  afterAll(() => engine.close());

  describe.each(FILES)('%s', (_, cases) => {
    it.each(cases)('$name', async (item) => {
      for (const [cutName, cut] of CUTS) {
        await expectAnswer(engine, item, cut, `${item.name}, ${cutName}`);
      }
    });
  });
});

async function expectAnswer(
  engine: Aggregator,
  item: Case,
  cut: (typeof CUTS)[number][1],
  label: string,
): Promise<void> {
  const batches = [item.columns, ...(item.more ?? [])].map((columns) =>
    batchOf(columns.map(([name, column]) => [name, dataOf(column)])),
  );
  const pieces = batches.flatMap(cut);
  const [{ schema }] = batches;
  // A Table holds one dictionary for a column, so batches that differ in theirs are given as they are.
  const input = batches.length === 1 ? new Table(schema, pieces) : pieces;
  const run = engine.aggregate(input, queryOf(item), { schema });
  if (item.error !== undefined) {
    const error = await run.then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.name, label).toBe(item.error.name);
    for (const words of item.error.says) expect(error?.message, label).toContain(words);
    return;
  }
  const { table, ranges, stats } = await run;
  expect(cellsOf(table), label).toEqual(answerOf(item));
  expect(stats.rows, label).toBe(batches.reduce((rows, { numRows }) => rows + numRows, 0));
  expect(stats.groups, label).toBe(table.numRows);
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
