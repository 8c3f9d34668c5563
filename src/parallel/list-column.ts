import type { DataType } from '../core/type.js';
import { type ColumnBuilder, countsOf, type Range } from './builder.js';
import type { GatheredWords } from './gathered.js';
import { NumberColumn } from './number-column.js';
import type { OutputProgram } from './program.js';
import type { BuiltColumn } from './protocol.js';
import { flipOf } from './states.js';
import { storageOf, widthOf, zeroWord } from './storage.js';
import { copyTexts, MOST_BYTES } from './text-column.js';

/** The column of `list`, `top` or `bottom`. */
export function listColumn(range: Range, output: OutputProgram): ColumnBuilder {
  if (output.type.kind !== 'list') throw new TypeError('only lists have items');
  const { item } = output.type;
  if (output.state >= 0) return new KeptItems(range, output, item);
  const values = range.gathered.of(output.gathers[0]);
  return output.function === 'list'
    ? new AllItems(range, values, item)
    : new GatheredItems(range, values, output, item);
}

/** The items of all groups, one after the other. */
function itemsOf(
  range: Range,
  item: DataType,
  { words, nulls, entries }: Pick<GatheredWords, 'words' | 'nulls' | 'entries'>,
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

/** Lists of the greatest or least values, best first; null where a group has none. */
abstract class BestItems extends NumberColumn {
  /** Where each group's items end, counted from the first group's first. */
  private readonly ends: number;
  private count = 0;

  /**
   * @param taken room for the items of all groups
   * @param entries as in GatheredWords
   */
  constructor(
    range: Range,
    private readonly item: DataType,
    private readonly taken: number,
    private readonly entries: number,
  ) {
    super(range, 4);
    this.ends = range.memory.allocateZeroed(4 * (range.rows + 1));
  }

  build(refs: number, row: number, n: number): void {
    const { memory } = this.range;
    const ends = this.ends + 4 * (row + 1);
    const here = this.take(refs, row, n, this.taken + 8 * this.count, ends);
    for (let i = 0; i < n; i++) memory.words[ends / 4 + i] += this.count;
    this.count += here;
  }

  /** Writes the items of `n` groups from `row` on and where each group's end, counted from the first of these; tells the column's nulls. Returns how many items. */
  protected abstract take(refs: number, row: number, n: number, out: number, ends: number): number;

  override copy(): BuiltColumn {
    const { range, item, taken, ends, entries, count, nulls, validity } = this;
    const { memory, rows } = range;
    return {
      values: new Uint8Array(0),
      offsets: memory.copy(ends, 4 * (rows + 1)),
      nulls,
      ...(nulls > 0 && { validity: memory.copy(validity, (rows + 7) >> 3) }),
      items: itemsOf(range, item, { words: taken, nulls: 0, entries }, count),
      itemCount: count,
    };
  }
}

/** The items are among values that were gathered. */
class GatheredItems extends BestItems {
  constructor(
    range: Range,
    private readonly gathered: GatheredWords,
    private readonly output: OutputProgram,
    item: DataType,
  ) {
    super(range, item, range.memory.allocate(8 * gathered.count), gathered.entries);
  }

  protected take(_: number, row: number, n: number, out: number, ends: number): number {
    const { kernels, gathered } = this.range;
    const { spare, histogram } = gathered.room;
    const { most, greatest } = this.output;
    const { words, starts: all } = this.gathered;
    const starts = all + 4 * row;
    this.nulls += kernels.validGroups(starts, n, this.validity + row / 8);
    return kernels.bestWords(words, starts, n, most, greatest ? 1 : 0, out, ends, spare, histogram);
  }
}

/** The items stand in the groups' records. */
class KeptItems extends BestItems {
  private readonly rows: number;
  private readonly missing: number;
  private readonly lane: number;
  private readonly flip: bigint;
  private readonly most: number;

  constructor(range: Range, output: OutputProgram, item: DataType) {
    super(range, item, range.memory.allocate(8 * output.most * range.rows), 0);
    const { states } = range.program;
    const { rows, nulls } = countsOf(range, output);
    this.rows = rows;
    this.missing = nulls;
    this.lane = 8 * range.layout.words + states[output.state].lane;
    this.flip = flipOf(states[output.state].kind);
    this.most = output.most;
  }

  protected take(refs: number, row: number, n: number, out: number, ends: number): number {
    const { kernels } = this.range;
    const { rows, missing, lane, most, flip } = this;
    this.nulls += kernels.finishValidity(refs, n, rows, missing, 1n, this.validity + row / 8);
    return kernels.finishBest(refs, n, lane, rows, missing, most, flip, out, ends);
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
