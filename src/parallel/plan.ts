import type { Piece } from './protocol.js';
import type { Tuning } from './tuning.js';

/** More groups than a table can have. */
export const ALL_GROUPS = 2 ** 32;

export const DEFAULT_TUNING: Tuning = {
  deal: 'claimed',
  morselRows: 65_536,
  groupsPerWorker: 4_000,
  rangesPerWorker: 1,
  samplesPerRange: 64,
  denseBits: 18,
  wordBits: 64,
  // the way to two workers and back takes 3 ms: 100,000 rows of 10,000 groups 8.1 ms with them, 4.4 without (of 12 groups 4.5 and 2.0)
  inlineRows: 131_072,
  roundBytes: 1 << 24,
  spillGroups: ALL_GROUPS,
  chunkGroups: 512,
  loadGroups: ALL_GROUPS,
};

/** Of what a memory limit allows, the share of kernel memory: the rest is for what is read and what is handed out. */
const KERNEL_SHARE = 0.75;
/** The share of an answer that is collected or sorted as a whole, when kernel memory was in use already. */
const ANSWER_SHARE = 0.4;
/** The share of kernel memory that the tables of all workers may take: to spill or to order them takes about as much again. */
const TABLES_SHARE = 0.45;
/** The least that a worker's table needs. */
const LEAST_ARENA = 1 << 21;
/** Rounds take turns in two areas of this share of kernel memory at most. */
const ROUND_SHARE = 1 / 16;
/** A counting table may take this share of what its worker has. */
const DENSE_SHARE = 1 / 8;
/** The share of kernel memory that a load of spilled groups is planned to take. */
const LOAD_SHARE = 0.5;
/** The most that it may take with the chunks at its borders, and the least that is left of it without them. */
const MOST_LOAD_SHARE = 0.85;
const LEAST_LOAD_SHARE = 0.05;

/** Bytes of kernel memory that a memory limit allows. Pure, as all that follows. */
export function planKernelBytes(memoryLimit: number): number {
  return Math.floor(memoryLimit * KERNEL_SHARE);
}

/** Bytes of an answer that may be there as a whole. */
export function planAnswerBytes(memoryLimit: number): number {
  return Math.floor(memoryLimit * ANSWER_SHARE);
}

/** The least memory limit that a number of workers can do with. */
export function leastLimit(workers: number): number {
  return Math.ceil((LEAST_ARENA * workers) / (KERNEL_SHARE * TABLES_SHARE));
}

/** Bytes of one worker's table, of `free` bytes of kernel memory. */
export function planArena(free: number, workers: number): number {
  return Math.floor((TABLES_SHARE * free) / workers / 64) * 64;
}

/** Bytes of a round, of `free` bytes of kernel memory. */
export function planRoundBytes(free: number, { roundBytes }: Tuning): number {
  return Math.max(1, Math.min(roundBytes, Math.floor(ROUND_SHARE * free)));
}

/** The most bits of a counting table in so many bytes, with `lanes` bytes a group. */
export function planDenseBits(arena: number, lanes: number, { denseBits }: Tuning): number {
  return Math.max(0, Math.min(denseBits, Math.floor(Math.log2((DENSE_SHARE * arena) / lanes))));
}

/** What has to be known of groups to say what ordering and building them takes. */
export interface Bulk {
  readonly groups: number;
  /** Rows whose values were logged. */
  readonly rows: number;
  /** Output columns, keys too. */
  readonly columns: number;
}

/** Bytes of kernel memory that split, order and build take, beside the tables: refs four times, homes, and for each column what it is built in. */
export function orderBytes({ groups, rows, columns }: Bulk): number {
  return groups * (74 + 12 * columns) + rows * 40;
}

/** What was spilled: groups, their bytes in the files, and the runs and chunks that they are in. */
export interface SpilledBulk extends Bulk {
  readonly bytes: number;
  readonly runs: number;
  readonly chunks: number;
}

/**
 * How many loads of spilled groups `free` bytes of kernel memory take, one after the other. A load reads whole chunks: of each run
 * two that lie across its borders, beside those of its share. Undefined where those alone do not fit.
 */
export function planLoads(bulk: SpilledBulk, free: number, { loadGroups }: Tuning): number | undefined {
  // records are as large as in the file about, texts are copied out of the chunk, and pools double
  const all = 2 * bulk.bytes + orderBytes(bulk);
  const borders = (2 * bulk.runs * all) / bulk.chunks;
  const room = Math.min(LOAD_SHARE * free, MOST_LOAD_SHARE * free - borders);
  if (all > MOST_LOAD_SHARE * free && room < LEAST_LOAD_SHARE * free) return undefined;
  return Math.max(1, room > 0 ? Math.ceil(all / room) : 1, Math.ceil(bulk.groups / loadGroups));
}

/**
 * Which chunks of a run have groups of the ranges `low` to `high` (exclusive), by the ranges of its fences: the first
 * groups of its chunks, and the last of all.
 */
export function planStretch(
  fences: Uint16Array,
  low: number,
  high: number,
): { readonly from: number; readonly count: number } {
  const chunks = fences.length - 1;
  let from = 0;
  while (from < chunks && fences[from + 1] < low) from++;
  let to = from;
  while (to < chunks && fences[to] < high) to++;
  return { from, count: to - from };
}
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
