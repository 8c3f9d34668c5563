/** Keys to group by together: a grouping set, or what sets are merged from. */
export interface Level {
  /** Ascending indices into the query's keys. */
  readonly keys: readonly number[];
  /** The set's place in the answer; undefined: it is not asked for. */
  readonly set: number | undefined;
  /** The levels that are merged from this one, each from the fewest keys that hold its own. */
  readonly coarser: readonly Level[];
}

/** The levels of a query of `count` keys, from the finest, of all keys. Pure. `sets` are as in CheckedQuery. */
export function levelsOf(count: number, sets: readonly (readonly number[])[] | undefined): Level {
  const all = Array.from({ length: count }, (_, k) => k);
  const finest = { keys: all, set: undefined, coarser: [] };
  if (sets === undefined) return { ...finest, set: 0 };
  const levels = sets.map((keys, set): MutableLevel => ({ keys, set, coarser: [] }));
  const root: MutableLevel = levels.find(({ keys }) => keys.length === count) ?? finest;
  for (const level of levels) {
    if (level !== root) sourceOf(level, [root, ...levels]).coarser.push(level);
  }
  return root;
}

interface MutableLevel extends Level {
  readonly coarser: Level[];
}

function sourceOf({ keys }: Level, levels: readonly MutableLevel[]): MutableLevel {
  const finer = levels.filter(
    (level) => level.keys.length > keys.length && keys.every((key) => level.keys.includes(key)),
  );
  return finer.reduce((best, level) => (level.keys.length < best.keys.length ? level : best));
}
