import type { Table } from 'apache-arrow';
import { createReference } from 'rangefold';
import { expect, test } from 'vitest';
import { groupsAt, MORE_SHAPES, SHAPES, shapeOf } from '../../bench/data/shapes.mjs';
import { ordinary, shared, tableOf } from '../../bench/data/table.mjs';
import { mapLoop } from '../../bench/map-loop.mjs';
import { queryOf } from '../../bench/query.mjs';

const ROWS = 20_000;

function valuesOf(table: Table, name: string): unknown[] {
  return [...(table.getChild(name) ?? [])];
}

test('there are nine shapes and ten more, each of its own name', () => {
  expect(SHAPES).toHaveLength(9);
  expect(new Set([...SHAPES, ...MORE_SHAPES].map(({ name }) => name)).size).toBe(19);
});

for (const shape of [...SHAPES, ...MORE_SHAPES]) {
  test(`${shape.name} has the rows and groups that it says, the same ones each time`, () => {
    const table = tableOf(shape, ROWS, shared);
    expect(table.numRows).toBe(ROWS);
    const again = tableOf(shape, ROWS, ordinary);
    for (const { name } of table.schema.fields) expect(valuesOf(again, name)).toEqual(valuesOf(table, name));
    const groups = mapLoop(table, queryOf(shape).by);
    const expected = groupsAt(shape, ROWS);
    if (expected !== undefined) expect(groups.length).toBe(expected);
    expect(groups.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(ROWS);
  });

  test(`${shape.name} lies in shared memory where that is asked for`, () => {
    for (const data of tableOf(shape, 10, shared).batches[0].data.children) {
      expect(data.values.buffer).toBeInstanceOf(SharedArrayBuffer);
      if (data.valueOffsets !== undefined) expect(data.valueOffsets.buffer).toBeInstanceOf(SharedArrayBuffer);
    }
  });
}

test('groups of the even shapes differ by one row at most', () => {
  const counts = mapLoop(tableOf(shapeOf('few'), 1000, ordinary), ['key']).map(
    ({ count }: { count: number }) => count,
  );
  // 1000 rows of 12 groups: 83 or 84 each
  expect(new Set(counts)).toEqual(new Set([83, 84]));
});

test('sorted rows are the shuffled ones, sorted', async () => {
  const reference = createReference();
  const [seed, sorted] = ['seed', 'sorted'].map((name) => tableOf(shapeOf(name), ROWS, ordinary));
  const keys = valuesOf(sorted, 'key') as bigint[];
  expect(keys.every((key, row) => row === 0 || keys[row - 1] <= key)).toBe(true);
  const shuffled = valuesOf(seed, 'key') as bigint[];
  // of 20,000 random neighbours about half descend
  expect(shuffled.filter((key, row) => row > 0 && shuffled[row - 1] > key).length).toBeGreaterThan(9_000);
  const query = queryOf(shapeOf('seed'));
  const answers = await Promise.all(
    [seed, sorted].map(async (table) => (await reference.aggregate(table, query)).table),
  );
  for (const name of ['key', 'count', 'sum'])
    expect(valuesOf(answers[1], name)).toEqual(valuesOf(answers[0], name));
});

test('of zipf keys the heaviest has its share, and is not the least key', () => {
  const groups = mapLoop(tableOf(shapeOf('skew'), ROWS, ordinary), ['key']) as { count: number }[];
  const most = Math.max(...groups.map(({ count }) => count));
  // 1 / (1 + 2^-1.1 + ... + 100000^-1.1) is 0.1344; three standard deviations are 0.0072
  expect(most / ROWS).toBeGreaterThan(0.127);
  expect(most / ROWS).toBeLessThan(0.142);
  expect(groups.findIndex(({ count }) => count === most)).toBeGreaterThan(0);
});
