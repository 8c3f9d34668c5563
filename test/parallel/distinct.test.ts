import { Float64, Int64, Table, Utf8, type Vector } from 'apache-arrow';
import { countDistinct, createParallel, median, mode } from 'rangefold';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { column } from '../support/files.js';
import { Random } from '../support/random.js';

// Values that come again and again are gathered once or seldom where they are only counted. The rows are far more than that begins with.
const ROWS = 300_000;
const GROUPS = 12;

const random = new Random(11);
const groups = Array.from({ length: ROWS }, () => random.below(GROUPS));
/** A group's `most` values: each group has others. */
const draw = (most: number): number[] => groups.map((group) => random.below(most - group));
const nullable = <T>(values: readonly T[]): (T | null)[] =>
  values.map((value) => (random.unit() < 0.1 ? null : value));
const few = nullable(draw(1000));
const columns = {
  few: few.map((value) => (value === null ? null : BigInt(value))),
  // 0 is what a null reads as, and a value that comes late
  fractions: nullable(draw(300)).map((value, row) =>
    value === null ? null : value === 0 && row < ROWS / 2 ? 1 : value / 8,
  ),
  texts: nullable(draw(200)).map((value) => (value === null ? null : `text number ${value}`)),
  many: draw(1 << 20).map(BigInt),
};

function distinctOf(values: readonly unknown[]): number[] {
  const sets = Array.from({ length: GROUPS }, () => new Set<unknown>());
  groups.forEach((group, row) => {
    if (values[row] !== null) sets[group].add(values[row]);
  });
  return sets.map(({ size }) => size);
}

const numbers = (vector: Vector | null): number[] => Array.from(vector ?? [], Number);

describe.each([
  ['one worker', { workers: 1 }, { inlineRows: 0 }],
  ['two workers', { workers: 2 }, { inlineRows: 0 }],
  // tickets begin anew with every table
  ['tables that are spilled', { workers: 2 }, { inlineRows: 0, spillGroups: GROUPS, morselRows: 1 << 15 }],
])('values that come again, with %s', (_, options, tuning) => {
  let engine: ReturnType<typeof createParallel>;
  beforeAll(() => {
    engine = createParallel({ ...options, tuning });
  });
  afterAll(() => engine.close());

  // the last group's second key is beyond what a sample shows of it, so that tables change their layout on the way
  const late = groups.lastIndexOf(GROUPS - 1);
  const table = new Table({
    near: column(new Int64(), groups.map(BigInt)),
    apart: column(
      new Int64(),
      groups.map((group, row) => (row === late ? 1n << 60n : BigInt(group) << 20n)),
    ),
    few: column(new Int64(), columns.few),
    fractions: column(new Float64(), columns.fractions),
    texts: column(new Utf8(), columns.texts),
    many: column(new Int64(), columns.many),
  });

  it('are counted once', async () => {
    const { table: answer } = await engine.aggregate(table, {
      by: ['near', 'apart'],
      aggregates: {
        few: countDistinct('few'),
        fractions: countDistinct('fractions'),
        texts: countDistinct('texts'),
        many: countDistinct('many'),
      },
    });
    // that row is a group of its own
    expect(answer.numRows).toBe(GROUPS + 1);
    for (const [name, values] of Object.entries(columns)) {
      const others = values.map((value, row) => (row === late ? null : value));
      expect(numbers(answer.getChild(name as keyof typeof columns)).slice(0, GROUPS)).toEqual(
        distinctOf(others),
      );
    }
  });

  it('all count where another aggregate asks for them', async () => {
    const { table: answer } = await engine.aggregate(table, {
      by: ['near'],
      aggregates: { distinct: countDistinct('few'), middle: median('few'), most: mode('few') },
    });
    const own = Array.from({ length: GROUPS }, (_, group) =>
      few
        .filter((value, row): value is number => groups[row] === group && value !== null)
        .sort((a, b) => a - b),
    );
    expect(numbers(answer.getChild('distinct'))).toEqual(distinctOf(few));
    expect(numbers(answer.getChild('middle'))).toEqual(
      own.map((values) => (values[(values.length - 1) >> 1] + values[values.length >> 1]) / 2),
    );
    const times = (values: readonly number[]): Map<number, number> => {
      const counts = new Map<number, number>();
      for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
      return counts;
    };
    // of several, the least
    const modes = own.map((values) => [...times(values)].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0][0]);
    expect(numbers(answer.getChild('most'))).toEqual(modes);
  });
});

it('counts values that groups have in common, of more groups than are remembered', async () => {
  const most = 70_000;
  const passes = 8;
  // each row twice, or nothing would be remembered
  const rows = Array.from({ length: 2 * passes * most }, (_, row) => row >> 1);
  const table = new Table({
    group: column(
      new Int64(),
      rows.map((row) => BigInt(row % most) << 32n),
    ),
    value: column(
      new Int64(),
      rows.map((row) => BigInt(Math.floor(row / most))),
    ),
  });
  const engine = createParallel({ workers: 1, tuning: { inlineRows: 0 } });
  const { table: answer } = await engine.aggregate(table, {
    by: ['group'],
    aggregates: { values: countDistinct('value') },
  });
  await engine.close();
  expect(new Set(numbers(answer.getChild('values')))).toEqual(new Set([passes]));
  expect(answer.numRows).toBe(most);
});
