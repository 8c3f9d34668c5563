import { roundQuotient } from '../core/exact.js';
import type { DataType } from '../core/type.js';
import { type ColumnBuilder, countsOf, type Range } from './builder.js';
import { gatheredColumn } from './gathered-column.js';
import { keptColumn } from './kept-column.js';
import { REF_RECORD, REF_SIZE } from './kernels/layout.js';
import { joinColumn, listColumn } from './list-column.js';
import { bytesOf, NumberColumn, nullColumn } from './number-column.js';
import type { OutputProgram } from './program.js';
import { spreadColumn } from './spread-column.js';
import { flipOf, STATES, type StateKind } from './states.js';
import { type BytesStorage, storageOf, widthOf, zeroWord } from './storage.js';
import { TextColumn } from './text-column.js';
import { exactMean } from './wide-mean.js';

/** What a column is built from: its range, its place in the records, and its query. */
interface Source {
  readonly range: Range;
  readonly output: OutputProgram;
  /** Offset of the count of the rows that are aggregated. */
  readonly rows: number;
  /** Offset of the counted nulls; 0: none are counted. */
  readonly nulls: number;
  /** Offset of the state. */
  readonly lane: number;
  readonly state: StateKind;
  readonly grid: number;
}

/** The column of one aggregate. */
export function outputColumn(range: Range, output: OutputProgram): ColumnBuilder {
  switch (output.function) {
    case 'kept':
      return keptColumn(range, output);
    case 'spread':
    case 'pairSpread':
      return spreadColumn(range, output);
    case 'countDistinct':
    case 'quantile':
    case 'mode':
      return gatheredColumn(range, output);
    case 'list':
    case 'best':
      return listColumn(range, output);
    case 'join':
      return joinColumn(range, output);
    default:
      return stateColumn(range, output);
  }
}

/** The column of an aggregate that one state holds, or a count. */
function stateColumn(range: Range, output: OutputProgram): ColumnBuilder {
  const { program, layout } = range;
  const state = output.state < 0 ? undefined : program.states[output.state];
  const source: Source = {
    range,
    output,
    ...countsOf(range, output),
    lane: state === undefined ? 0 : 8 * layout.words + state.lane,
    state: state?.kind ?? 'nulls',
    grid: state?.grid ?? -1,
  };
  if (state === undefined) return new Counts(source);
  if (output.function === 'min' || output.function === 'max') {
    if (output.type.kind === 'null') return nullColumn(range);
    const storage = storageOf(output.type);
    if (storage.shape === 'number') return new Extreme(source, storage.kind);
    return new TextExtreme(source, storage, program.columns[state.column].pool);
  }
  if (output.function === 'sum') {
    if (state.kind === 'sumFloat') return new FloatSum(source, 8);
    return output.type.kind === 'decimal' ? new DecimalSum(source, output.type) : new Sum(source, 8);
  }
  if (state.kind === 'sumFloat') return new FloatMean(source, 8);
  return output.input.kind === 'decimal' ? new DecimalMean(source, 8) : new Mean(source, 8);
}

class Counts extends NumberColumn {
  constructor(private readonly source: Source) {
    super(source.range, 8);
  }

  build(refs: number, row: number, n: number): void {
    const { rows, nulls } = this.source;
    this.range.kernels.finishCounts(refs, n, rows, nulls, this.values + 8 * row);
  }
}

/** An aggregate that is null where a group has no value. */
abstract class Nullable extends NumberColumn {
  constructor(
    protected readonly source: Source,
    width: number,
  ) {
    super(source.range, width);
  }

  build(refs: number, row: number, n: number): void {
    const { rows, nulls } = this.source;
    this.nulls += this.range.kernels.finishValidity(refs, n, rows, nulls, 1n, this.validity + row / 8);
    this.finish(refs, row, n);
  }

  protected abstract finish(refs: number, row: number, n: number): void;

  /** The record of a group. */
  protected record(refs: number, i: number): DataView {
    const { memory } = this.range;
    return new DataView(memory.bytes.buffer, memory.words[(refs + REF_SIZE * i + REF_RECORD) / 4]);
  }

  protected valuesIn(record: DataView): bigint {
    const { rows, nulls } = this.source;
    const all = record.getBigUint64(rows, true);
    return nulls === 0 ? all : all - record.getBigUint64(nulls, true);
  }

  /** The exact sum of integers that a record holds. */
  protected integer(record: DataView): bigint {
    const { lane, state } = this.source;
    const words = STATES[state].bytes / 8;
    let sum = record.getBigInt64(lane + 8 * (words - 1), true);
    for (let word = words - 2; word >= 0; word--) {
      // the low half of sumSigned is signed: its high half counts what wrapped off
      const low = lane + 8 * word;
      sum =
        (sum << 64n) +
        (state === 'sumSigned' ? record.getBigInt64(low, true) : record.getBigUint64(low, true));
    }
    return sum;
  }

  /** Offset of the high half of a 64-bit sum; 0 where there is none. */
  protected get high(): number {
    return this.source.state === 'sumNarrow' ? 0 : this.source.lane + 8;
  }
}

class Extreme extends Nullable {
  private readonly flip: bigint;

  constructor(
    source: Source,
    private readonly kind: number,
  ) {
    super(source, widthOf(kind));
    this.flip = flipOf(source.state);
  }

  protected finish(refs: number, row: number, n: number): void {
    const { kernels, words } = this.range;
    const { lane, rows, nulls } = this.source;
    kernels.finishWords(refs, n, lane, rows, nulls, this.flip, zeroWord(this.kind), words);
    kernels.decode(this.kind, words, this.values + bytesOf(this.kind, row), n);
  }
}

class TextExtreme extends TextColumn {
  constructor(
    private readonly source: Source,
    storage: BytesStorage,
    private readonly pool: number,
  ) {
    super(source.range, storage);
  }

  protected find(refs: number, n: number, entries: number): bigint {
    return this.range.kernels.finishTexts(refs, n, this.source.lane, this.pool, entries);
  }
}

class Sum extends Nullable {
  overflow: ColumnBuilder['overflow'];

  protected finish(refs: number, row: number, n: number): void {
    const i = this.range.kernels.finishSum(refs, n, this.source.lane, this.high, this.values + 8 * row);
    if (i < n) this.overflow ??= { row: row + i, value: this.integer(this.record(refs, i)) };
  }
}

/** Sums that come out as decimals, one by one. */
class DecimalSum extends Nullable {
  overflow: ColumnBuilder['overflow'];
  private readonly words: number;
  private readonly limit: bigint;

  constructor(source: Source, type: Extract<DataType, { kind: 'decimal' }>) {
    super(source, type.bits / 8);
    this.words = type.bits / 64;
    this.limit = 10n ** BigInt(type.precision);
  }

  protected finish(refs: number, row: number, n: number): void {
    const size = 8 * this.words;
    const view = new DataView(this.range.memory.bytes.buffer, this.values + size * row, size * n);
    for (let i = 0; i < n; i++) {
      const record = this.record(refs, i);
      const sum = this.integer(record);
      if (sum >= this.limit || sum <= -this.limit) this.overflow ??= { row: row + i, value: sum };
      for (let word = 0; word < this.words; word++) {
        view.setBigUint64(size * i + 8 * word, BigInt.asUintN(64, sum >> BigInt(64 * word)), true);
      }
    }
  }
}

class Mean extends Nullable {
  protected finish(refs: number, row: number, n: number): void {
    const { kernels, memory, words: open } = this.range;
    const { lane, rows, nulls, state } = this.source;
    const out = this.values + 8 * row;
    const unsigned = state === 'sumUnsigned' ? 1 : 0;
    const count = kernels.finishMean(refs, n, lane, this.high, unsigned, rows, nulls, out, open);
    for (let i = 0; i < count; i++) {
      const group = memory.words[open / 4 + i];
      const record = this.record(refs, group);
      memory.setFloat64(out + 8 * group, roundQuotient(this.integer(record), this.valuesIn(record)));
    }
  }
}

/** Means of decimals, one by one: the scale is part of the quotient. */
class DecimalMean extends Nullable {
  protected finish(refs: number, row: number, n: number): void {
    const { input } = this.source.output;
    const scale = input.kind === 'decimal' ? input.scale : 0;
    const up = 10n ** BigInt(Math.max(0, -scale));
    const down = 10n ** BigInt(Math.max(0, scale));
    for (let i = 0; i < n; i++) {
      const record = this.record(refs, i);
      const values = this.valuesIn(record);
      const mean = values === 0n ? 0 : roundQuotient(this.integer(record) * up, values * down);
      this.range.memory.setFloat64(this.values + 8 * (row + i), mean);
    }
  }
}

class FloatSum extends Nullable {
  protected finish(refs: number, row: number, n: number): void {
    const { kernels, program } = this.range;
    const { lane, grid } = this.source;
    kernels.finishFloatSum(refs, n, lane, grid, program.grids, this.values + 8 * row);
  }
}

class FloatMean extends Nullable {
  protected finish(refs: number, row: number, n: number): void {
    const { kernels, memory, program, words: open } = this.range;
    const { lane, rows, nulls, grid } = this.source;
    const out = this.values + 8 * row;
    const { grids } = program;
    const count = kernels.finishFloatMean(refs, n, lane, grid, grids, rows, nulls, out, open);
    for (let i = 0; i < count; i++) {
      const group = memory.words[open / 4 + i];
      const wide = kernels.wideIn(refs, group, grid, grids);
      const record = this.record(refs, group);
      const pair = [record.getFloat64(lane, true), record.getFloat64(lane + 8, true)];
      memory.setFloat64(out + 8 * group, exactMean(memory, wide, pair, this.valuesIn(record)));
    }
  }
}
