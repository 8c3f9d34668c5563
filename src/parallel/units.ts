import type { Part } from '../core/source.js';
import type { Starts } from './place.js';
import type { SharedColumn } from './shared-column.js';

/** Columns that lie in shared memory, for all workers to read. */
export interface ColumnsUnit {
  readonly kind: 'columns';
  readonly rows: number;
  /** In the order of the program's columns. */
  readonly columns: readonly SharedColumn[];
  /** What of each column's bytes is there; see Starts. */
  readonly starts: readonly Starts[];
  /** Where the rows stand in the input: rows are ordered by (part, row). */
  readonly part: number;
  readonly row: number;
}

/** A part of a source, which the worker that claims it decodes. */
export interface PartUnit {
  readonly kind: 'part';
  readonly part: number;
  readonly source: Part;
}

export type Unit = ColumnsUnit | PartUnit;
