import type { KeyExtent, Layout } from './layout.js';
import type { Logged, Piece } from './pieces.js';
import type { Program } from './program.js';

/** Where and how a worker's table is spilled. */
export interface SpillOrder {
  /** The folder of the run, made by who spills first, and the table's file in it. */
  readonly folder: string;
  readonly file: string;
  /** Groups from which on the table is spilled, whatever memory there is. */
  readonly groups: number;
  /** Groups that are written together. */
  readonly chunkGroups: number;
}

/** Chunks of a file, one behind the other: where each begins, and where the last one ends. */
export interface Chunks {
  readonly file: string;
  readonly offsets: readonly number[];
  /** Texts in each chunk. */
  readonly texts: readonly number[];
}

/** The groups of a table that was spilled: in order, in chunks of `chunkGroups` and what is left. */
export interface SpilledRun {
  readonly chunks: Chunks;
  readonly groups: number;
  /** Logged rows. */
  readonly rows: number;
  /** The first group of each chunk, then the last of all, as a chunk. */
  readonly fences: Chunks;
  /** Of keys that are no texts. */
  readonly extents: readonly KeyExtent[];
}

/** Spills what is left in a table. */
export interface SpillInput {
  readonly table: number;
  readonly program: Program;
  readonly layout: Layout;
  readonly logged: readonly Logged[];
  readonly spill: SpillOrder;
}

/** Cuts all spilled groups into ranges of about as many chunks. */
export interface CutInput {
  readonly program: Program;
  readonly layout: Layout;
  readonly fences: readonly Chunks[];
  /** Fences of each run. */
  readonly counts: readonly number[];
  readonly ranges: number;
  /** The file that the pivots are written to. */
  readonly file: string;
}

export interface CutOutput {
  /** Of each run, the range of each of its fences. */
  readonly ranges: readonly Uint16Array[];
  /** The least group of each range but the first, as a chunk; how many there are. */
  readonly pivots: Chunks;
  readonly count: number;
}

/** A stretch of the chunks of a run: the `count` from number `from` on. */
export interface Stretch {
  readonly chunks: Chunks;
  readonly from: number;
  readonly count: number;
}

/** Loads chunks into a new table, and lists its groups range by range. */
export interface LoadInput {
  /** Address of the table's header, zeroed. */
  readonly table: number;
  readonly worker: number;
  readonly program: Program;
  readonly layout: Layout;
  readonly stretches: readonly Stretch[];
  /** Groups in them, and rows. */
  readonly groups: number;
  readonly pivots: Chunks;
  readonly pivotCount: number;
  /** The ranges that are wanted: `low` to `high`, which is left out. */
  readonly low: number;
  readonly high: number;
  /** Rows from which on the float sums of a group are made wide. */
  readonly heavy: number;
}

export interface LoadOutput {
  /** Refs of each of the wanted ranges. */
  readonly pieces: readonly Piece[];
  readonly groups: number;
  readonly logged: readonly Logged[];
}
