import * as fc from 'fast-check';
import type { Random } from '../support/random.js';

/** A value before it is written: whole numbers of any width, bits of a float, bytes of a text. */
export type Raw = bigint | boolean | Uint8Array;

/** A type of column, with the values that are worth trying. */
export interface Kind {
  /** As in test/support/types.ts. */
  readonly name: string;
  /** What can be asked of its values. */
  readonly values: 'int' | 'float' | 'decimal' | 'bool' | 'duration' | 'other';
  /** How its values are written; of a dictionary, its codes. */
  readonly storage: 'none' | 'bits' | 'words' | 'offsets' | 'wide offsets' | 'views' | 'bytes';
  /** Bytes of a word, of a value of fixed width, of a dictionary's code; else 0. */
  readonly width: number;
  /** The kind of a dictionary's entries. */
  readonly entry?: Kind;
  readonly arbitrary: fc.Arbitrary<Raw>;
  /** One of many different values. */
  random(random: Random): Raw;
  /** The order of keys, written anew, so that "sorted" is sorted in an engine's eyes too. */
  compare(a: Raw, b: Raw): number;
  /** How fast-check shows it in a counterexample. */
  [fc.toStringMethod](): string;
}

export function kindOf(kind: Omit<Kind, typeof fc.toStringMethod>): Kind {
  return { ...kind, [fc.toStringMethod]: () => kind.name };
}

/** A dictionary of such values, with codes of `width` bytes. */
export function dictionaryKind(index: string, width: number, entry: Kind): Kind {
  return kindOf({ ...entry, name: `dict<${index},${entry.name}>`, storage: 'words', width, entry });
}

export const lesser = (a: bigint | number | boolean, b: bigint | number | boolean): number =>
  a < b ? -1 : a > b ? 1 : 0;
