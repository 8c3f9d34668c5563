import { unitsOf } from '../core/exact.js';
import {
  type Moments,
  momentUnit,
  roundCorrelation,
  roundCovariance,
  roundDeviation,
  roundVariance,
} from '../core/moments.js';
import type { DataType } from '../core/type.js';
import { type ColumnBuilder, countsOf, type Range } from './builder.js';
import { exponentAt, UNIT_BITS } from './grid.js';
import { type HeldMoments, narrowMoments, wideMoments } from './held-moments.js';
import {
  BLOCK,
  MOMENT_REST,
  PAIR_REST,
  PRODUCT_REST,
  REF_RECORD,
  REF_SIZE,
  SPREAD_ROOM,
} from './kernels/layout.js';
import { NumberColumn } from './number-column.js';
import type { OutputProgram } from './program.js';
import type { StateKind } from './states.js';
import { storageOf } from './storage.js';
import { rawValue, valueOfEntry, valueOfWord } from './word-value.js';

/** The column of `variance`, `stddev`, `covariance` or `correlation`. */
export function spreadColumn(range: Range, output: OutputProgram): ColumnBuilder {
  return new Spread(range, output);
}

/** One column that is aggregated. */
interface Side {
  readonly input: DataType;
  /** Index into the program's gathers of values that are not in the state; -1: there are none. */
  readonly gather: number;
  /** log2 of the unit of the state. */
  readonly unit: number;
  /** log2 of the unit of what comes of it: that of all doubles, or 1. */
  readonly wanted: number;
}

class Spread extends NumberColumn {
  private readonly sides: readonly Side[];
  private readonly rows: number;
  private readonly missing: number;
  /** Offset of the state in a record; -1: all values are gathered. */
  private readonly state: number;
  /** Where in the state the rests of its limbs begin; 0: it is narrow and has none. */
  private readonly rest: number;
  private readonly open: number;
  private readonly room: number;

  constructor(
    range: Range,
    private readonly output: OutputProgram,
  ) {
    super(range, 8);
    const { program, layout, memory } = range;
    const lanes = 8 * layout.words;
    const { gathers, input, second, state } = output;
    const { rows, nulls } = countsOf(range, output);
    this.rows = rows;
    this.missing = nulls;
    this.state = state < 0 ? -1 : lanes + program.states[state].lane;
    const kind = state < 0 ? undefined : program.states[state].kind;
    this.rest = restOf(kind);
    this.sides = [input, ...(second === undefined ? [] : [second])].map((type, side): Side => {
      const scale = state < 0 ? -1 : program.states[state].scales[side];
      // where nobody has chosen a scale, no value came
      const step = scale < 0 ? 0 : (exponentAt(memory, range.grids, program.grids + scale) ?? 0);
      const unit = this.rest === 0 ? 0 : step - UNIT_BITS;
      return { input: type, gather: gathers[side] ?? -1, unit, wanted: type.kind === 'float' ? -1074 : 0 };
    });
    this.open = memory.allocate(4 * BLOCK);
    this.room = memory.allocate(SPREAD_ROOM + 8);
  }

  build(refs: number, row: number, n: number): void {
    const { kernels, memory } = this.range;
    const { population } = this.output;
    const validity = this.validity + row / 8;
    const least = population ? 1n : 2n;
    this.nulls += kernels.finishValidity(refs, n, this.rows, this.missing, least, validity);
    for (const i of this.leftOpen(refs, row, n, validity)) {
      const result = this.exactly(refs, row, i);
      const byte = validity + (i >> 3);
      const bit = 1 << (i & 7);
      const isValid = (memory.bytes[byte] & bit) !== 0;
      if (result !== undefined && !isValid) {
        memory.bytes[byte] |= bit;
        this.nulls -= 1;
      } else if (result === undefined && isValid) {
        memory.bytes[byte] &= ~bit;
        this.nulls += 1;
      }
      memory.setFloat64(this.values + 8 * (row + i), result ?? 0);
    }
  }

  /** Finishes what the kernels can, and lists the groups that they cannot: those too near the middle of two doubles, or whose values are not all in the state. */
  private leftOpen(refs: number, row: number, n: number, validity: number): Iterable<number> {
    const { kernels, memory } = this.range;
    const { sides, output, open, room, rows, missing } = this;
    if (this.state < 0 || sides.some(({ input }) => input.kind === 'decimal')) return Array(n).keys();
    const out = this.values + 8 * row;
    const scale = sides.length === 1 ? sides[0].unit : sides[0].unit + sides[1].unit;
    let count: number;
    if (sides.length === 1) {
      count = kernels.finishVariance(
        refs,
        n,
        this.state,
        rows,
        missing,
        this.rest,
        output.population ? 1 : 0,
        output.root ? 1 : 0,
        scale,
        out,
        open,
        room,
      );
    } else {
      count = kernels.finishCovariance(
        refs,
        n,
        this.state,
        rows,
        missing,
        this.rest,
        output.correlation ? 1 : 0,
        scale,
        out,
        open,
        room,
        validity,
        room + SPREAD_ROOM,
      );
      this.nulls += memory.words[(room + SPREAD_ROOM) / 4];
    }
    const left = new Set(memory.words.slice(open / 4, open / 4 + count));
    const { gather } = sides[0];
    if (gather < 0) return left;
    const { starts, count: gathered } = this.range.gathered.of(gather);
    if (gathered === 0) return left;
    for (let i = 0; i < n; i++) {
      const at = starts / 4 + row + i;
      if (memory.words[at] !== memory.words[at + 1]) left.add(i);
    }
    return left;
  }

  /** The exact result of a group, rounded once; undefined where there is none. */
  private exactly(refs: number, row: number, i: number): number | undefined {
    const { memory } = this.range;
    const { output, sides } = this;
    const record = new DataView(memory.bytes.buffer, memory.words[(refs + REF_SIZE * i + REF_RECORD) / 4]);
    const count = record.getBigUint64(this.rows, true) - record.getBigUint64(this.missing, true);
    if (count < (output.population ? 1n : 2n)) return undefined;
    const values = sides.map((side) => this.valuesOf(side, row + i));
    if (values.some((side) => side.includes(undefined))) return Number.NaN;
    const units = sides.map((side) => momentUnit(side.input));
    const held = this.held(record);
    const moments = sides.map(
      ({ unit, wanted }, s): Moments => ({
        count,
        sum: (values[s] as bigint[]).reduce((sum, x) => sum + x, shifted(held.sums[s], unit - wanted)),
        squares: (values[s] as bigint[]).reduce(
          (sum, x) => sum + x * x,
          shifted(held.squares[s], 2 * (unit - wanted)),
        ),
        unit: units[s],
      }),
    );
    const [x, y] = moments;
    if (y === undefined) return (output.root ? roundDeviation : roundVariance)(x, output.population);
    const up = sides.reduce((sum, { unit, wanted }) => sum + unit - wanted, 0);
    const [xs, ys] = values as bigint[][];
    const products = xs.reduce((sum, value, v) => sum + value * ys[v], shifted(held.products, up));
    const pairs = { x, y, products };
    return output.correlation ? roundCorrelation(pairs) : roundCovariance(pairs);
  }

  /** The sums that a record holds, in units of the state; 0 where there is none. */
  private held(record: DataView): HeldMoments {
    const { state, rest, sides } = this;
    if (state < 0) return { sums: sides.map(() => 0n), squares: sides.map(() => 0n), products: 0n };
    const paired = sides.length === 2;
    return rest === 0 ? narrowMoments(record, state, paired) : wideMoments(record, state, rest, paired);
  }

  /** The gathered values of a group in units of their type; undefined for one that is not finite. */
  private valuesOf({ gather, input }: Side, group: number): (bigint | undefined)[] {
    if (gather < 0) return [];
    const { memory, gathered } = this.range;
    const { words, starts } = gathered.of(gather);
    const { form } = this.range.program.gathers[gather];
    const [from, to] = memory.words.subarray(starts / 4 + group, starts / 4 + group + 2);
    const storage = storageOf(input);
    const view = new DataView(memory.bytes.buffer);
    return Array.from({ length: to - from }, (_, i) => {
      const at = words + 8 * (from + i);
      if (storage.shape === 'bytes') return valueOfEntry(memory, memory.words[at / 4]);
      const value =
        form === 'raw'
          ? rawValue(storage.kind, view, at)
          : valueOfWord(storage.kind, view.getBigUint64(at, true));
      if (typeof value === 'bigint') return value;
      return Number.isFinite(value) ? unitsOf(value) : undefined;
    });
  }
}

function restOf(kind: StateKind | undefined): number {
  if (kind === 'moments') return MOMENT_REST;
  if (kind === 'pairs') return PAIR_REST;
  return kind === 'products' ? PRODUCT_REST : 0;
}

/** value * 2^up, which is whole. */
function shifted(value: bigint, up: number): bigint {
  return up >= 0 ? value << BigInt(up) : value >> BigInt(-up);
}
