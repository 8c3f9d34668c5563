import type { Block } from './block.js';
import { ColumnTest } from './column-test.js';
import type { Filter } from './filter.js';
import { BLOCK } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';

/** Finds the rows of a block that a filter keeps. */
export class RowTest {
  /** Address of their bits; see bits.ts among the kernels. */
  readonly bits: number;
  private readonly kernels: Kernels;
  private readonly test: ColumnTest | undefined;
  private readonly parts: readonly RowTest[];
  /** Of parts: a row is kept that one of them keeps; else that all do. */
  private readonly either: boolean;

  constructor(memory: KernelMemory, kernels: Kernels, program: Pick<Program, 'columns'>, filter: Filter) {
    this.kernels = kernels;
    const joins = filter.kind === 'all' || filter.kind === 'any';
    this.either = filter.kind === 'any';
    this.test = joins ? undefined : new ColumnTest(memory, kernels, program.columns[filter.column], filter);
    this.parts = joins ? filter.parts.map((part) => new RowTest(memory, kernels, program, part)) : [];
    this.bits = this.parts[0]?.bits ?? memory.allocate(BLOCK / 8);
  }

  run(block: Block): void {
    const { kernels, bits, parts, either } = this;
    if (this.test !== undefined) this.test.run(block, bits);
    else if (parts.length === 0) kernels.copyBits(0, 0, either ? 1 : 0, bits, block.n);
    for (const part of parts) part.run(block);
    for (const part of parts.slice(1)) kernels.joinBits(bits, part.bits, either ? 1 : 0, block.n);
  }
}
