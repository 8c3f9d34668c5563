import { type DataType, Int32, Int64, Table, Utf8 } from 'apache-arrow';
import { count, createParallel, sum } from 'rangefold';
import { describe, expect, it } from 'vitest';
import { NEAR } from '../../dist/parallel/kernels/layout.js';
import { column } from '../support/files.js';
import { Random } from '../support/random.js';

const ROWS = 200_000;
const GROUPS = 90_000;

type Key = readonly [DataType, (group: number) => number | bigint | string];

const sparse = (group: number): bigint => BigInt(group) * 0x1234_5678_9abn - (1n << 62n);
const KEYS: Readonly<Record<string, readonly Key[]>> = {
  'one word': [[new Int64(), sparse]],
  'two words': [
    [new Int64(), sparse],
    [new Int64(), (group) => -sparse(group ^ 1)],
  ],
  // of 1 to 38 bytes, many alike in their first 8
  'a text': [[new Utf8(), (group) => `${'g'.repeat(group % 35)}${group.toString(36)}`]],
  'a number near the others': [[new Int32(), (group) => group]],
};

describe(`a table of more than ${NEAR} bytes, whose lines are loaded ahead`, () => {
  const random = new Random(7);
  const groups = Array.from({ length: ROWS }, () => random.below(GROUPS));
  const values = groups.map((group, row) => (group * 31 + row) % 1000);
  const expected = Array.from({ length: GROUPS }, () => ({ rows: 0, total: 0 }));
  groups.forEach((group, row) => {
    expected[group].rows++;
    expected[group].total += values[row];
  });

  for (const [title, keys] of Object.entries(KEYS)) {
    it(`has the groups of keys of ${title}`, async () => {
      const columns = keys.map(([type, of], k) => [`k${k}`, column(type, groups.map(of))] as const);
      const table = new Table({ ...Object.fromEntries(columns), value: column(new Int32(), values) });
      const numbers = new Map(Array.from({ length: GROUPS }, (_, group) => [keys[0][1](group), group]));
      for (const workers of [1, 2]) {
        const engine = createParallel({ workers, tuning: { inlineRows: 0 } });
        const by = columns.map(([name]) => name);
        const aggregates = { rows: count(), total: sum('value') };
        const { table: answer } = await engine.aggregate(table, { by, aggregates });
        await engine.close();
        const found = Array.from({ length: GROUPS }, () => ({ rows: 0, total: 0 }));
        const [rows, totals] = (['rows', 'total'] as const).map((name) =>
          Array.from<unknown, number>(answer.getChild(name) ?? [], Number),
        );
        Array.from(answer.getChild('k0') ?? []).forEach((key, row) => {
          found[numbers.get(key) ?? -1] = { rows: rows[row], total: totals[row] };
        });
        expect(found).toEqual(expected);
        expect(rows).toHaveLength(expected.filter((group) => group.rows > 0).length);
      }
    });
  }
});
