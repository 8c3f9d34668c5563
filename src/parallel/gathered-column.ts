import { interpolate } from '../core/quantile.js';
import type { ColumnBuilder, Range } from './builder.js';
import type { GatheredWords } from './gathered.js';
import { interpolateFast } from './interpolate.js';
import {
  BLOCK,
  QUANTILE_BETWEEN,
  QUANTILE_HIGHER,
  QUANTILE_LOWER,
  QUANTILE_NEAREST,
} from './kernels/layout.js';
import { bytesOf, NumberColumn, nullColumn } from './number-column.js';
import type { OutputProgram } from './program.js';
import { type BytesStorage, storageOf, widthOf, zeroWord } from './storage.js';
import { TextColumn } from './text-column.js';
import { valueOfEntry, valueOfWord } from './word-value.js';

/** The column of an aggregate that picks a value from all of a group, or counts them. */
export function gatheredColumn(range: Range, output: OutputProgram): ColumnBuilder {
  const values = range.gathered.of(output.gathers[0]);
  if (output.function === 'countDistinct') return new Distinct(range, values);
  const { interpolation, type } = output;
  if (output.function === 'quantile' && (interpolation === 'linear' || interpolation === 'midpoint')) {
    return new Between(range, values, output);
  }
  if (type.kind === 'null') return nullColumn(range);
  const storage = storageOf(type);
  return storage.shape === 'number'
    ? new PickedNumber(range, values, output, storage.kind)
    : new PickedText(range, values, output, storage);
}

const WHICH = {
  linear: QUANTILE_BETWEEN,
  midpoint: QUANTILE_BETWEEN,
  lower: QUANTILE_LOWER,
  higher: QUANTILE_HIGHER,
  nearest: QUANTILE_NEAREST,
} as const;

/** Writes the word that is picked of each of `n` groups from `row` on to the range's words, `none` where there is none. */
function pick(
  range: Range,
  values: GatheredWords,
  output: OutputProgram,
  row: number,
  n: number,
  none: bigint,
): void {
  const { kernels, gathered, words } = range;
  const { spare, histogram } = gathered.room;
  const starts = values.starts + 4 * row;
  if (output.function === 'mode') kernels.modes(values.words, starts, n, none, words, spare, histogram);
  else {
    const which = WHICH[output.interpolation];
    kernels.quantiles(values.words, starts, n, output.p, which, none, words, 0, 0, spare, histogram);
  }
}

class Distinct extends NumberColumn {
  constructor(
    range: Range,
    private readonly gathered: GatheredWords,
  ) {
    super(range, 8);
  }

  build(_: number, row: number, n: number): void {
    const { words, starts } = this.gathered;
    const { spare, histogram } = this.range.gathered.room;
    this.range.kernels.countDistinct(words, starts + 4 * row, n, this.values + 8 * row, spare, histogram);
  }
}

class PickedNumber extends NumberColumn {
  constructor(
    range: Range,
    private readonly gathered: GatheredWords,
    private readonly output: OutputProgram,
    private readonly kind: number,
  ) {
    super(range, widthOf(kind));
  }

  build(_: number, row: number, n: number): void {
    const { kernels, words } = this.range;
    pick(this.range, this.gathered, this.output, row, n, zeroWord(this.kind));
    this.nulls += kernels.validGroups(this.gathered.starts + 4 * row, n, this.validity + row / 8);
    kernels.decode(this.kind, words, this.values + bytesOf(this.kind, row), n);
  }
}

class PickedText extends TextColumn {
  private row = 0;

  constructor(
    range: Range,
    private readonly gathered: GatheredWords,
    private readonly output: OutputProgram,
    storage: BytesStorage,
  ) {
    super(range, storage);
  }

  protected find(_: number, n: number, entries: number): bigint {
    const { kernels, words } = this.range;
    pick(this.range, this.gathered, this.output, this.row, n, 0n);
    this.row += n;
    return kernels.entriesOf(words, n, this.gathered.entries, entries);
  }
}

/** Quantiles between two values. */
class Between extends NumberColumn {
  private readonly above: number;
  private readonly fractions: number;

  constructor(
    range: Range,
    private readonly gathered: GatheredWords,
    private readonly output: OutputProgram,
  ) {
    super(range, 8);
    this.above = range.memory.allocate(8 * BLOCK);
    this.fractions = range.memory.allocate(8 * BLOCK);
  }

  build(_: number, row: number, n: number): void {
    const { kernels, memory, words: below, gathered } = this.range;
    const { above, fractions, output } = this;
    const { words, entries } = this.gathered;
    const starts = this.gathered.starts + 4 * row;
    const { spare, histogram } = gathered.room;
    kernels.quantiles(
      words,
      starts,
      n,
      output.p,
      QUANTILE_BETWEEN,
      0n,
      below,
      above,
      fractions,
      spare,
      histogram,
    );
    this.nulls += kernels.validGroups(starts, n, this.validity + row / 8);
    const view = new DataView(memory.bytes.buffer);
    const { input } = output;
    const storage = storageOf(input);
    const read = (at: number): ReturnType<typeof valueOfWord> =>
      storage.shape === 'number'
        ? valueOfWord(storage.kind, view.getBigUint64(at, true))
        : valueOfEntry(memory, memory.words[entries / 4 + view.getUint32(at, true)]);
    for (let i = 0; i < n; i++) {
      const at = this.values + 8 * (row + i);
      if (memory.words[starts / 4 + i] === memory.words[starts / 4 + i + 1]) {
        view.setFloat64(at, 0, true);
        continue;
      }
      const [low, high] = [read(below + 8 * i), read(above + 8 * i)];
      const share = view.getFloat64(fractions + 8 * i, true);
      const fraction = output.interpolation === 'midpoint' && share > 0 ? 0.5 : share;
      memory.setFloat64(
        at,
        interpolateFast(input, low, high, fraction) ?? interpolate(input, low, high, fraction),
      );
    }
  }
}
