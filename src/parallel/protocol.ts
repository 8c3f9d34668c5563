import type { Batch } from '../core/column.js';
import type { CheckedQuery } from '../core/plan.js';
import type { Field } from '../core/type.js';
import type { KeyExtent, Layout } from './layout.js';
import type { Logged, Piece } from './pieces.js';
import type { Program } from './program.js';
import type {
  CutInput,
  CutOutput,
  LoadInput,
  LoadOutput,
  SpilledRun,
  SpillInput,
  SpillOrder,
} from './spill-protocol.js';
import type { Unit } from './units.js';

export type { Logged, Piece } from './pieces.js';
export type { ColumnsUnit, Unit } from './units.js';

/** Folds the units of one round into one worker's table. */
export interface FoldInput {
  /** Address of the table's header. */
  readonly table: number;
  readonly worker: number;
  readonly workers: number;
  readonly program: Program;
  /** The columns that parts are asked for. */
  readonly fields: readonly Field[];
  /** The table's layout so far; undefined: the worker begins one. */
  readonly layout: Layout | undefined;
  /** What a sample of the whole input shows of the keys. */
  readonly sampled: readonly KeyExtent[];
  /** Address of the board where the run's first layout is published. */
  readonly board: number;
  readonly units: readonly Unit[];
  readonly deal: 'claimed' | 'static';
  readonly morselRows: number;
  readonly denseBits: number;
  readonly wordBits: number;
  /** Rows that the worker will fold in all, as far as anyone knows. */
  readonly expectedRows: number | undefined;
  /** What was logged of the table in earlier rounds. */
  readonly logged: readonly Logged[];
  readonly spill: SpillOrder;
  /** Address of the run's grids, then its scales, an i32 each: an exponent, plus 4096; 0 while nobody has chosen. */
  readonly grids: number;
  /** log2 of the most additions into a pair over all workers. */
  readonly additions: number;
}

export interface FoldOutput {
  readonly layout: Layout | undefined;
  readonly rows: number;
  /** Groups in the table by now. */
  readonly groups: number;
  readonly relayouts: number;
  /** What is logged of what is in the table. */
  readonly logged: readonly Logged[];
  /** What was spilled of the table. */
  readonly runs: readonly SpilledRun[];
  /** The keys of which a bucket has a start that its type cannot hold. */
  readonly wrongKeys: readonly number[];
}

/** Brings a table into another layout. */
export interface RelayoutInput {
  readonly table: number;
  readonly worker: number;
  readonly program: Program;
  readonly from: Layout;
  readonly to: Layout;
}

/** Looks at the keys of a table's groups. */
export interface ExtentsInput {
  readonly table: number;
  readonly program: Program;
  readonly layout: Layout;
}

/** Ids of groups (u32 each) by other ids: what it holds for an id that no group has is of no matter. */
export interface IdMap {
  readonly at: number;
  readonly length: number;
}

/** Merges the groups of one table into another, of fewer keys. */
export interface CoarsenInput {
  readonly source: number;
  /** Address of the new table's header. */
  readonly into: number;
  readonly worker: number;
  /** Of the source, as its layout. */
  readonly program: Program;
  readonly from: Layout;
  /** Indices into the program's keys. */
  readonly keys: readonly number[];
  readonly to: Layout;
  /** The ids of the table that was folded to those of the source; undefined: they are the same. */
  readonly map: IdMap | undefined;
}

export interface CoarsenOutput {
  readonly groups: number;
  /** The ids of the table that was folded to those of the new one. */
  readonly map: IdMap;
}

export interface SampleInput {
  readonly tables: readonly number[];
  readonly samples: readonly number[];
  readonly ranges: number;
  readonly program: Program;
  readonly layout: Layout;
}

export interface SampleOutput {
  /** Address of the pivots (sorted refs, all different) and how many there are. */
  readonly pivots: number;
  readonly count: number;
}

/** Assigns a table's groups to ranges. */
export interface SplitInput {
  readonly table: number;
  readonly program: Program;
  readonly layout: Layout;
  readonly pivots: number;
  readonly count: number;
}

export interface SplitOutput {
  /** The table's refs of each range. */
  readonly pieces: readonly Piece[];
}

/** Merges and sorts the groups of one range. */
export interface OrderInput {
  /** The number of the range. */
  readonly piece: number;
  readonly program: Program;
  readonly layout: Layout;
  /** Refs to merge and sort; or, of counting tables, ids from..to of all tables. */
  readonly work:
    | { readonly kind: 'refs'; readonly pieces: readonly Piece[] }
    | {
        readonly kind: 'ids';
        readonly tables: readonly number[];
        readonly from: number;
        readonly to: number;
      };
}

export interface OrderOutput {
  /** The range's distinct groups in order. */
  readonly piece: Piece;
  readonly milliseconds: number;
}

/** Ranks the texts of a column. */
export interface RankInput {
  readonly tables: readonly number[];
  /** The column's pool in a table. */
  readonly pool: number;
}

/** Addresses. */
export interface RankOutput {
  /** Of each table: the ranks of its codes, u32 each. */
  readonly ranks: readonly number[];
  /** The entries of ranks, u32 each. */
  readonly entries: number;
}

/** Parts the rows that one worker logged by range. */
export interface PartInput {
  readonly program: Program;
  /** The table that was folded, its layout's key words, and the table whose groups are built, to which `map` leads its ids. */
  readonly folded: number;
  readonly foldedWords: number;
  readonly table: number;
  readonly map: IdMap | undefined;
  readonly logged: readonly Logged[];
  /** The groups before each piece; those before each range. */
  readonly bases: readonly number[];
  readonly bounds: readonly number[];
  /** Of each of the program's gathers: the ranks of the table's codes; 0: none. */
  readonly ranks: readonly number[];
}

/** Rows of one range: their groups in it, and their words. Addresses. */
export interface PlacedRows {
  readonly places: number;
  readonly words: number;
  readonly rows: number;
}

export interface PartOutput {
  /** Of each logged piece, of each range. */
  readonly parts: readonly (readonly PlacedRows[])[];
}

/** What a range gathers of one of the program's gathers: its rows in row order, and the entries of ranks (0: none). */
export interface GatherWork {
  readonly rows: readonly PlacedRows[];
  readonly entries: number;
}

/** Builds the output columns of one range. */
export interface BuildInput {
  readonly program: Program;
  readonly layout: Layout;
  readonly pieces: readonly Piece[];
  /** Of each of the program's gathers. */
  readonly gathered: readonly GatherWork[];
  /** Address of the run's grids and scales, as in FoldInput. */
  readonly grids: number;
  /** Builds no columns, but looks for sums that do not fit. */
  readonly sumsOnly: boolean;
}

/** An output column's buffers, in memory of their own. */
export interface BuiltColumn {
  readonly values: Uint8Array<ArrayBuffer>;
  readonly offsets?: Uint8Array<ArrayBuffer>;
  /** Of views. */
  readonly buffers?: readonly Uint8Array<ArrayBuffer>[];
  /** Of lists, and how many there are. */
  readonly items?: BuiltColumn;
  readonly itemCount?: number;
  readonly validity?: Uint8Array<ArrayBuffer>;
  readonly nulls: number;
}

export interface BuildOutput {
  readonly rows: number;
  /** Partial groups that were merged into the range's. */
  readonly partials: number;
  /** Keys, then aggregates; none where only sums were looked at. */
  readonly columns: readonly BuiltColumn[];
  /** The first group, in order, of which an integer sum does not fit: its row, and the first such output. */
  readonly overflow: { readonly row: number; readonly output: number; readonly value: bigint } | undefined;
  readonly milliseconds: number;
}

/** Sorts and picks groups. */
export interface ChooseInput extends Pick<CheckedQuery, 'output' | 'having' | 'sort' | 'limit'> {
  /** The whole answer. */
  readonly batches: readonly Batch[];
}

/** The tasks a worker knows: input and output of each. All of it is plain data. */
export interface Tasks {
  fold: { input: FoldInput; output: FoldOutput };
  relayout: { input: RelayoutInput; output: undefined };
  spill: { input: SpillInput; output: SpilledRun | undefined };
  cut: { input: CutInput; output: CutOutput };
  load: { input: LoadInput; output: LoadOutput };
  extents: { input: ExtentsInput; output: readonly KeyExtent[] };
  coarsen: { input: CoarsenInput; output: CoarsenOutput };
  sample: { input: SampleInput; output: SampleOutput };
  split: { input: SplitInput; output: SplitOutput };
  order: { input: OrderInput; output: OrderOutput };
  rank: { input: RankInput; output: RankOutput };
  part: { input: PartInput; output: PartOutput };
  build: { input: BuildInput; output: BuildOutput };
  choose: { input: ChooseInput; output: readonly Batch[] };
}

export type TaskName = keyof Tasks;

export interface WorkerData {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** Whether tasks tell when they ran and the CPU time that they took. */
  readonly measured?: boolean;
}
