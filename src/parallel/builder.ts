import type { Gathered } from './gathered.js';
import type { Kernels } from './kernels.js';
import type { Layout } from './layout.js';
import type { KernelMemory } from './memory.js';
import type { OutputProgram, Program } from './program.js';
import type { BuiltColumn } from './protocol.js';

/** The range that columns are built for. Addresses are in kernel memory. */
export interface Range {
  readonly memory: KernelMemory;
  readonly kernels: Kernels;
  readonly program: Program;
  readonly layout: Layout;
  readonly fields: number;
  /** Room for a block of words, which every column uses in turn. */
  readonly words: number;
  readonly rows: number;
  readonly gathered: Gathered;
  /** Address of the run's grids and scales. */
  readonly grids: number;
}

/** An output column on its way: built a block of groups at a time, then copied out. */
export interface ColumnBuilder {
  /** Builds rows row..row + n from the groups at `refs`. `row` is a multiple of BLOCK. */
  build(refs: number, row: number, n: number): void;
  copy(): BuiltColumn;
  /** The first row whose value does not fit the column. */
  readonly overflow?: { readonly row: number; readonly value: bigint } | undefined;
}

/** Where in a record the counts of an output lie: of the rows that are aggregated, and of the nulls among them; 0: none are counted. */
export function countsOf(
  { program, layout }: Pick<Range, 'program' | 'layout'>,
  { rows, nulls }: Pick<OutputProgram, 'rows' | 'nulls'>,
): { readonly rows: number; readonly nulls: number } {
  const lanes = 8 * layout.words;
  return {
    rows: rows < 0 ? lanes : lanes + program.states[rows].lane,
    nulls: nulls < 0 ? 0 : lanes + program.states[nulls].lane,
  };
}
