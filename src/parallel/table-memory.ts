import { FREE, TABLE_ARENA } from './kernels/layout.js';
import type { KernelMemory } from './memory.js';

/**
 * Memory of one worker's table. Blocks are powers of two, and a block given back is kept for the worker: tables grow by
 * doubling, so what one array outgrew the next can use. The lists stand in the table's own header, because a later task
 * of the same table may run on another thread.
 */
export class TableMemory {
  /** Where its blocks come from. What is cut off here lasts until the table is spilled. */
  readonly memory: KernelMemory;
  private readonly lists: number;

  constructor(memory: KernelMemory, table: number) {
    const arena = memory.words[(table + TABLE_ARENA) / 4];
    this.memory = arena === 0 ? memory : memory.arena(arena);
    this.lists = (table + FREE) / 4;
  }

  allocate(size: number): number {
    const power = powerFor(size);
    if (power > 31) return this.memory.allocate(size);
    const { words } = this.memory;
    const head = words[this.lists + power];
    if (head === 0) return this.memory.allocate(2 ** power);
    words[this.lists + power] = words[head / 4];
    return head;
  }

  free(at: number, size: number): void {
    if (at === 0) return;
    const power = powerFor(size);
    const { words } = this.memory;
    words[at / 4] = words[this.lists + power];
    words[this.lists + power] = at;
  }
}

/** Bytes that a block of a table's memory takes. */
export function blockSize(size: number): number {
  return 2 ** powerFor(size);
}

function powerFor(size: number): number {
  return Math.max(6, Math.ceil(Math.log2(Math.max(1, size))));
}
