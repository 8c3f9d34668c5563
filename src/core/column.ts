import { isSet } from './bits.js';
import type { DataType } from './type.js';

/**
 * Our view of one Arrow column of one batch. Plain data over the column's own bytes: nothing is copied, and it
 * crosses threads by structured clone (which shares a SharedArrayBuffer and copies any other).
 *
 * Byte buffers begin at row 0; bit buffers (`validity`, and `values` of a Bool) begin `bitOffset` bits earlier,
 * because a slice cannot cut inside a byte.
 */
export interface Column {
  readonly type: DataType;
  /** Rows. */
  readonly length: number;
  /** Rows whose validity bit is 0; 0 where `validity` is absent, but every row of a Null column. */
  readonly nulls: number;
  /** Bits before row 0 in `validity`, and in `values` of a Bool. */
  readonly bitOffset: number;
  /** Fixed-width values, packed bits of a Bool, bytes of a text or binary column, codes of a dictionary; empty for Null and lists. */
  readonly values: Uint8Array;
  /** `length + 1` offsets into `values`, of 4 bytes (`plain`) or 8 (`large`), little-endian. */
  readonly offsets?: Uint8Array;
  /** One bit a row, 1 = there is a value, least significant bit first. */
  readonly validity?: Uint8Array;
  /** The items of lists, of which `offsets` (4 bytes) tell where each begins. */
  readonly items?: Column;
  /** The data buffers that the 16-byte views in `values` point into. */
  readonly buffers?: readonly Uint8Array[];
  /** The values that the codes in `values` stand for. */
  readonly dictionary?: Column;
}

/** Columns of equal length, in the order they were asked for. */
export interface Batch {
  readonly rows: number;
  readonly columns: readonly Column[];
}

/** Whether row `row` has a value. (A code that stands for a null entry of its dictionary counts as one here.) */
export function isValid(column: Pick<Column, 'type' | 'bitOffset' | 'validity'>, row: number): boolean {
  if (column.validity === undefined) return column.type.kind !== 'null';
  const bit = column.bitOffset + row;
  return isSet(column.validity, bit);
}
