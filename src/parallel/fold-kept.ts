import type { Block } from './block.js';
import type { Kernels } from './kernels.js';
import type { Program, StateProgram } from './program.js';
import { flipOf, STATES } from './states.js';
import type { GroupTable } from './table.js';

/** Keeps what one row of each group has: the first or last, or that with the best value of another column. */
export class KeptFold {
  private readonly kernels: Kernels;
  private readonly program: Program;
  private readonly table: GroupTable;

  constructor(kernels: Kernels, program: Program, table: GroupTable) {
    this.kernels = kernels;
    this.program = program;
    this.table = table;
  }

  keepRow(state: StateProgram, block: Block, offsets: number): void {
    const { column, kind } = state;
    this.kernels.keepRow(
      this.table.lane(state.lane),
      offsets,
      block.exact[column],
      this.textTable(column),
      block.validity[column],
      block.bit[column],
      block.place,
      flipOf(kind),
      kind === 'firstValue' || kind === 'lastValue' ? 1 : 0,
      block.n,
    );
  }

  keepBy(state: StateProgram, block: Block, offsets: number): void {
    const { kernels, table, program } = this;
    const { column, second, kind } = state;
    const lane = table.lane(state.lane);
    const by = block.encoded[second];
    const kept = [
      block.exact[column],
      this.textTable(column),
      block.validity[column],
      block.bit[column],
      block.place,
      block.n,
    ] as const;
    if (kind === 'argMinText' || kind === 'argMaxText') {
      const pool = table.at + program.columns[second].pool;
      kernels.keepByText(lane, offsets, by, table.at, pool, STATES[kind].flip ? 1 : 0, ...kept);
    } else {
      kernels.keepBy(lane, offsets, by, block.validity[second], block.bit[second], flipOf(kind), ...kept);
    }
  }

  /** The table whose pool has a column's texts; 0 where its values are no texts. */
  private textTable(column: number): number {
    return this.program.columns[column].pool === 0 ? 0 : this.table.at;
  }
}
