/**
 * Key columns: `entries` distinct values, of which a row's group number picks one: group / stride, modulo entries.
 * kind: int64 (random over all 64 bits), int32 (0, 1, 2 and so on), sparse (int32, random over all 32 bits), float64
 * (random over 0..1e6), utf8 (`id` and so many digits), dictionary (the same texts, coded in 32 bits). One row in ten of a
 * nullable column is null.
 */
function key(kind, entries, more) {
  return { name: 'key', kind, entries, stride: 1, nullable: false, ...more };
}
const text = (entries, digits, more) => key('utf8', entries, { digits, ...more });

const two = (groups) => {
  const entries = Math.sqrt(groups);
  return [text(entries, 3, { name: 'key1' }), text(entries, 3, { name: 'key2', stride: entries })];
};
const SIX = [
  text(10, 3, { name: 'key1' }),
  key('int32', 10, { name: 'key2', stride: 10 }),
  key('dictionary', 10, { name: 'key3', digits: 3, stride: 100 }),
  key('int64', 10, { name: 'key4', stride: 1_000 }),
  key('float64', 5, { name: 'key5', stride: 10_000 }),
  key('sparse', 2, { name: 'key6', stride: 50_000 }),
];

/**
 * What is measured. Every query is `keys, count, sum of value`, ordered by the keys.
 *
 * - 'shuffled': every group has the same number of rows (or one more), in random order. 'sorted': the same rows,
 *   sorted by key. 'zipf': the k-th group comes up with a probability in proportion to k^-1.1. 'runs': the group changes
 *   every 1,000 rows, and groups come in random order. 'heavy': every second row is of one group, the others even.
 * - int64 values are 0..999; float64 values are 0..100 with six decimals, as in db-benchmark's v3; 'exponents' are positive
 *   doubles of every exponent from -1022 to 999, of which 10,000,000 have a sum that is finite.
 */
export const SHAPES = [
  shape('seed', 'int64 key, 100,000 groups, shuffled', key('int64', 100_000), 'shuffled', 'int64'),
  shape('sorted', 'int64 key, 100,000 groups, sorted', key('int64', 100_000), 'sorted', 'int64'),
  shape('dense', 'int32 dense key, 100,000 groups', key('int32', 100_000), 'shuffled', 'int64'),
  shape('few', 'int64 key, 12 groups', key('int64', 12), 'shuffled', 'int64'),
  shape('skew', 'int64 key, zipf 1.1 over 100,000, float64 sum', key('int64', 100_000), 'zipf', 'float64'),
  shape('wide', 'int64 key, 5,000,000 groups, float64 sum', key('int64', 5_000_000), 'shuffled', 'float64'),
  shape('text-few', 'utf8 key, 100 groups', text(100, 3), 'shuffled', 'int64'),
  shape('text', 'utf8 key, 100,000 groups', text(100_000, 10), 'shuffled', 'int64'),
  shape('two-texts', 'two utf8 keys, 10,000 groups', two(10_000), 'shuffled', 'int64'),
];

/** What the nine leave out. */
export const MORE_SHAPES = [
  shape('runs', 'int64 key that changes every 1,000 rows', key('int64', 10_000), 'runs', 'int64'),
  shape('near-unique', 'int64 key, as many groups as rows', key('int64', 10_000_000), 'shuffled', 'float64'),
  shape('heavy', 'int64 key, half of the rows one of 100,000', key('int64', 100_000), 'heavy', 'int64'),
  {
    ...shape(
      'nullable',
      'int64 key and value, one in ten null',
      key('int64', 100_000, { nullable: true }),
      'shuffled',
      'int64',
    ),
    nullableValue: true,
  },
  shape('sparse', 'int32 sparse key, 100,000 groups', key('sparse', 100_000), 'shuffled', 'int64'),
  shape('float-key', 'float64 key, 100,000 groups', key('float64', 100_000), 'shuffled', 'int64'),
  shape('exponents', 'float64 sum over all exponents', key('int64', 100_000), 'shuffled', 'exponents'),
  shape(
    'dictionary',
    'dictionary key, 1,000 groups',
    key('dictionary', 1_000, { digits: 10 }),
    'shuffled',
    'int64',
  ),
  shape(
    'two-mixed',
    'int32 and utf8 key, 10,000 groups',
    [key('int32', 100, { name: 'key1' }), text(100, 3, { name: 'key2', stride: 100 })],
    'shuffled',
    'int64',
  ),
  shape('six-mixed', 'six keys of six types, 100,000 groups', SIX, 'shuffled', 'int64'),
];

function shape(name, title, keys, order, value) {
  const list = [keys].flat();
  return {
    name,
    title,
    keys: list,
    groups: list.reduce((all, { entries }) => all * entries, 1),
    order,
    value,
  };
}

const ALL = [...SHAPES, ...MORE_SHAPES];

/** @throws where there is no shape of that name. */
export function shapeOf(name) {
  const found = ALL.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new Error(`shape: got ${name}, wanted one of ${ALL.map((one) => one.name).join(', ')}`);
}

/** Rows between two changes of the key, where it comes in runs. */
export const RUN = 1_000;

/** Groups that an answer has at this many rows; undefined where that is left to chance. */
export function groupsAt({ groups, order, keys }, rows) {
  if (order === 'zipf' || keys.some(({ nullable }) => nullable)) return undefined;
  if (order === 'runs') return Math.min(groups, Math.ceil(rows / RUN));
  // among fewer rows the heavy group may or may not be one that comes up anyway
  if (order === 'heavy' && Math.floor(rows / 2) < groups) return undefined;
  return Math.min(groups, rows);
}
