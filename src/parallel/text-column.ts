import type { ColumnBuilder, Range } from './builder.js';
import { BYTES_FIXED, BYTES_VIEWS } from './kernels/layout.js';
import type { BuiltColumn } from './protocol.js';
import type { BytesStorage } from './storage.js';

/** What an Int32 offset, and a view, can count. */
export const MOST_BYTES = 0x7fff_ffff;

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
    if (this.size > BigInt(MOST_BYTES) && this.storage.width !== 8) {
      throw new RangeError(`text of one range: got ${this.size} bytes, wanted at most ${MOST_BYTES}`);
    }
  }

  /** Writes the entries of a block; returns the bytes of their texts. */
  protected abstract find(refs: number, n: number, entries: number): bigint;

  copy(): BuiltColumn {
    return copyTexts(this.range, this.storage, this.entries, this.range.rows, Number(this.size));
  }
}

/** A column of `rows` texts or other bytes from their entries (u32 each, 0 for null), of `size` bytes together, in memory of its own. */
export function copyTexts(
  { memory, kernels }: Pick<Range, 'memory' | 'kernels'>,
  storage: BytesStorage,
  entries: number,
  rows: number,
  size: number,
): BuiltColumn {
  const { form, width, decimal } = storage;
  if (size > MOST_BYTES && width !== 8) {
    throw new RangeError(`text of one range: got ${size} bytes, wanted at most ${MOST_BYTES}`);
  }
  const validity = memory.allocate((rows >> 3) + 8);
  const withNulls = (nulls: number, column: Omit<BuiltColumn, 'nulls' | 'validity'>): BuiltColumn =>
    nulls === 0
      ? { ...column, nulls }
      : { ...column, nulls, validity: memory.copy(validity, (rows + 7) >> 3) };
  if (form === BYTES_FIXED) {
    const values = memory.allocate(width * rows);
    const nulls = kernels.writeFixed(entries, rows, width, decimal ? 1 : 0, values, validity);
    return withNulls(nulls, { values: memory.copy(values, width * rows) });
  }
  const bytes = memory.allocate(size);
  if (form === BYTES_VIEWS) {
    const views = memory.allocate(16 * rows);
    const used = memory.allocate(4);
    const nulls = kernels.writeViews(entries, rows, views, bytes, validity, used);
    const long = memory.words[used / 4];
    const buffers = long === 0 ? [] : [memory.copy(bytes, long)];
    return withNulls(nulls, { values: memory.copy(views, 16 * rows), buffers });
  }
  const offsets = memory.allocate(width * (rows + 1));
  const nulls = kernels.writeTexts(entries, rows, offsets, width, bytes, validity);
  return withNulls(nulls, {
    values: memory.copy(bytes, size),
    offsets: memory.copy(offsets, width * (rows + 1)),
  });
}
