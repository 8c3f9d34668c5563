import { roundQuotient } from '../core/exact.js';
import { BLOCK, FIELD_SIZE, KIND_BIT, REF_RECORD } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { Layout } from './layout.js';
import type { KernelMemory } from './memory.js';
import { type OutputProgram, type Program, widthOf, zeroWord } from './program.js';
import type { BuiltColumn } from './protocol.js';
import type { StateKind } from './states.js';
import { STATES } from './states.js';
import { exactMean } from './wide-mean.js';

/** The range that columns are built for. Addresses are in kernel memory. */
export interface Range {
  readonly memory: KernelMemory;
  readonly kernels: Kernels;
  readonly program: Program;
  readonly layout: Layout;
  readonly fields: number;
  /** Room for a block of words, which every column uses in turn. */
  readonly words: number;
  readonly rows: number;
}

/** An output column on its way: built a block of groups at a time, then copied out. */
export interface ColumnBuilder {
  /** Builds rows row..row + n from the groups at `refs`. `row` is a multiple of BLOCK. */
  build(refs: number, row: number, n: number): void;
  copy(): BuiltColumn;
  /** The first row whose value does not fit the column. */
  readonly overflow?: { readonly row: number; readonly value: bigint } | undefined;
}

const ALL_ONES = (1n << 64n) - 1n;

/** A column of numbers or bits. */
abstract class NumberColumn implements ColumnBuilder {
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

/** A column of texts: the blocks find the entries, the bytes follow at the end. */
abstract class TextColumn implements ColumnBuilder {
  protected readonly range: Range;
  protected readonly entries: number;
  private size = 0n;

  constructor(range: Range) {
    this.range = range;
    this.entries = range.memory.allocate(4 * range.rows);
  }

  build(refs: number, row: number, n: number): void {
    this.size += this.find(refs, n, this.entries + 4 * row);
    if (this.size > 0x7fffffffn) {
      throw new RangeError(`text of one range: got ${this.size} bytes, wanted at most ${0x7fffffff}`);
    }
  }

  /** Writes the entries of a block; returns the bytes of their texts. */
  protected abstract find(refs: number, n: number, entries: number): bigint;

  copy(): BuiltColumn {
    const { memory, kernels, rows } = this.range;
    const size = Number(this.size);
    const bytes = memory.allocate(size);
    const offsets = memory.allocate(4 * (rows + 1));
    const validity = memory.allocate((rows >> 3) + 8);
    const nulls = kernels.writeTexts(this.entries, rows, offsets, bytes, validity);
    const column = { values: memory.copy(bytes, size), offsets: memory.copy(offsets, 4 * (rows + 1)), nulls };
    return nulls === 0 ? column : { ...column, validity: memory.copy(validity, (rows + 7) >> 3) };
  }
}

export function keyColumn(range: Range, k: number): ColumnBuilder {
  return range.program.keys[k].text ? new TextKey(range, k) : new NumberKey(range, k);
}

class NumberKey extends NumberColumn {
  private readonly field: number;
  private readonly kind: number;

  constructor(range: Range, k: number) {
    const { kind } = range.program.columns[range.program.keys[k].column];
    super(range, widthOf(kind));
    this.kind = kind;
    this.field = range.fields + k * FIELD_SIZE;
  }

  build(refs: number, row: number, n: number): void {
    const { kernels, words } = this.range;
    this.nulls += kernels.unpack(this.field, refs, n, zeroWord(this.kind), words, this.validity + row / 8);
    kernels.decode(this.kind, words, this.values + bytesOf(this.kind, row), n);
  }
}

class TextKey extends TextColumn {
  private readonly field: number;
  private readonly pool: number;
  private readonly validity: number;

  constructor(range: Range, k: number) {
    super(range);
    this.field = range.fields + k * FIELD_SIZE;
    this.pool = range.program.columns[range.program.keys[k].column].pool;
    this.validity = range.memory.allocate(BLOCK / 8);
  }

  protected find(refs: number, n: number, entries: number): bigint {
    const { kernels, words } = this.range;
    kernels.unpack(this.field, refs, n, 0n, words, this.validity);
    return kernels.keyTexts(refs, n, words, this.pool, entries);
  }
}

export function outputColumn(range: Range, output: OutputProgram): ColumnBuilder {
  const { program, layout } = range;
  const rows = 8 * layout.words;
  const lanes = {
    rows,
    nulls: output.nulls < 0 ? 0 : rows + program.states[output.nulls].lane,
    lane: output.state < 0 ? 0 : rows + program.states[output.state].lane,
  };
  if (output.state < 0) return new Counts(range, lanes);
  const { kind, column, grid } = program.states[output.state];
  switch (output.function) {
    case 'min':
    case 'max':
      return program.columns[column].text
        ? new TextExtreme(range, lanes, program.columns[column].pool)
        : new Extreme(range, lanes, program.columns[column].kind, kind);
    case 'sum':
      return kind === 'sumFloat' ? new FloatSum(range, lanes, grid) : new Sum(range, lanes, kind);
    default:
      return kind === 'sumFloat' ? new FloatMean(range, lanes, grid) : new Mean(range, lanes, kind);
  }
}

/** Offsets in a record: the row count, the counted nulls (0: none are counted), the state. */
interface Lanes {
  readonly rows: number;
  readonly nulls: number;
  readonly lane: number;
}

class Counts extends NumberColumn {
  constructor(
    range: Range,
    private readonly lanes: Lanes,
  ) {
    super(range, 8);
  }

  build(refs: number, row: number, n: number): void {
    this.range.kernels.finishCounts(refs, n, this.lanes.rows, this.lanes.nulls, this.values + 8 * row);
  }
}

/** An aggregate that is null where a group has no value. */
abstract class Nullable extends NumberColumn {
  constructor(
    range: Range,
    protected readonly lanes: Lanes,
    width = 8,
  ) {
    super(range, width);
  }

  build(refs: number, row: number, n: number): void {
    const { rows, nulls } = this.lanes;
    this.nulls += this.range.kernels.finishValidity(refs, n, rows, nulls, this.validity + row / 8);
    this.finish(refs, row, n);
  }

  protected abstract finish(refs: number, row: number, n: number): void;

  /** The record of a group. */
  protected record(refs: number, i: number): DataView {
    const { memory } = this.range;
    return new DataView(memory.bytes.buffer, memory.words[(refs + 16 * i + REF_RECORD) / 4]);
  }

  protected valuesIn(record: DataView): bigint {
    const { rows, nulls } = this.lanes;
    const all = record.getBigUint64(rows, true);
    return nulls === 0 ? all : all - record.getBigUint64(nulls, true);
  }
}

class Extreme extends Nullable {
  private readonly flip: bigint;

  constructor(
    range: Range,
    lanes: Lanes,
    private readonly kind: number,
    state: StateKind,
  ) {
    super(range, lanes, widthOf(kind));
    this.flip = STATES[state].flip ? ALL_ONES : 0n;
  }

  protected finish(refs: number, row: number, n: number): void {
    const { kernels, words } = this.range;
    const { lane, rows, nulls } = this.lanes;
    kernels.finishWords(refs, n, lane, rows, nulls, this.flip, zeroWord(this.kind), words);
    kernels.decode(this.kind, words, this.values + bytesOf(this.kind, row), n);
  }
}

class TextExtreme extends TextColumn {
  constructor(
    range: Range,
    private readonly lanes: Lanes,
    private readonly pool: number,
  ) {
    super(range);
  }

  protected find(refs: number, n: number, entries: number): bigint {
    return this.range.kernels.finishTexts(refs, n, this.lanes.lane, this.pool, entries);
  }
}

/** Integer sums, and what their means have in common with them. */
abstract class IntegerColumn extends Nullable {
  protected readonly high: number;
  protected readonly unsigned: boolean;

  constructor(range: Range, lanes: Lanes, kind: StateKind) {
    super(range, lanes);
    this.high = kind === 'sumNarrow' ? 0 : lanes.lane + 8;
    this.unsigned = kind === 'sumUnsigned';
  }

  protected integer(record: DataView): bigint {
    const { lane } = this.lanes;
    if (this.high === 0) return record.getBigInt64(lane, true);
    const low = this.unsigned ? record.getBigUint64(lane, true) : record.getBigInt64(lane, true);
    return (record.getBigInt64(this.high, true) << 64n) + low;
  }
}

class Sum extends IntegerColumn {
  overflow: ColumnBuilder['overflow'];

  protected finish(refs: number, row: number, n: number): void {
    const i = this.range.kernels.finishSum(refs, n, this.lanes.lane, this.high, this.values + 8 * row);
    if (i < n) this.overflow ??= { row: row + i, value: this.integer(this.record(refs, i)) };
  }
}

class Mean extends IntegerColumn {
  protected finish(refs: number, row: number, n: number): void {
    const { kernels, memory, words: open } = this.range;
    const { lane, rows, nulls } = this.lanes;
    const out = this.values + 8 * row;
    const count = kernels.finishMean(refs, n, lane, this.high, this.unsigned ? 1 : 0, rows, nulls, out, open);
    for (let i = 0; i < count; i++) {
      const group = memory.words[open / 4 + i];
      const record = this.record(refs, group);
      memory.setFloat64(out + 8 * group, roundQuotient(this.integer(record), this.valuesIn(record)));
    }
  }
}

class FloatSum extends Nullable {
  constructor(
    range: Range,
    lanes: Lanes,
    private readonly grid: number,
  ) {
    super(range, lanes);
  }

  protected finish(refs: number, row: number, n: number): void {
    const { kernels, program } = this.range;
    kernels.finishFloatSum(refs, n, this.lanes.lane, this.grid, program.grids, this.values + 8 * row);
  }
}

class FloatMean extends Nullable {
  constructor(
    range: Range,
    lanes: Lanes,
    private readonly grid: number,
  ) {
    super(range, lanes);
  }

  protected finish(refs: number, row: number, n: number): void {
    const { kernels, memory, program, words: open } = this.range;
    const { lane, rows, nulls } = this.lanes;
    const out = this.values + 8 * row;
    const { grids } = program;
    const count = kernels.finishFloatMean(refs, n, lane, this.grid, grids, rows, nulls, out, open);
    for (let i = 0; i < count; i++) {
      const group = memory.words[open / 4 + i];
      const wide = kernels.wideIn(refs, group, this.grid, grids);
      const record = this.record(refs, group);
      const pair = [record.getFloat64(lane, true), record.getFloat64(lane + 8, true)];
      memory.setFloat64(out + 8 * group, exactMean(memory, wide, pair, this.valuesIn(record)));
    }
  }
}

function bytesOf(kind: number, rows: number): number {
  return kind === KIND_BIT ? rows / 8 : widthOf(kind) * rows;
}
