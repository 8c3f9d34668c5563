import { meanOf, roundQuotient } from '../core/exact.js';
import {
  FIELD_SIZE,
  KIND_BIT,
  REF_RECORD,
  REF_SIZE,
  WIDE_COUNT,
  WIDE_FLAGS,
  WIDE_LIMBS,
  WIDE_NAN,
  WIDE_NEGATIVE,
  WIDE_POSITIVE,
  WIDE_SIZE,
} from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import { type ColumnProgram, type OutputProgram, widthOf, zeroWord } from './program.js';
import type { BuildInput, BuildOutput, BuiltColumn } from './protocol.js';
import { STATES } from './states.js';
import { writeFields } from './table.js';

const ALL_ONES = (1n << 64n) - 1n;
const NAN_BITS = 0x7ff8000000000000n;

/**
 * Builds the output columns of one range and copies them out of kernel memory, once. Called once a range, in parallel;
 * reads the range's records (the pairs of float sums may move into their wide sums) and writes memory of its own.
 */
export function buildTask(
  memory: KernelMemory,
  kernels: Kernels,
  input: BuildInput,
  thread: number,
): BuildOutput {
  const begun = performance.now();
  const build = new Build(memory, kernels, input);
  const columns = [...build.keys(), ...build.outputs()];
  const { rows, partials, overflow } = build;
  return { rows, partials, thread, columns, overflow, milliseconds: performance.now() - begun };
}

class Build {
  readonly rows: number;
  readonly partials: number;
  overflow: BuildOutput['overflow'];
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly input: BuildInput;
  private readonly refs: number;
  /** Where the lanes begin in a record; the row count is the first. */
  private readonly lanes: number;
  private readonly words: number;
  private readonly values: number;
  private readonly validity: number;

  constructor(memory: KernelMemory, kernels: Kernels, input: BuildInput) {
    this.memory = memory;
    this.kernels = kernels;
    this.input = input;
    this.rows = input.pieces.reduce((sum, piece) => sum + piece.length, 0);
    this.refs = this.gather();
    this.partials = kernels.countPartials(this.refs, this.rows);
    this.lanes = 8 * input.layout.words;
    this.words = memory.allocate(8 * this.rows);
    this.values = memory.allocate(8 * this.rows);
    this.validity = memory.allocate((this.rows >> 3) + 8);
  }

  /** The range's refs in one run. */
  private gather(): number {
    const { pieces } = this.input;
    if (pieces.length === 1) return pieces[0].at;
    const refs = this.memory.allocate(REF_SIZE * this.rows);
    let to = refs;
    for (const { at, length } of pieces) {
      this.memory.bytes.copyWithin(to, at, at + REF_SIZE * length);
      to += REF_SIZE * length;
    }
    return refs;
  }

  keys(): BuiltColumn[] {
    const { memory, kernels, rows, refs, words, validity } = this;
    const { program, layout } = this.input;
    const fields = writeFields(memory, program.keys, layout);
    return program.keys.map(({ column, text }, k) => {
      const { kind, pool } = program.columns[column];
      const zero = text ? 0n : zeroWord(kind);
      const nulls = kernels.unpack(fields + k * FIELD_SIZE, refs, rows, zero, words, validity);
      if (text) return this.texts(kernels.keyTexts(refs, rows, words, pool, this.values));
      return this.decoded(kind, nulls);
    });
  }

  outputs(): BuiltColumn[] {
    return this.input.program.outputs.map((output, o) => {
      const { function: fn, column } = output;
      if (fn === 'count') return this.count(output);
      const source = this.input.program.columns[column];
      if (fn === 'min' || fn === 'max') return this.extreme(output, source);
      const nulls = this.nullGroups(output);
      if (fn === 'sum') this.sum(output, o);
      else this.mean(output);
      return this.column(8 * this.rows, nulls);
    });
  }

  private laneOf(state: number): number {
    return this.lanes + this.input.program.states[state].lane;
  }

  /** The lane of a column's counted nulls. */
  private nullsOf(output: OutputProgram): number {
    return output.nulls < 0 ? 0 : this.laneOf(output.nulls);
  }

  /** Writes which groups have a value; returns how many have none. */
  private nullGroups(output: OutputProgram): number {
    return this.kernels.finishValidity(this.refs, this.rows, this.lanes, this.nullsOf(output), this.validity);
  }

  private count(output: OutputProgram): BuiltColumn {
    this.kernels.finishCounts(this.refs, this.rows, this.lanes, this.nullsOf(output), this.values);
    return this.column(8 * this.rows, 0);
  }

  private extreme(output: OutputProgram, source: ColumnProgram): BuiltColumn {
    const { kernels, refs, rows } = this;
    const lane = this.laneOf(output.state);
    if (source.text) return this.texts(kernels.finishTexts(refs, rows, lane, source.pool, this.values));
    const nulls = this.nullGroups(output);
    const { kind } = this.input.program.states[output.state];
    const flip = STATES[kind].flip ? ALL_ONES : 0n;
    const zero = zeroWord(source.kind);
    kernels.finishWords(refs, rows, lane, this.lanes, this.nullsOf(output), flip, zero, this.words);
    return this.decoded(source.kind, nulls);
  }

  private sum(output: OutputProgram, o: number): void {
    const { kernels, refs, rows, values } = this;
    const lane = this.laneOf(output.state);
    const { kind } = this.input.program.states[output.state];
    if (kind === 'sumFloat') {
      kernels.finishFloatSum(refs, rows, lane, values);
      return;
    }
    const high = kind === 'sumNarrow' ? 0 : lane + 8;
    const row = kernels.finishSum(refs, rows, lane, high, values);
    if (row < rows && (this.overflow === undefined || row < this.overflow.row)) {
      this.overflow = { row, output: o, value: this.integer(row, lane, high, kind === 'sumUnsigned') };
    }
  }

  private mean(output: OutputProgram): void {
    const { kernels, memory, refs, rows, values } = this;
    const lane = this.laneOf(output.state);
    const nulls = this.nullsOf(output);
    const { kind } = this.input.program.states[output.state];
    const open = this.words;
    const high = kind === 'sumNarrow' || kind === 'sumFloat' ? 0 : lane + 8;
    const unsigned = kind === 'sumUnsigned';
    const count =
      kind === 'sumFloat'
        ? kernels.finishFloatMean(refs, rows, lane, this.lanes, nulls, values, open)
        : kernels.finishMean(refs, rows, lane, high, unsigned ? 1 : 0, this.lanes, nulls, values, open);
    const view = new DataView(memory.bytes.buffer);
    for (let i = 0; i < count; i++) {
      const row = memory.words[open / 4 + i];
      const n = this.valuesIn(row, nulls);
      if (kind === 'sumFloat') this.wideMean(view, row, lane, n);
      else view.setFloat64(values + 8 * row, roundQuotient(this.integer(row, lane, high, unsigned), n), true);
    }
  }

  private record(row: number): number {
    return this.memory.words[(this.refs + REF_SIZE * row + REF_RECORD) / 4];
  }

  private valuesIn(row: number, nulls: number): bigint {
    const view = new DataView(this.memory.bytes.buffer, this.record(row));
    const all = view.getBigUint64(this.lanes, true);
    return nulls === 0 ? all : all - view.getBigUint64(nulls, true);
  }

  private integer(row: number, low: number, high: number, unsigned: boolean): bigint {
    const view = new DataView(this.memory.bytes.buffer, this.record(row));
    if (high === 0) return view.getBigInt64(low, true);
    const bits = unsigned ? view.getBigUint64(low, true) : view.getBigInt64(low, true);
    return (view.getBigInt64(high, true) << 64n) + bits;
  }

  /** A mean in exact integers: of the pair and the wide sum of a group. */
  private wideMean(view: DataView, row: number, lane: number, n: bigint): void {
    const { kernels, memory } = this;
    const state = this.record(row) + lane;
    let wide = view.getUint32(state + 16, true);
    if (wide === 0) wide = memory.allocateZeroed(WIDE_SIZE);
    kernels.wideAdd(wide, view.getFloat64(state, true));
    kernels.wideAdd(wide, view.getFloat64(state + 8, true));
    view.setFloat64(state, 0, true);
    view.setFloat64(state + 8, 0, true);
    view.setUint32(state + 16, wide, true);
    const at = this.values + 8 * row;
    const flags = view.getUint32(wide + WIDE_FLAGS, true);
    if (flags === WIDE_POSITIVE) view.setFloat64(at, Number.POSITIVE_INFINITY, true);
    else if (flags === WIDE_NEGATIVE) view.setFloat64(at, Number.NEGATIVE_INFINITY, true);
    else if (flags >= WIDE_NAN) view.setBigUint64(at, NAN_BITS, true);
    else {
      let sum = 0n;
      for (let limb = WIDE_COUNT - 1; limb >= 0; limb--) {
        sum = (sum << 32n) + view.getBigInt64(wide + WIDE_LIMBS + 8 * limb, true);
      }
      view.setFloat64(at, meanOf({ n: sum, exponent: -1074 }, n), true);
    }
  }

  /** A column of the encoded words at `words`, with the validity at `validity`. */
  private decoded(kind: number, nulls: number): BuiltColumn {
    const { kernels, rows } = this;
    kernels.decode(kind, this.words, this.values, rows);
    return this.column(kind === KIND_BIT ? (rows + 7) >> 3 : widthOf(kind) * rows, nulls);
  }

  private column(size: number, nulls: number): BuiltColumn {
    const values = this.memory.copy(this.values, size);
    return nulls === 0 ? { values, nulls } : { values, nulls, validity: this.copyValidity() };
  }

  private copyValidity(): Uint8Array<ArrayBuffer> {
    return this.memory.copy(this.validity, (this.rows + 7) >> 3);
  }

  /** A text column of the entries at `values`, `size` bytes in all. */
  private texts(size: bigint): BuiltColumn {
    const { kernels, memory, rows } = this;
    if (size > 0x7fffffffn) {
      throw new RangeError(`text of one range: got ${size} bytes, wanted at most ${0x7fffffff}`);
    }
    const bytes = memory.allocate(Number(size));
    const offsets = memory.allocate(4 * (rows + 1));
    const nulls = kernels.writeTexts(this.values, rows, offsets, bytes, this.validity);
    const column = {
      values: memory.copy(bytes, Number(size)),
      offsets: memory.copy(offsets, 4 * (rows + 1)),
      nulls,
    };
    return nulls === 0 ? column : { ...column, validity: this.copyValidity() };
  }
}
