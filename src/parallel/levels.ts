/** Keys to group by together: a grouping set, or what sets are merged from. */
export interface Level {
  /** Ascending indices into the query's keys. */
  readonly keys: readonly number[];
  /** The set's place in the answer; undefined: it is not asked for. */
  readonly set: number | undefined;
  /** The levels that are merged from this one, each from the fewest keys that hold its own. */
  readonly coarser: readonly Level[];
}

/**
 * The levels of a query of `count` keys, from the finest, of all keys. Pure. `sets` are as in CheckedQuery: no two the same,
 * of at most 31 keys.
 */
export function levelsOf(count: number, sets: readonly (readonly number[])[] | undefined): Level {
  const all = Array.from({ length: count }, (_, k) => k);
  const finest = grow(all, undefined);
  if (sets === undefined) return { ...finest.level, set: 0 };
  const levels = sets.map(grow);
  const root = levels.find(({ bits }) => bits === finest.bits) ?? finest;
  // fewest keys first, so that the first that holds a level's keys is its source
  const sources = [root, ...levels].toSorted((a, b) => a.level.keys.length - b.level.keys.length);
  for (const one of levels) {
    if (one === root) continue;
    const source = sources.find(({ bits }) => bits !== one.bits && (bits & one.bits) === one.bits);
    source?.level.coarser.push(one.level);
  }
  return root.level;
}

interface Growing {
  readonly level: Level & { readonly coarser: Level[] };
  /** A bit for each key. */
  readonly bits: number;
}

function grow(keys: readonly number[], set: number | undefined): Growing {
  return { level: { keys, set, coarser: [] }, bits: keys.reduce((bits, key) => bits | (1 << key), 0) };
}
