import { ADD_FLOAT, ADD_UNSIGNED128, ADD_WORDS, ADD64, ADD128, MAX_TEXT, MAX64 } from './kernels/layout.js';

/**
 * What the fold can keep for a group. All lanes start as zeros, and zeros are the identity of every state: a record
 * needs no other beginning.
 */
export interface State {
  /** Bytes in a record; a multiple of 8. */
  readonly bytes: number;
  /** How two partial states become one; see merge.ts among the kernels. */
  readonly merge: number;
  /** Keeps complemented words, so that the least is the greatest. */
  readonly flip: boolean;
}

const state = (bytes: number, merge: number, flip = false): State => ({ bytes, merge, flip });

export const STATES = {
  /** Rows on which a condition is true. */
  rows: state(8, ADD64),
  /** Null rows of a column. */
  nulls: state(8, ADD64),
  /** Null rows of a column of text codes. */
  nullTexts: state(8, ADD64),
  /** Sum of integers of at most 32 bits, or of bits. */
  sumNarrow: state(8, ADD64),
  /** Sum of signed 64-bit integers: low and high half. */
  sumSigned: state(16, ADD128),
  /** Sum of unsigned 64-bit integers: low and high half. */
  sumUnsigned: state(16, ADD_UNSIGNED128),
  /** Sum of integers of 128 bits, in 192. */
  sumWords2: state(24, ADD_WORDS),
  /** Sum of integers of 256 bits, in 320. */
  sumWords4: state(40, ADD_WORDS),
  /** Exact sum of floats: a pair of doubles on the run's grid. What does not fit is in a wide sum beside the records. */
  sumFloat: state(16, ADD_FLOAT),
  /** Greatest encoded word. */
  max: state(8, MAX64),
  /** Least encoded word, kept complemented. */
  min: state(8, MAX64, true),
  /** Greatest text: its code in a pool and the pool's table. */
  maxText: state(8, MAX_TEXT),
  /** Least text. */
  minText: state(8, MAX_TEXT, true),
} as const satisfies Record<string, State>;

export type StateKind = keyof typeof STATES;
