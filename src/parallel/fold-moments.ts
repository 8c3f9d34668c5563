import type { Block } from './block.js';
import { chooseStep, greatestOf, sharedExponent, UNIT_BITS } from './grid.js';
import { BLOCK, LIMB_ROWS, MOMENT_SIGNED, MOMENT_UNSIGNED, TABLE_UNSETTLED } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { RowLog } from './log.js';
import type { KernelMemory } from './memory.js';
import { formOf } from './moment-form.js';
import type { Program, StateProgram } from './program.js';
import type { StateKind } from './states.js';
import type { GroupTable } from './table.js';

/** A column of a block: its values in steps; for those that are no whole number of them as they are, their form, and log2 of the unit above -1074. */
interface Taken {
  readonly steps: number;
  readonly apart: readonly [values: number, form: number, unit: number];
}

/** Whether a state is held in limbs; see carries.ts among the kernels. */
function isLimbed(kind: StateKind): boolean {
  return kind === 'moments' || kind === 'pairs' || kind === 'products';
}

/** Adds to the moments of columns and pairs of columns; what does not fit their scale goes to the log. */
export class MomentFold {
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly program: Program;
  private readonly table: GroupTable;
  private readonly log: RowLog;
  private readonly gridsAt: number;
  /** Room for a list of a block's rows, for values in steps, for the values of pairs, and for the bits of rows that have both. */
  private readonly listed: number;
  private readonly steps: readonly number[];
  private readonly sides: readonly number[];
  private readonly both: number;
  private readonly room: number;

  constructor(
    memory: KernelMemory,
    kernels: Kernels,
    program: Program,
    table: GroupTable,
    log: RowLog,
    gridsAt: number,
  ) {
    this.memory = memory;
    this.kernels = kernels;
    this.program = program;
    this.table = table;
    this.log = log;
    this.gridsAt = gridsAt;
    const paired = program.states.some(({ kind }) => kind === 'pairNulls');
    const added = program.states.some(({ kind }) => isLimbed(kind));
    this.listed = added ? memory.allocate(4 * BLOCK) : 0;
    this.steps = added ? [memory.allocate(8 * BLOCK), memory.allocate(8 * BLOCK)] : [];
    this.sides = paired ? [memory.allocate(8 * BLOCK), memory.allocate(8 * BLOCK)] : [];
    this.both = paired ? memory.allocate(BLOCK / 8) : 0;
    this.room = paired ? memory.allocate(BLOCK / 8) : 0;
  }

  fold(state: StateProgram, block: Block, offsets: number): void {
    const { kernels, table } = this;
    const { kind, column: x, second: y } = state;
    const { n } = block;
    const lane = table.lane(state.lane);
    const values = y < 0 ? [block.values(x)] : this.pairsOf(block, x, y);
    if (kind === 'narrowMoments') {
      kernels.addNarrow(lane, offsets, values[0], n);
      return;
    }
    if (kind === 'narrowPairs') {
      kernels.addNarrowPairs(lane, offsets, values[0], values[1], n);
      return;
    }
    this.settleBefore(n);
    const [first, second] = values.map((at, side) => this.side(state, side, at, n));
    const { listed } = this;
    let count: number;
    if (second === undefined) {
      count = kernels.addMoments(lane, offsets, first.steps, n, listed);
      if (count > 0) count = kernels.addMomentsApart(lane, offsets, ...first.apart, listed, count);
    } else {
      const squares = kind === 'pairs' ? 1 : 0;
      count = kernels.addPairs(lane, offsets, first.steps, second.steps, squares, n, listed);
      if (count > 0) {
        const sides = [...first.apart, ...second.apart] as const;
        count = kernels.addPairsApart(lane, offsets, ...sides, squares, listed, count);
      }
    }
    if (count > 0) this.log.escape(state.escapes, block, offsets, listed, count);
  }

  /** Settles the limbs of all states where `n` rows more could be too many for them. A row is counted once a state. */
  private settleBefore(n: number): void {
    const { kernels, memory, program, table } = this;
    const unsettled = (table.at + TABLE_UNSETTLED) / 4;
    if (memory.words[unsettled] + n > LIMB_ROWS) {
      for (const { kind, lane } of program.states) {
        if (!isLimbed(kind)) continue;
        const squares = kind === 'products' ? 0 : 1;
        kernels.settleMoments(table.at, table.offset(lane), kind === 'moments' ? 0 : 1, squares);
      }
      memory.words[unsettled] = 0;
    }
    memory.words[unsettled] += n;
  }

  /** A column as the kernels take it. */
  private side(state: StateProgram, side: number, values: number, n: number): Taken {
    const { kernels } = this;
    const { storage } = this.program.columns[side === 0 ? state.column : state.second];
    if (storage.shape !== 'number') throw new TypeError('moments of values that have no word');
    const form = formOf(storage.kind);
    const scale = state.scales[side];
    if (form === MOMENT_SIGNED) return { steps: values, apart: [values, form, 0] };
    const steps = this.steps[side];
    if (form === MOMENT_UNSIGNED) {
      kernels.unsignedSteps(values, n, steps);
      return { steps, apart: [values, form, 0] };
    }
    const choose = (): number => chooseStep(greatestOf(this.memory, values, n));
    const step = sharedExponent(this.memory, this.gridsAt, this.program.grids + scale, choose);
    kernels.floatSteps(values, 2 ** step, n, steps);
    return { steps, apart: [values, form, step - UNIT_BITS + 1074] };
  }

  /** Both columns' values, 0 where either is null. */
  private pairsOf(block: Block, x: number, y: number): readonly number[] {
    const { kernels, memory, sides, both } = this;
    const { n } = block;
    if (!this.findBoth(block, x, y)) return [block.values(x), block.values(y)];
    [x, y].forEach((c, side) => {
      const values = block.values(c);
      memory.bytes.copyWithin(sides[side], values, values + 8 * n);
      kernels.zeroNulls(sides[side], both, 0, n);
    });
    return sides;
  }

  /** Counts rows on which either column is null. */
  countNulls(state: StateProgram, block: Block, offsets: number): void {
    if (!this.findBoth(block, state.column, state.second)) return;
    this.kernels.countNulls(this.table.lane(state.lane), offsets, this.both, 0, block.n);
  }

  /** Finds the rows that have both values; false where all have, and nothing was written. */
  private findBoth(block: Block, x: number, y: number): boolean {
    const [own, other] = [block.valid(x), block.valid(y)];
    if (own.at === 0 && other.at === 0) return false;
    this.kernels.bothValid(own.at, own.bit, other.at, other.bit, block.n, this.both, this.room);
    return true;
  }
}
