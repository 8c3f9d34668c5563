import type { ColumnBuilder, Range } from './builder.js';
import { KIND_BIT } from './kernels/layout.js';
import type { BuiltColumn } from './protocol.js';
import { widthOf } from './storage.js';

/** A column of values of one width. */
export abstract class NumberColumn implements ColumnBuilder {
  protected readonly range: Range;
  protected readonly values: number;
  protected readonly validity: number;
  protected nulls = 0;
  private readonly size: number;

  /** `width` is in bytes, 0 for bits. */
  constructor(range: Range, width: number) {
    this.range = range;
    this.size = width === 0 ? (range.rows + 7) >> 3 : width * range.rows;
    this.values = range.memory.allocate(this.size + 8);
    this.validity = range.memory.allocate((range.rows >> 3) + 8);
  }

  abstract build(refs: number, row: number, n: number): void;

  copy(): BuiltColumn {
    const { memory, rows } = this.range;
    const { nulls } = this;
    const values = memory.copy(this.values, this.size);
    return nulls === 0
      ? { values, nulls }
      : { values, nulls, validity: memory.copy(this.validity, (rows + 7) >> 3) };
  }
}

/** A column of a Null type: it has no buffers. */
export function nullColumn({ rows }: Range): ColumnBuilder {
  return { build: () => undefined, copy: () => ({ values: new Uint8Array(0), nulls: rows }) };
}

/** Bytes of a multiple of 8 rows of a kind. */
export function bytesOf(kind: number, rows: number): number {
  return kind === KIND_BIT ? rows / 8 : widthOf(kind) * rows;
}
