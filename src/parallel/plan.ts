import type { Piece } from './protocol.js';

/** Constants of the engine that tests and benchmarks may set. The answer depends on none of them. */
export interface Tuning {
  /** How morsels are dealt: to whoever asks next, or every nth to the nth worker. */
  readonly deal: 'claimed' | 'static';
  /** Rows that a worker takes at a time. */
  readonly morselRows: number;
  /** Partial groups per worker below which one worker orders them all. */
  readonly groupsPerWorker: number;
  /** Ranges for each worker that ran. */
  readonly rangesPerWorker: number;
  /** Groups sampled for each range. */
  readonly samplesPerRange: number;
  /** The most bits of a counting table's index. */
  readonly denseBits: number;
  /** The most bits of keys that are packed into one word. */
  readonly wordBits: number;
  /** Rows up to which the calling thread does all work itself: no thread is worth its start, nor the way there and back. */
  readonly inlineRows: number;
  /** Bytes of ordinary memory that are copied before the workers are sent to fold them. */
  readonly roundBytes: number;
}

export const DEFAULT_TUNING: Tuning = {
  deal: 'claimed',
  morselRows: 65_536,
  groupsPerWorker: 4_000,
  rangesPerWorker: 1,
  samplesPerRange: 64,
  denseBits: 18,
  wordBits: 64,
  inlineRows: 65_536,
  roundBytes: 1 << 24,
};

/** The fewest samples of one worker's groups. */
const SAMPLES_PER_WORKER = 8;

/** How far a table grows on the word of one morsel: a morsel that shows every key once may be followed by repetitions. */
const EXPECT_AT_MOST = 16;

/**
 * Groups to make room for when a worker's first `rows` rows had `seen` groups and `total` rows will come: G keys of equal
 * chance show G (1 - e^(-n / G)) groups in n rows; G is found by bisection.
 */
export function expectGroups(seen: number, rows: number, total: number | undefined): number {
  if (total === undefined || total <= rows || seen === 0) return seen;
  const shown = (groups: number, n: number): number => -groups * Math.expm1(-n / groups);
  let low = seen;
  let high = seen * EXPECT_AT_MOST;
  for (let step = 0; step < 32; step++) {
    const middle = (low + high) / 2;
    if (shown(middle, rows) < seen) low = middle;
    else high = middle;
  }
  return Math.min(seen * EXPECT_AT_MOST, Math.max(seen, Math.ceil(shown(high, total))));
}

/** How many ranges to split into: one for each worker that ran (times the tuning), one in all when there is little to order. */
export function planRanges(partials: readonly number[], tuning: Tuning): number {
  const workers = partials.length;
  const total = partials.reduce((sum, n) => sum + n, 0);
  if (workers === 0 || total < tuning.groupsPerWorker * workers) return 1;
  return Math.max(1, Math.min(total, Math.round(workers * tuning.rangesPerWorker)));
}

/** How many ranges to build where values are gathered: few groups may have as many rows as many have. */
export function planGathers(partials: readonly number[], tuning: Tuning): number {
  return Math.max(1, Math.round(partials.length * tuning.rangesPerWorker));
}

/** How many groups to sample of each worker: in proportion to what it holds. */
export function planSamples(partials: readonly number[], ranges: number, tuning: Tuning): number[] {
  const total = partials.reduce((sum, n) => sum + n, 0);
  const wanted = tuning.samplesPerRange * ranges;
  return partials.map((n) => Math.max(SAMPLES_PER_WORKER, Math.ceil((wanted * n) / Math.max(1, total))));
}

/** The most distinct groups that a range may have, by the law of the split. */
export function shareOf(groups: number, ranges: number): number {
  return Math.max(Math.ceil(groups / ranges), Math.floor((1.25 * groups) / ranges));
}

/** Whether ranges of these many distinct groups are as even as the law asks, and none is empty. */
export function isLawful(counts: readonly number[]): boolean {
  const groups = counts.reduce((sum, n) => sum + n, 0);
  const share = counts.length < 3 ? groups : shareOf(groups, counts.length);
  return counts.every((n) => n > 0 && n <= share);
}

/** Cuts ordered pieces, laid end to end, into `ranges` runs whose lengths differ by one at most. Pure. */
export function cutEvenly(pieces: readonly Piece[], ranges: number, size: number): Piece[][] {
  const groups = pieces.reduce((sum, { length }) => sum + length, 0);
  const ends = Array.from({ length: ranges }, (_, range) => Math.floor(((range + 1) * groups) / ranges));
  return cutAt(pieces, ends, size);
}

/** Cuts ordered pieces, laid end to end, into runs that end at these numbers of groups; a group takes `size` bytes. Pure. */
export function cutAt(pieces: readonly Piece[], ends: readonly number[], size: number): Piece[][] {
  const cuts: Piece[][] = [];
  let piece = 0;
  let taken = 0;
  let start = 0;
  for (const end of ends) {
    let left = end - start;
    start = end;
    const cut: Piece[] = [];
    while (left > 0) {
      const { at, length } = pieces[piece];
      const here = Math.min(left, length - taken);
      if (here > 0) cut.push({ at: at + taken * size, length: here });
      taken += here;
      left -= here;
      if (taken === length) {
        piece++;
        taken = 0;
      }
    }
    cuts.push(cut);
  }
  return cuts;
}
