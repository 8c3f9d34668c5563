/** Key columns: `entries` distinct values, of which a row's group number picks one by `entryOf`. */
const int64 = (entries) => [{ name: 'key', kind: 'int64', entries, entryOf: (group) => group }];
const int32 = (entries) => [{ name: 'key', kind: 'int32', entries, entryOf: (group) => group }];
const text = (entries, digits) => [{ name: 'key', kind: 'utf8', digits, entries, entryOf: (group) => group }];
const twoTexts = (entries, digits) => [
  { name: 'key1', kind: 'utf8', digits, entries, entryOf: (group) => group % entries },
  { name: 'key2', kind: 'utf8', digits, entries, entryOf: (group) => Math.floor(group / entries) },
];

/**
 * What is measured. Every query is `keys, count, sum of value`, ordered by the keys.
 *
 * - int64 keys are random over all 64 bits, int32 keys are 0, 1, 2 and so on, texts are `id` and so many digits.
 * - 'shuffled': every group has the same number of rows (or one more), in random order. 'sorted': the same rows,
 *   sorted by key. 'zipf': the k-th group comes up with a probability in proportion to k^-1.1.
 * - int64 values are 0..999; float64 values are 0..100 with six decimals, as in db-benchmark's v3.
 */
export const SHAPES = [
  shape('seed', 'int64 key, 100,000 groups, shuffled', int64, 100_000, 'shuffled', 'int64'),
  shape('sorted', 'int64 key, 100,000 groups, sorted', int64, 100_000, 'sorted', 'int64'),
  shape('dense', 'int32 dense key, 100,000 groups', int32, 100_000, 'shuffled', 'int64'),
  shape('few', 'int64 key, 12 groups', int64, 12, 'shuffled', 'int64'),
  shape('skew', 'int64 key, zipf 1.1 over 100,000, float64 sum', int64, 100_000, 'zipf', 'float64'),
  shape('wide', 'int64 key, 5,000,000 groups, float64 sum', int64, 5_000_000, 'shuffled', 'float64'),
  shape('text-few', 'utf8 key, 100 groups', (n) => text(n, 3), 100, 'shuffled', 'int64'),
  shape('text', 'utf8 key, 100,000 groups', (n) => text(n, 10), 100_000, 'shuffled', 'int64'),
  shape(
    'two-texts',
    'two utf8 keys, 10,000 groups',
    (n) => twoTexts(Math.sqrt(n), 3),
    10_000,
    'shuffled',
    'int64',
  ),
];

function shape(name, title, keysOf, groups, order, value) {
  return { name, title, keys: keysOf(groups), groups, order, value };
}

/** @throws where there is no shape of that name. */
export function shapeOf(name) {
  const found = SHAPES.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new Error(`shape: got ${name}, wanted one of ${SHAPES.map((one) => one.name).join(', ')}`);
}

/** Groups that an answer has at this many rows; undefined where that is left to chance. */
export function groupsAt({ groups, order }, rows) {
  return order === 'zipf' ? undefined : Math.min(groups, rows);
}
