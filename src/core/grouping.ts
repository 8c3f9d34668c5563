import { describe } from './describe.js';
import { queryError } from './errors.js';
import type { Key } from './keys.js';

type Keys = readonly (string | Key)[];

/** Several sets of keys to group by in one query, made by the functions of this module. A plain frozen value. */
export interface GroupingSets<K extends Keys = Keys> {
  readonly sets: readonly (readonly K[number][])[];
}

/** As many sets as 12 keys have subsets; beyond, an answer is of no use, and takes as many times the work. */
const MOST_KEYS = 12;

/**
 * All keys, then all but the last, and so on to none: subtotals and the grand total. The answer has a column `grouping` after
 * the keys, Int32: a bit is set where that key is not in the row's set, the first key highest.
 */
export function rollup<const K extends Keys>(...keys: K): GroupingSets<K> {
  return freeze(Array.from({ length: keys.length + 1 }, (_, i) => keys.slice(0, keys.length - i)));
}

/** Every subset of the keys, those of more keys first, and of as many in the order of `grouping`; the columns as {@link rollup}. @throws QueryError for more than 12 keys. */
export function cube<const K extends Keys>(...keys: K): GroupingSets<K> {
  if (keys.length > MOST_KEYS)
    throw queryError('cube(...keys)', `${keys.length} keys`, `at most ${MOST_KEYS}`);
  const sets = Array.from({ length: 2 ** keys.length }, (_, grouping) =>
    keys.filter((_, i) => ((grouping >> (keys.length - 1 - i)) & 1) === 0),
  );
  return freeze(sets.toSorted((a, b) => b.length - a.length));
}

/** The sets given, in this order, one that comes again left out; the columns as {@link rollup}, keys in the order of their first mention. @throws QueryError for what is no list of lists. */
export function groupingSets<const K extends Keys>(sets: readonly K[]): GroupingSets<K> {
  const wanted = 'an array of arrays of keys, one at least';
  if (!Array.isArray(sets) || sets.length === 0)
    throw queryError('groupingSets(sets)', describe(sets), wanted);
  for (const set of sets) {
    if (!Array.isArray(set)) throw queryError('groupingSets(sets)', `a set that is ${describe(set)}`, wanted);
  }
  return freeze(sets);
}

function freeze<K extends Keys>(sets: readonly (readonly K[number][])[]): GroupingSets<K> {
  return Object.freeze({ sets: Object.freeze(sets.map((set) => Object.freeze([...set]))) });
}
