import { evaluator, type Readable } from '../core/evaluate.js';
import { BLOCK } from './kernels/layout.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';

/** Rows of a block that a condition keeps: their numbers in the block, ascending, u32 each at `at`. */
export interface Picks {
  readonly at: number;
  count: number;
}

/** The rows of each block on which the query's conditions are true. */
export class Selection {
  readonly picks: readonly Picks[];
  private readonly memory: KernelMemory;
  private readonly program: Program;
  private tests: ((row: number) => boolean | null)[] = [];

  constructor(memory: KernelMemory, program: Program) {
    this.memory = memory;
    this.program = program;
    this.picks = program.filters.map(() => ({ at: memory.allocate(4 * BLOCK), count: 0 }));
  }

  /** Takes the columns of a morsel, rows counted from the beginning of the columns. */
  begin(columns: readonly Readable[]): void {
    this.tests = this.program.filters.map((condition) => evaluator(condition, columns));
  }

  /** Tests `n` rows from `row` on. */
  load(row: number, n: number): void {
    const { words } = this.memory;
    this.picks.forEach((picks, f) => {
      const test = this.tests[f];
      let at = picks.at / 4;
      for (let i = 0; i < n; i++) if (test(row + i) === true) words[at++] = i;
      picks.count = at - picks.at / 4;
    });
  }
}
