import type { ColumnBuilder, Range } from './builder.js';
import { BYTES_FIXED, BYTES_VIEWS } from './kernels/layout.js';
import type { BuiltColumn } from './protocol.js';
import type { BytesStorage } from './storage.js';

/** What an Int32 offset, and a view, can count. */
const MOST_BYTES = 0x7fff_ffffn;

/** A column of texts or other bytes: the blocks find the entries, the bytes follow at the end. */
export abstract class TextColumn implements ColumnBuilder {
  protected readonly range: Range;
  private readonly storage: BytesStorage;
  private readonly entries: number;
  private size = 0n;

  constructor(range: Range, storage: BytesStorage) {
    this.range = range;
    this.storage = storage;
    this.entries = range.memory.allocate(4 * range.rows);
  }

  build(refs: number, row: number, n: number): void {
    this.size += this.find(refs, n, this.entries + 4 * row);
    if (this.size > MOST_BYTES && this.storage.width !== 8) {
      throw new RangeError(`text of one range: got ${this.size} bytes, wanted at most ${MOST_BYTES}`);
    }
  }

  /** Writes the entries of a block; returns the bytes of their texts. */
  protected abstract find(refs: number, n: number, entries: number): bigint;

  copy(): BuiltColumn {
    const { form } = this.storage;
    return form === BYTES_FIXED ? this.fixed() : form === BYTES_VIEWS ? this.views() : this.texts();
  }

  private texts(): BuiltColumn {
    const { memory, kernels, rows } = this.range;
    const { width } = this.storage;
    const size = Number(this.size);
    const bytes = memory.allocate(size);
    const offsets = memory.allocate(width * (rows + 1));
    const validity = this.room();
    const nulls = kernels.writeTexts(this.entries, rows, offsets, width, bytes, validity);
    const values = memory.copy(bytes, size);
    return { values, offsets: memory.copy(offsets, width * (rows + 1)), ...this.nulls(nulls, validity) };
  }

  private fixed(): BuiltColumn {
    const { memory, kernels, rows } = this.range;
    const { width, decimal } = this.storage;
    const values = memory.allocate(width * rows);
    const validity = this.room();
    const nulls = kernels.writeFixed(this.entries, rows, width, decimal ? 1 : 0, values, validity);
    return { values: memory.copy(values, width * rows), ...this.nulls(nulls, validity) };
  }

  private views(): BuiltColumn {
    const { memory, kernels, rows } = this.range;
    const views = memory.allocate(16 * rows);
    const bytes = memory.allocate(Number(this.size));
    const used = memory.allocate(4);
    const validity = this.room();
    const nulls = kernels.writeViews(this.entries, rows, views, bytes, validity, used);
    const long = memory.words[used / 4];
    const buffers = long === 0 ? [] : [memory.copy(bytes, long)];
    return { values: memory.copy(views, 16 * rows), buffers, ...this.nulls(nulls, validity) };
  }

  private room(): number {
    return this.range.memory.allocate((this.range.rows >> 3) + 8);
  }

  private nulls(nulls: number, validity: number): Pick<BuiltColumn, 'nulls' | 'validity'> {
    if (nulls === 0) return { nulls };
    return { nulls, validity: this.range.memory.copy(validity, (this.range.rows + 7) >> 3) };
  }
}
