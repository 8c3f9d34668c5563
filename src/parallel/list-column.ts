import type { DataType } from '../core/type.js';
import type { ColumnBuilder, Range } from './builder.js';
import type { GatheredWords } from './gathered.js';
import { NumberColumn } from './number-column.js';
import type { OutputProgram } from './program.js';
import type { BuiltColumn } from './protocol.js';
import { storageOf, widthOf, zeroWord } from './storage.js';
import { copyTexts, MOST_BYTES } from './text-column.js';

/** The column of `list`, `top` or `bottom`. */
export function listColumn(range: Range, output: OutputProgram): ColumnBuilder {
  if (output.type.kind !== 'list') throw new TypeError('only lists have items');
  const values = range.gathered.of(output.gathers[0]);
  const { item } = output.type;
  return output.function === 'list'
    ? new AllItems(range, values, item)
    : new BestItems(range, values, output, item);
}

/** The items of all groups, one after the other. */
function itemsOf(
  range: Range,
  item: DataType,
  { words, nulls, entries }: GatheredWords,
  count: number,
): BuiltColumn {
  const { memory, kernels } = range;
  if (count > MOST_BYTES) {
    throw new RangeError(`items of one range: got ${count}, wanted at most ${MOST_BYTES}`);
  }
  if (item.kind === 'null') return { values: new Uint8Array(0), nulls: count };
  const storage = storageOf(item);
  if (storage.shape === 'bytes') {
    const own = memory.allocate(4 * count);
    const size = Number(kernels.entriesOf(words, count, entries, own));
    return copyTexts(range, storage, own, count, size);
  }
  const { kind } = storage;
  const validity = memory.allocate((count >> 3) + 8);
  const without = nulls === 0 ? 0 : kernels.bitsOfNulls(nulls, words, count, zeroWord(kind), validity);
  const width = widthOf(kind);
  const size = width === 0 ? (count + 7) >> 3 : width * count;
  const out = memory.allocate(size);
  kernels.decode(kind, words, out, count);
  const values = memory.copy(out, size);
  return without === 0
    ? { values, nulls: 0 }
    : { values, nulls: without, validity: memory.copy(validity, (count + 7) >> 3) };
}

/** Lists of all values: they stand in row order. A group without rows has an empty list. */
class AllItems implements ColumnBuilder {
  constructor(
    private readonly range: Range,
    private readonly gathered: GatheredWords,
    private readonly item: DataType,
  ) {}

  build(): void {}

  copy(): BuiltColumn {
    const { range, gathered, item } = this;
    const { starts, count } = gathered;
    return {
      values: new Uint8Array(0),
      offsets: range.memory.copy(starts, 4 * (range.rows + 1)),
      nulls: 0,
      items: itemsOf(range, item, gathered, count),
      itemCount: count,
    };
  }
}

/** Lists of the greatest or least values; null where a group has none. */
class BestItems extends NumberColumn {
  /** The values that were taken, and where each group's end, from the first group on. */
  private readonly taken: number;
  private readonly ends: number;
  private count = 0;

  constructor(
    range: Range,
    private readonly gathered: GatheredWords,
    private readonly output: OutputProgram,
    private readonly item: DataType,
  ) {
    super(range, 4);
    this.taken = range.memory.allocate(8 * gathered.count);
    this.ends = range.memory.allocateZeroed(4 * (range.rows + 1));
  }

  build(_: number, row: number, n: number): void {
    const { kernels, memory, gathered } = this.range;
    const { spare, histogram } = gathered.room;
    const { most, greatest } = this.output;
    const starts = this.gathered.starts + 4 * row;
    const ends = this.ends + 4 * (row + 1);
    const out = this.taken + 8 * this.count;
    const here = kernels.bestWords(
      this.gathered.words,
      starts,
      n,
      most,
      greatest ? 1 : 0,
      out,
      ends,
      spare,
      histogram,
    );
    for (let i = 0; i < n; i++) memory.words[ends / 4 + i] += this.count;
    this.count += here;
    this.nulls += kernels.validGroups(starts, n, this.validity + row / 8);
  }

  override copy(): BuiltColumn {
    const { range, gathered, item, taken, ends, count, nulls, validity } = this;
    const { memory, rows } = range;
    const words = { ...gathered, words: taken };
    return {
      values: new Uint8Array(0),
      offsets: memory.copy(ends, 4 * (rows + 1)),
      nulls,
      ...(nulls > 0 && { validity: memory.copy(validity, (rows + 7) >> 3) }),
      items: itemsOf(range, item, words, count),
      itemCount: count,
    };
  }
}

/** The column of `join`. */
export function joinColumn(range: Range, { gathers, separator }: OutputProgram): ColumnBuilder {
  const { memory, kernels, rows } = range;
  const { words, starts } = range.gathered.of(gathers[0]);
  return {
    build: () => undefined,
    copy: () => {
      const between = new TextEncoder().encode(separator);
      const size = kernels.joinedBytes(words, starts, rows, between.length);
      if (size > BigInt(MOST_BYTES)) {
        throw new RangeError(`text of one range: got ${size} bytes, wanted at most ${MOST_BYTES}`);
      }
      const at = memory.allocate(between.length);
      memory.bytes.set(between, at);
      const out = memory.allocate(Number(size));
      const offsets = memory.allocate(4 * (rows + 1));
      kernels.joinTexts(words, starts, rows, at, between.length, out, offsets);
      const validity = memory.allocate((rows >> 3) + 8);
      const nulls = kernels.validGroups(starts, rows, validity);
      return {
        values: memory.copy(out, Number(size)),
        offsets: memory.copy(offsets, 4 * (rows + 1)),
        nulls,
        ...(nulls > 0 && { validity: memory.copy(validity, (rows + 7) >> 3) }),
      };
    },
  };
}
