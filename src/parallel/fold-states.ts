import type { Block } from './block.js';
import { KeptFold } from './fold-kept.js';
import { MomentFold } from './fold-moments.js';
import { FLUSH_ROWS, type Grid, greatestOf, sharedGrid } from './grid.js';
import { BLOCK } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { RowLog } from './log.js';
import type { KernelMemory } from './memory.js';
import type { Program, StateProgram } from './program.js';
import { STATES } from './states.js';
import type { GroupTable } from './table.js';

const ALL_ONES = (1n << 64n) - 1n;

/** Updates the states of a block's groups, a state at a time; `offsets` are those of the groups' records, a row each. */
export class StateFold {
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly program: Program;
  private readonly table: GroupTable;
  private readonly due: number;
  private readonly kept: KeptFold;
  private readonly moments: MomentFold;
  /** Room for a block's record offsets. */
  private readonly restricted: number;
  private readonly grids: (Grid | undefined)[] = [];
  private readonly gridsAt: number;
  private readonly additions: number;

  /** `due` is room for a list as in table.ts among the kernels; `gridsAt` and `additions` as in FoldInput. */
  constructor(
    memory: KernelMemory,
    kernels: Kernels,
    program: Program,
    table: GroupTable,
    log: RowLog,
    due: number,
    gridsAt: number,
    additions: number,
  ) {
    this.memory = memory;
    this.kernels = kernels;
    this.program = program;
    this.table = table;
    this.due = due;
    this.kept = new KeptFold(kernels, program, table);
    this.moments = new MomentFold(memory, kernels, program, table, log, gridsAt);
    this.restricted = memory.allocate(4 * BLOCK);
    this.gridsAt = gridsAt;
    this.additions = additions;
  }

  /** Rows after which a group is due to be flushed; 0: never. */
  get period(): number {
    return this.program.grids > 0 ? FLUSH_ROWS : 0;
  }

  /** `kept` are bits of the rows that each of the program's filters keeps. */
  fold(block: Block, offsets: number, kept: readonly number[]): void {
    let filter = -1;
    let restricted = offsets;
    for (const state of this.program.states) {
      if (state.filter !== filter) {
        filter = state.filter;
        restricted = filter < 0 ? offsets : this.restrict(offsets, kept[filter], block.n);
      }
      this.foldState(state, block, restricted);
    }
    const due = this.memory.words[this.due / 4];
    if (due > 0) this.flush(due);
  }

  /** Record offsets of which the rows that a condition does not keep lead to the spare record. */
  private restrict(offsets: number, kept: number, n: number): number {
    this.kernels.restrictOffsets(offsets, kept, this.table.spare, n, this.restricted);
    return this.restricted;
  }

  private foldState(state: StateProgram, block: Block, offsets: number): void {
    const { kernels, table } = this;
    const { column } = state;
    const { n } = block;
    const lane = table.lane(state.lane);
    const values = block.wide[column];
    switch (state.kind) {
      case 'rows':
        kernels.countInto(lane, offsets, n);
        return;
      case 'nulls':
        if (block.validity[column] !== 0) {
          kernels.countNulls(lane, offsets, block.validity[column], block.bit[column], n);
        }
        return;
      case 'nullTexts':
        kernels.countZeros(lane, offsets, block.encoded[column], n);
        return;
      case 'sumNarrow':
        kernels.sumNarrow(lane, offsets, values, n);
        return;
      case 'sumSigned':
        kernels.sumSigned(lane, offsets, values, n);
        return;
      case 'sumUnsigned':
        kernels.sumUnsigned(lane, offsets, values, n);
        return;
      case 'sumWords2':
      case 'sumWords4': {
        const words = STATES[state.kind].bytes / 8 - 1;
        kernels.sumWords(
          lane,
          offsets,
          block.source[column],
          words,
          block.validity[column],
          block.bit[column],
          n,
        );
        return;
      }
      case 'sumFloat':
        this.sumFloat(state, values, offsets, n);
        return;
      case 'max':
      case 'min': {
        const flip = STATES[state.kind].flip ? ALL_ONES : 0n;
        kernels.maxWord(
          lane,
          offsets,
          block.encoded[column],
          flip,
          block.validity[column],
          block.bit[column],
          n,
        );
        return;
      }
      case 'maxText':
      case 'minText': {
        const pool = table.at + this.program.columns[column].pool;
        const least = STATES[state.kind].flip ? 1 : 0;
        kernels.maxText(lane, offsets, block.encoded[column], table.at, pool, least, n);
        return;
      }
      case 'pairNulls':
        this.moments.countNulls(state, block, offsets);
        return;
      case 'firstRow':
      case 'lastRow':
      case 'firstValue':
      case 'lastValue':
        this.kept.keepRow(state, block, offsets);
        return;
      case 'argMin':
      case 'argMax':
      case 'argMinText':
      case 'argMaxText':
        this.kept.keepBy(state, block, offsets);
        return;
      case 'moments':
      case 'pairs':
      case 'products':
      case 'narrowMoments':
      case 'narrowPairs':
        this.moments.fold(state, block, offsets);
        return;
      case 'ticket':
        return;
    }
  }

  private sumFloat(state: StateProgram, values: number, offsets: number, n: number): void {
    const { kernels, table } = this;
    const { sigma, low, high, fineSigma } = this.grid(state.grid, values, n);
    const lane = table.offset(state.lane);
    for (let done = 0; ; ) {
      const at = values + 8 * done;
      const o = offsets + 4 * done;
      done += kernels.sumFloat(
        table.at,
        lane,
        state.grid,
        this.program.grids,
        o,
        at,
        n - done,
        sigma,
        low,
        high,
        fineSigma,
      );
      if (done === n) return;
      table.growWide();
    }
  }

  private grid(index: number, values: number, n: number): Grid {
    const known = this.grids[index];
    if (known !== undefined) return known;
    const most = (): number => greatestOf(this.memory, values, n);
    const grid = sharedGrid(this.memory, this.gridsAt, index, this.additions, most);
    this.grids[index] = grid;
    return grid;
  }

  private flush(due: number): void {
    const { kernels, table, program } = this;
    for (const state of program.states) {
      if (state.kind !== 'sumFloat') continue;
      const offset = table.offset(state.lane);
      for (let done = 0; ; ) {
        const at = this.due + 4 + 4 * done;
        done += kernels.flushFloat(table.at, offset, state.grid, program.grids, at, due - done);
        if (done === due) break;
        table.growWide();
      }
    }
  }
}
