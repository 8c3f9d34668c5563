import type { Column } from '../core/column.js';
import { type InputError, inputError } from '../core/errors.js';
import type { Starts } from './place.js';

/** Rows for the kernels: columns in shared memory or on their way into it, and where they stand in the input. */
export interface Morsel {
  readonly rows: number;
  readonly columns: readonly Column[];
  /** Of each column; see Starts. */
  readonly starts?: readonly Starts[];
  readonly start: number;
  /** What `part` numbers. */
  readonly source: 'batch' | 'part';
  readonly part: number;
  readonly row: number;
}

/** Bits of a row's number in its part; above them stands the part. A place has 62 bits: 2^26 parts of 2^36 rows. */
const ROW_BITS = 36n;

/** The place of a row of the morsel in the order of all rows of the input: a number that ascends with them. */
export function placeOf({ part, row, start }: Morsel, of: number): bigint {
  return (BigInt(part) << ROW_BITS) + BigInt(row + start + of);
}

/** The batch's number of a row of a morsel. */
export function rowInBatch({ row, start }: Morsel, i: number): number {
  return row + start + i;
}

/** What is wrong with a column of a morsel. */
export function columnError(
  { source, part }: Morsel,
  name: string,
  came: string,
  wanted: string,
): InputError {
  return inputError(`${source} ${part}, column ${JSON.stringify(name)}`, came, wanted);
}
