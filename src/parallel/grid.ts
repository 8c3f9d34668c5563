import { BLOCK } from './kernels/layout.js';
import type { KernelMemory } from './memory.js';

/** The constants of one float sum's grid; the proof stands at sumFloat among the kernels. */
export interface Grid {
  /** 1.5 * 2^(P + 52): adding and subtracting it leaves the multiple of 2^P nearest to a value. */
  readonly sigma: number;
  /** From this size on all bits of a double lie on the grid. */
  readonly low: number;
  /** 2^H: values are below. */
  readonly high: number;
  /** 1.5 * 2^(L + 52), which tells whether a remainder is a multiple of 2^L. */
  readonly fineSigma: number;
}

/** A grid that holds nothing but zeros: every value goes to its group's wide sum. */
const NONE: Grid = { sigma: 1, low: Number.POSITIVE_INFINITY, high: Number.MIN_VALUE, fineSigma: 1 };

/** log2 of the rows after which a pair is emptied; a block more may follow before it is. */
const FLUSH_BITS = 11;
export const FLUSH_ROWS = 2 ** FLUSH_BITS;

if (FLUSH_ROWS !== BLOCK) throw new RangeError('a pair is emptied once a block at most');

/**
 * b: log2 of the most values that enter the pairs of one group on all workers together, since pairs of one grid are
 * added when tables are merged. A pair takes less than FLUSH_ROWS values until its group is due, and up to a block more
 * before it is emptied.
 */
export function additionBits(workers: number): number {
  return FLUSH_BITS + 1 + Math.ceil(Math.log2(workers));
}

/** The grid of exponent H for 2^b additions. */
export function gridOf(h: number, b: number): Grid {
  const l = h - (107 - 2 * b);
  const p = h + b - 53;
  // sigma must be finite, and multiples of 2^P doubles
  if (h + b > 1022 || p < -1074) return NONE;
  return {
    sigma: 1.5 * 2 ** (p + 52),
    low: l <= -1074 ? 0 : 2 ** Math.max(l + 52, -1074),
    high: 2 ** h,
    fineSigma: l + 52 < -1021 ? 0 : 1.5 * 2 ** (l + 52),
  };
}

/** Room above the greatest value that a sample shows, in powers of two. */
const HEADROOM = 4;

/** H for values as large as `most`. The lowest bits that fit follow from it: W = 107 - 2 b is used in full. */
export function chooseExponent(most: number, b: number): number {
  const exponent = most === 0 || !Number.isFinite(most) ? 0 : Math.floor(Math.log2(most)) + 1;
  return Math.min(1022 - b, Math.max(-1022 + 53 - b, exponent + HEADROOM));
}

const CHOSEN = 4096;

/** The run's grid number `index`: chosen by the worker that needs it first, the same for all. */
export function sharedGrid(
  memory: KernelMemory,
  at: number,
  index: number,
  b: number,
  most: () => number,
): Grid {
  return gridOf(
    sharedExponent(memory, at, index, () => chooseExponent(most(), b)),
    b,
  );
}

/** An exponent that all workers of a run share: that of the worker that needs it first. */
export function sharedExponent(
  memory: KernelMemory,
  at: number,
  index: number,
  choose: () => number,
): number {
  const words = new Int32Array(memory.bytes.buffer, at, index + 1);
  const known = Atomics.load(words, index);
  if (known !== 0) return known - CHOSEN;
  const mine = choose() + CHOSEN;
  const before = Atomics.compareExchange(words, index, 0, mine);
  return (before === 0 ? mine : before) - CHOSEN;
}

/** The size of the greatest finite one of `n` doubles. */
export function greatestOf(memory: KernelMemory, values: number, n: number): number {
  let greatest = 0;
  for (const x of new Float64Array(memory.bytes.slice(values, values + 8 * n).buffer)) {
    const size = Math.abs(x);
    if (size > greatest && size < Number.POSITIVE_INFINITY) greatest = size;
  }
  return greatest;
}

/** The exponent, if one was chosen. */
export function exponentAt(memory: KernelMemory, at: number, index: number): number | undefined {
  const known = Atomics.load(new Int32Array(memory.bytes.buffer, at, index + 1), index);
  return known === 0 ? undefined : known - CHOSEN;
}

/** A whole number of steps has 62 bits, and the unit is 2^-32 of a step; see moments.ts among the kernels. */
const STEP_BITS = 62;
export const UNIT_BITS = 32;

/** Room above the greatest value that a sample shows, in powers of two: the more of it, the fewer small values are a whole number of steps. */
const STEP_HEADROOM = 1;

/** 2^63 steps must be a finite number: else an infinity were a whole number of steps. */
const MOST_STEP = 1022 - STEP_BITS;
const LEAST_STEP = -1000;

/** log2 of the step for moments of values as large as `most`. Steps and their reciprocals are doubles, units too. */
export function chooseStep(most: number): number {
  const exponent = most === 0 ? 0 : Math.floor(Math.log2(most)) + 1;
  return Math.min(MOST_STEP, Math.max(LEAST_STEP, exponent + STEP_HEADROOM - STEP_BITS));
}
