import * as fc from 'fast-check';
import { Random } from '../support/random.js';
import type { Kind, Raw } from './kind.js';
import { KINDS } from './kinds.js';

/** How a column's values follow each other. */
export type Shape = 'shuffled' | 'sorted' | 'reversed' | 'constant' | 'zipf' | 'few';

const SHAPES: readonly Shape[] = ['shuffled', 'sorted', 'reversed', 'constant', 'zipf', 'few'];

/** What a column is made of; it shrinks to little. */
export interface Recipe {
  readonly kind: Kind;
  /** The values to pick from. */
  readonly pool: readonly Raw[];
  /** As many more, drawn from `seed`. */
  readonly more: number;
  readonly shape: Shape;
  /** The share of rows that are null. */
  readonly nulls: number;
  readonly seed: number;
}

/** Recipes of any kind; `most` values are drawn beside the chosen ones, which are at least `least`. */
export function recipes(most: number, kinds: readonly Kind[] = KINDS, least = 1): fc.Arbitrary<Recipe> {
  return fc.constantFrom(...kinds).chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      pool: fc.array(kind.arbitrary, { minLength: least, maxLength: least + 11 }),
      more: fc.oneof(
        fc.constant(0),
        fc.nat(kind.entry !== undefined && kind.width === 1 ? Math.min(most, 80) : most),
      ),
      shape: fc.constantFrom(...SHAPES),
      nulls: fc.constantFrom(0, 0.1, 0.5, 1),
      seed: fc.nat(),
    }),
  );
}

/** The values of `rows` rows; null where there is none. */
export function valuesOf({ kind, pool, more, shape, nulls, seed }: Recipe, rows: number): (Raw | null)[] {
  const random = new Random(seed);
  const all = [...pool, ...Array.from({ length: more }, () => kind.random(random))];
  const size = {
    shuffled: all.length,
    sorted: all.length,
    reversed: all.length,
    zipf: all.length,
    constant: 1,
    few: 3,
  }[shape];
  const end = Math.min(size, all.length);
  const pick = (): number =>
    // the inverse of a distribution by which the first few values take most rows
    shape === 'zipf' ? Math.floor((end + 1) ** (random.unit() ** 3)) - 1 : random.below(end);
  const picked = Array.from({ length: rows }, () => all[Math.min(pick(), end - 1)]);
  if (shape === 'sorted') picked.sort(kind.compare);
  if (shape === 'reversed') picked.sort((a, b) => kind.compare(b, a));
  return picked.map((value) => (random.unit() < nulls ? null : value));
}
