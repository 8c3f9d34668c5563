import type { Block } from './block.js';
import { BLOCK } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';
import { RowTest } from './row-test.js';

/** The rows of each block on which the query's conditions are true. */
export class Selection {
  /** Of each of the program's filters, the address of the bits (see bits.ts among the kernels) of the rows that it keeps. */
  readonly kept: readonly number[];
  private readonly kernels: Kernels;
  private readonly tests: readonly RowTest[];
  private readonly where: boolean;
  private readonly picks: number;

  constructor(
    memory: KernelMemory,
    kernels: Kernels,
    program: Pick<Program, 'columns' | 'filters' | 'where'>,
  ) {
    this.kernels = kernels;
    this.tests = program.filters.map((filter) => new RowTest(memory, kernels, program, filter));
    this.kept = this.tests.map(({ bits }) => bits);
    this.where = program.where;
    this.picks = memory.allocate(4 * BLOCK);
  }

  /** Tests a block's rows, and leaves in it those that `where` keeps. */
  take(block: Block): void {
    const { kernels, picks } = this;
    const { n } = block;
    for (const test of this.tests) test.run(block);
    if (!this.where) return;
    const [where, ...others] = this.kept;
    const count = kernels.listBits(where, n, picks);
    if (count === n) return;
    // a row's bit moves down only, so that none is overwritten before it is read
    for (const bits of others) kernels.pickBits(bits, 0, picks, count, bits);
    block.keep(picks, count);
  }
}
