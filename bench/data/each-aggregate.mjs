import { keyColumn, texts, valueColumn } from './columns.mjs';
import { random32, unit } from './random.mjs';
import { rowsOf } from './rows.mjs';
import { tableFrom } from './table.mjs';

const KEYS = [12, 100_000];
const NAMES = [
  ['first', 'first', ['value']],
  ['last', 'last', ['value']],
  ['arg-max', 'argMax', ['value', 'other']],
  ['variance', 'variance', ['other']],
  ['stddev', 'stddev', ['other']],
  ['covariance', 'covariance', ['value', 'other']],
  ['correlation', 'correlation', ['value', 'other']],
  ['count-distinct', 'countDistinct', ['value']],
  ['median', 'median', ['other']],
  ['quantile', 'quantile', ['other'], { p: 0.95 }],
  ['mode', 'mode', ['common']],
  ['top', 'top', ['other'], { n: 3 }],
  ['list', 'list', ['value']],
  ['join', 'join', ['text'], { separator: ',' }],
];

/** One case for each aggregate that the shapes leave out, of few groups and of many. */
export const EACH_AGGREGATE = NAMES.flatMap(([name, of, columns, options = {}]) =>
  KEYS.map((groups) => ({
    name: `${name}-${groups}`,
    title: `${of}(${columns.join(', ')}), ${groups.toLocaleString('en')} groups`,
    groups,
    by: ['key'],
    asks: [{ as: 'answer', of, columns, ...options }],
  })),
);

/**
 * An int64 key, shuffled, and the columns that are asked for: `value` int64, 0..999; `other` float64 below 100, so finely
 * drawn that no group has its greatest twice; `common` int64, in nine of ten rows 7, so that a group has one mode; `text`
 * of five bytes.
 */
export function aggregateTable({ groups, asks }, rows, allocate) {
  const next = random32(groups);
  const { group, values } = rowsOf({ groups, order: 'shuffled', value: 'int64' }, rows, next);
  const drawn = (draw, Kind) => Kind.from({ length: rows }, draw);
  const make = {
    value: () => valueColumn(values, allocate),
    other: () =>
      valueColumn(
        drawn(() => 100 * (unit(next) + unit(next) / 2 ** 32), Float64Array),
        allocate,
      ),
    common: () =>
      valueColumn(
        drawn(() => (unit(next) < 0.9 ? 7 : Math.floor(unit(next) * 1000)), Int32Array),
        allocate,
      ),
    text: () => texts({ entries: 1000, digits: 3 }, (number) => number, values, allocate),
  };
  const key = { kind: 'int64', entries: groups, stride: 1, nullable: false };
  return tableFrom([
    ['key', keyColumn(key, group, next, allocate)],
    ...asks[0].columns.map((name) => [name, make[name]()]),
  ]);
}
