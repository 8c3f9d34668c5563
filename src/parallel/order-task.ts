import {
  ADD_WORDS,
  MAX_BY_TEXT,
  MAX_TEXT,
  MERGE_BEST,
  MERGE_FLIP,
  MERGE_GRID,
  MERGE_GRIDS,
  MERGE_OFFSET,
  MERGE_OP,
  MERGE_POOL,
  MERGE_SIZE,
  MERGE_WORDS,
  REF_SIZE,
  TABLE_GROUPS,
} from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';
import type {
  OrderInput,
  OrderOutput,
  Piece,
  SampleInput,
  SampleOutput,
  SplitInput,
  SplitOutput,
} from './protocol.js';
import { segmentsOf, writeSegments } from './segments.js';
import { STATES } from './states.js';

/** Bytes of a radix sort's histogram. */
export const HISTOGRAM = 4 * 256;

/**
 * Samples groups of all tables and picks the pivots that part them into ranges. Called once a run, alone, before any
 * group is ordered; reads all tables. Afterwards there are fewer pivots than ranges, ascending, no two the same.
 */
export function sampleTask(memory: KernelMemory, kernels: Kernels, input: SampleInput): SampleOutput {
  const { tables, samples, ranges, program, layout } = input;
  const segments = segmentsOf(program, layout);
  const segmentsAt = writeSegments(memory, segments);
  const most = samples.reduce((sum, n) => sum + n, 0);
  const refs = memory.allocate(REF_SIZE * most);
  let n = 0;
  tables.forEach((table, t) => {
    n += kernels.sample(table, segmentsAt, samples[t], refs + REF_SIZE * n);
  });
  const spare = memory.allocate(REF_SIZE * most);
  kernels.sort(refs, spare, n, segmentsAt, segments.length, memory.allocate(HISTOGRAM));
  // a group that stands on several workers was sampled on each: count it once
  const distinct = kernels.distinctRefs(refs, n);
  const pivots = memory.allocate(REF_SIZE * ranges);
  let count = 0;
  let last = -1;
  for (let range = 1; range < ranges; range++) {
    const pick = Math.floor((range * distinct) / ranges);
    if (pick === last || pick === 0) continue;
    last = pick;
    memory.bytes.copyWithin(pivots + REF_SIZE * count, refs + REF_SIZE * pick, refs + REF_SIZE * (pick + 1));
    count++;
  }
  // sorting leaves words of later places of the keys; groups are compared with the first
  kernels.renewRefs(pivots, count, segmentsAt);
  return { pivots, count };
}

/**
 * Split: assigns the groups of one table to ranges by binary search among the pivots, and lays their refs out range by
 * range. Called once a table, in parallel; writes memory of its own. Afterwards every group is in exactly one range.
 */
export function splitTask(memory: KernelMemory, kernels: Kernels, input: SplitInput): SplitOutput {
  const { table, program, layout, pivots, count } = input;
  const segments = segmentsOf(program, layout);
  const segmentsAt = writeSegments(memory, segments);
  const groups = memory.words[(table + TABLE_GROUPS) / 4];
  const refs = memory.allocate(REF_SIZE * groups);
  const ranges = memory.allocate(2 * groups);
  const ranged = count + 1;
  const counts = memory.allocateZeroed(4 * ranged);
  const n = kernels.assign(table, segmentsAt, segments.length, pivots, count, refs, ranges, counts);
  return { pieces: scatterRefs(memory, kernels, refs, ranges, n, counts, ranged) };
}

/** Lays refs out range by range, of which `counts` has how many each has. Returns those of each. */
export function scatterRefs(
  memory: KernelMemory,
  kernels: Kernels,
  refs: number,
  ranges: number,
  n: number,
  counts: number,
  ranged: number,
): Piece[] {
  const lengths = Array.from(memory.words.subarray(counts / 4, counts / 4 + ranged));
  let out = refs;
  if (ranged > 1) {
    out = memory.allocate(REF_SIZE * n);
    let at = 0;
    lengths.forEach((length, range) => {
      memory.words[counts / 4 + range] = at;
      at += length;
    });
    kernels.scatter(refs, ranges, n, counts, out);
  }
  let at = out;
  return lengths.map((length) => {
    const piece = { at, length };
    at += REF_SIZE * length;
    return piece;
  });
}

/**
 * Order: brings the groups of one range together from all tables, sorts them and merges those of one key. Called once a
 * range, in parallel; writes the records of its own groups only, which no other range holds. Afterwards the range's
 * refs are its distinct groups in order.
 */
export function orderTask(memory: KernelMemory, kernels: Kernels, input: OrderInput): OrderOutput {
  const begun = performance.now();
  const { piece, program, layout, work } = input;
  const homes = program.ticket === 0 ? 0 : 1;
  const merges = writeMerges(memory, program, 8 * layout.words);
  const mergeCount = program.states.length + 1;
  let at: number;
  let length: number;
  if (work.kind === 'ids') {
    const { tables, from, to } = work;
    const list = memory.allocate(4 * tables.length);
    memory.words.set(tables, list / 4);
    at = memory.allocate(REF_SIZE * (to - from));
    length = kernels.mergeDense(list, tables.length, from, to, at, merges, mergeCount, homes, piece);
  } else {
    const partials = work.pieces.reduce((sum, piece) => sum + piece.length, 0);
    at = memory.allocate(REF_SIZE * partials);
    let to = at;
    for (const piece of work.pieces) {
      memory.bytes.copyWithin(to, piece.at, piece.at + REF_SIZE * piece.length);
      to += REF_SIZE * piece.length;
    }
    const segments = segmentsOf(program, layout);
    const segmentsAt = writeSegments(memory, segments);
    const spare = memory.allocate(REF_SIZE * partials);
    kernels.sort(at, spare, partials, segmentsAt, segments.length, memory.allocate(HISTOGRAM));
    length = kernels.mergeRefs(at, partials, merges, mergeCount, homes, piece);
  }
  return { piece: { at, length }, milliseconds: performance.now() - begun };
}

/** Writes how records merge, the row count first; returns the address. `lanes` is where in a record its lanes begin. */
export function writeMerges(memory: KernelMemory, program: Program, lanes: number): number {
  const at = memory.allocateZeroed(MERGE_SIZE * (program.states.length + 1));
  const { words } = memory;
  words[(at + MERGE_OFFSET) / 4] = lanes;
  program.states.forEach((state, s) => {
    const merge = (at + MERGE_SIZE * (s + 1)) / 4;
    words[merge + MERGE_OP / 4] = STATES[state.kind].merge;
    words[merge + MERGE_OFFSET / 4] = lanes + state.lane;
    if (state.kind === 'sumFloat') {
      words[merge + MERGE_GRID / 4] = state.grid;
      words[merge + MERGE_GRIDS / 4] = program.grids;
    } else if (STATES[state.kind].merge === ADD_WORDS) {
      words[merge + MERGE_WORDS / 4] = STATES[state.kind].bytes / 8;
    } else if (STATES[state.kind].merge === MERGE_BEST) {
      words[merge + MERGE_WORDS / 4] = state.most;
    } else if (STATES[state.kind].merge === MAX_TEXT || STATES[state.kind].merge === MAX_BY_TEXT) {
      // what is compared: of two columns the second
      words[merge + MERGE_POOL / 4] = program.columns[state.second < 0 ? state.column : state.second].pool;
      words[merge + MERGE_FLIP / 4] = STATES[state.kind].flip ? 1 : 0;
    }
  });
  return at;
}
