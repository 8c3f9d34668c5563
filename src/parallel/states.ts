import {
  ADD_FLOAT,
  ADD_MOMENTS,
  ADD_NARROW_MOMENTS,
  ADD_NARROW_PAIRS,
  ADD_PAIRS,
  ADD_PRODUCTS,
  ADD_UNSIGNED128,
  ADD_WORDS,
  ADD64,
  ADD128,
  KEEP,
  MAX_BY,
  MAX_BY_TEXT,
  MAX_ROW,
  MAX_TEXT,
  MAX64,
  MERGE_BEST,
  MOMENT_SIZE,
  NARROW_PAIR_SIZE,
  NARROW_SIZE,
  PAIR_SIZE,
  PRODUCT_SIZE,
} from './kernels/layout.js';

/**
 * What the fold can keep for a group. All lanes start as zeros, and zeros are the identity of every state: a record
 * needs no other beginning.
 */
export interface State {
  /** Bytes in a record; a multiple of 8. */
  readonly bytes: number;
  /** How two partial states become one; see merge.ts among the kernels. */
  readonly merge: number;
  /** Keeps complemented words, so that the least (of places, the earliest) is the greatest. */
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
  /** The greatest encoded words, as many as are asked for, which take so many bytes each. */
  top: state(8, MERGE_BEST),
  /** The least. */
  bottom: state(8, MERGE_BEST, true),
  /** Rows on which one of two columns is null. */
  pairNulls: state(8, ADD64),
  /** The first row: its place, and the column's word there; see rows.ts among the kernels. */
  firstRow: state(16, MAX_ROW, true),
  lastRow: state(16, MAX_ROW),
  /** The first row that has a value. */
  firstValue: state(16, MAX_ROW, true),
  lastValue: state(16, MAX_ROW),
  /** The earliest row with the greatest word of the second column: that word, its place, and the column's word there. */
  argMax: state(24, MAX_BY),
  argMin: state(24, MAX_BY, true),
  /** The same where the second column is text. */
  argMaxText: state(24, MAX_BY_TEXT),
  argMinText: state(24, MAX_BY_TEXT, true),
  /** Exact sum and sum of squares; see moments.ts among the kernels. */
  moments: state(MOMENT_SIZE, ADD_MOMENTS),
  /** Those of two columns, and the sum of the products. */
  pairs: state(PAIR_SIZE, ADD_PAIRS),
  /** The same without sums of squares: a covariance needs none, and they take half the time. */
  products: state(PRODUCT_SIZE, ADD_PRODUCTS),
  /** The same of integers whose squares and products fit a word. */
  narrowMoments: state(NARROW_SIZE, ADD_NARROW_MOMENTS),
  narrowPairs: state(NARROW_PAIR_SIZE, ADD_NARROW_PAIRS),
  /** The group's number in the log of gathered rows; see log.ts among the kernels. */
  ticket: state(8, KEEP),
} as const satisfies Record<string, State>;

export type StateKind = keyof typeof STATES;

export const ALL_ONES = (1n << 64n) - 1n;

/** What a state's words (or places) are complemented by: all ones, or nothing. */
export function flipOf(kind: StateKind): bigint {
  return STATES[kind].flip ? ALL_ONES : 0n;
}
