import { BLOCK } from './kernels/layout.js';
import type { KernelMemory } from './memory.js';
import type { ColumnProgram } from './program.js';

/** Room of a column's own for one block: addresses. */
export interface ColumnRoom {
  /** Values as they lie, of a dictionary's rows and of rows that are kept. */
  readonly raw: number;
  /** Values of 8 bytes: integers as i64, floats as f64, nulls 0; codes of a dictionary. */
  readonly wide: number;
  /** Order-preserving words; of text, codes in the pool. */
  readonly encoded: number;
  /** Words of floats that keep every bit. */
  readonly exact: number;
  /** Validity of a dictionary's rows. */
  readonly bits: number;
  /** Validity of rows that are kept. */
  readonly kept: number;
}

/** @param keeps whether a block may keep some of its rows only */
export function columnRoom(
  memory: KernelMemory,
  { codes, storage, kept }: ColumnProgram,
  keeps: boolean,
): ColumnRoom {
  return {
    raw: memory.allocate(codes === undefined && !keeps ? 0 : Math.max(8, storage.width) * BLOCK),
    wide: memory.allocate(8 * BLOCK),
    encoded: memory.allocate(8 * BLOCK),
    exact: memory.allocate(kept ? 8 * BLOCK : 0),
    bits: memory.allocate(BLOCK / 8),
    kept: memory.allocate(BLOCK / 8),
  };
}
