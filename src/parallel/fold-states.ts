import type { Block } from './block.js';
import { KeptFold } from './fold-kept.js';
import { MomentFold } from './fold-moments.js';
import { FLUSH_ROWS, type Grid, greatestOf, sharedGrid } from './grid.js';
import { BLOCK, WIDES_NEAR } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { RowLog } from './log.js';
import type { KernelMemory } from './memory.js';
import type { Program, StateProgram } from './program.js';
import { flipOf, STATES, type StateKind } from './states.js';
import type { GroupTable } from './table.js';

/** Sums that kernels add while they count rows; see count.ts among them. */
const FIRST_SUMS: readonly StateKind[] = ['sumNarrow', 'sumSigned', 'sumFloat'];

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
  private readonly near: number;
  private readonly grids: (Grid | undefined)[] = [];
  private readonly gridsAt: number;
  private readonly additions: number;

  /** A sum over all rows, which may be added while rows are counted. */
  private readonly first: StateProgram | undefined;

  /** `gridsAt` and `additions` are as in FoldInput. */
  constructor(
    memory: KernelMemory,
    kernels: Kernels,
    program: Program,
    table: GroupTable,
    log: RowLog,
    gridsAt: number,
    additions: number,
  ) {
    this.memory = memory;
    this.kernels = kernels;
    this.program = program;
    this.table = table;
    this.due = memory.allocate(4 * (BLOCK + 1));
    const sums = program.states.filter(({ kind, filter }) => filter < 0 && FIRST_SUMS.includes(kind));
    // where floats are summed no other sum can be: counts have to be watched for groups that are due to be flushed
    this.first = sums.find(({ kind }) => kind === 'sumFloat') ?? sums[0];
    this.kept = new KeptFold(kernels, program, table);
    this.moments = new MomentFold(memory, kernels, program, table, log, gridsAt);
    this.restricted = memory.allocate(4 * BLOCK);
    this.near = memory.allocate(8 * WIDES_NEAR);
    this.gridsAt = gridsAt;
    this.additions = additions;
  }

  /** Rows after which a group is due to be flushed; 0: never. */
  private get period(): number {
    return this.program.grids > 0 ? FLUSH_ROWS : 0;
  }

  /** `kept` are bits of the rows that each of the program's filters keeps. */
  fold(block: Block, offsets: number, kept: readonly number[]): void {
    const { words } = this.memory;
    words[this.due / 4] = 0;
    const added = this.countWithSum(block, offsets) ? this.first : undefined;
    if (added === undefined) this.kernels.countRows(this.table.at, offsets, block.n, this.period, this.due);
    let filter = -1;
    let restricted = offsets;
    for (const state of this.program.states) {
      if (state === added) continue;
      if (state.filter !== filter) {
        filter = state.filter;
        restricted = filter < 0 ? offsets : this.restrict(offsets, kept[filter], block.n);
      }
      this.foldState(state, block, restricted);
    }
    const due = words[this.due / 4];
    if (due > 0) this.flush(due);
  }

  /** Counts rows and adds the first sum at once; false where that cannot be, and nothing was done. */
  private countWithSum(block: Block, offsets: number): boolean {
    const { kernels, table, first, due, period } = this;
    if (first === undefined || block.validity[first.column] !== 0) return false;
    const { kind, column, lane, grid } = first;
    const { n } = block;
    if (kind === 'sumFloat') {
      const values = block.values(column);
      const { sigma, low, high } = this.grid(grid, values, n);
      return kernels.countFloat(table.at, lane, offsets, values, n, sigma, low, high, period, due) !== 0;
    }
    if (period !== 0) return false;
    const { storage } = this.program.columns[column];
    if (kind === 'sumSigned') kernels.countSigned(table.at, lane, offsets, block.values(column), n);
    else if (storage.shape !== 'number' || storage.width === 0) return false;
    else kernels.countNarrow(table.at, lane, offsets, storage.kind, block.source[column], n);
    return true;
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
      case 'sumNarrow': {
        const { kind, at } = block.integers(column);
        kernels.sumNarrow(lane, offsets, kind, at, n);
        return;
      }
      case 'sumSigned':
        kernels.sumSigned(lane, offsets, block.values(column), n);
        return;
      case 'sumUnsigned':
        kernels.sumUnsigned(lane, offsets, block.values(column), n);
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
        this.sumFloat(state, block.values(column), offsets, n);
        return;
      case 'max':
      case 'min': {
        const { kind, at } = block.ordered(column);
        const flip = flipOf(state.kind);
        kernels.maxWord(lane, offsets, kind, at, flip, block.validity[column], block.bit[column], n);
        return;
      }
      case 'top':
      case 'bottom':
        kernels.keepBest(
          lane,
          offsets,
          block.encoded[column],
          flipOf(state.kind),
          block.validity[column],
          block.bit[column],
          state.most,
          n,
        );
        return;
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
        this.near,
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
