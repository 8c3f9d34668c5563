import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Level, levelsOf } from '../../dist/parallel/levels.js';

/** Each level as the keys it is merged from and its own. */
function edges({ keys, coarser }: Level): string[] {
  return coarser.flatMap((level) => [`${keys.join()} > ${level.keys.join()}`, ...edges(level)]);
}

function all(level: Level): Level[] {
  return [level, ...level.coarser.flatMap(all)];
}

describe('levelsOf', () => {
  it('is one level where there are no sets', () => {
    expect(levelsOf(2, undefined)).toEqual({ keys: [0, 1], set: 0, coarser: [] });
  });

  it('merges a rollup step by step', () => {
    const root = levelsOf(3, [[0, 1, 2], [0, 1], [0], []]);
    expect(root.set).toBe(0);
    expect(edges(root)).toEqual(['0,1,2 > 0,1', '0,1 > 0', '0 > ']);
  });

  it('merges from all keys where no set has them', () => {
    const root = levelsOf(3, [[0], [1, 2]]);
    expect([root.keys, root.set]).toEqual([[0, 1, 2], undefined]);
    expect(edges(root)).toEqual(['0,1,2 > 0', '0,1,2 > 1,2']);
  });

  it('has every set once, below one of fewest keys that holds its own', () => {
    const sets = fc.uniqueArray(fc.subarray([0, 1, 2, 3]), {
      minLength: 1,
      selector: (set) => set.join(),
    });
    fc.assert(
      fc.property(sets, (given) => {
        const root = levelsOf(4, given);
        const levels = all(root);
        const asked = levels.filter(({ set }) => set !== undefined);
        expect(asked.map(({ set }) => set).toSorted()).toEqual(given.map((_, set) => set).toSorted());
        for (const { keys, set } of asked) expect(keys).toEqual(given[set ?? -1]);
        for (const level of levels) {
          for (const { keys } of level.coarser) {
            const holding = [[0, 1, 2, 3], ...given].filter(
              (set) => set.length > keys.length && keys.every((key) => set.includes(key)),
            );
            expect(keys.every((key) => level.keys.includes(key))).toBe(true);
            expect(level.keys.length).toBe(Math.min(...holding.map((set) => set.length)));
          }
        }
      }),
    );
  });
});
