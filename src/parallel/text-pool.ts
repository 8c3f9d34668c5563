import {
  BLOCK,
  ENTRY_BYTES,
  ENTRY_SIZE,
  POOL_COUNT,
  POOL_ENTRIES,
  POOL_HEAP,
  POOL_HEAP_END,
  POOL_LIMIT,
  POOL_MASK,
  POOL_SHIFT,
  POOL_SLOTS,
} from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { TableMemory } from './table-memory.js';

const FEWEST_TEXTS = 256;
/**
 * Texts up to which they are found faster in one pass than in passes behind loads of their own. (CPU of two workers, one pass and several: 10,000,000
 * rows of 100 texts 100 and 134 ms, of 100,000 450 and 347; 4,000,000 rows of 5,000 texts 78 and 82, of 20,000 123 and 104.)
 */
const NEAR_TEXTS = 8192;
const HEAP_BLOCK = 1 << 16;

/** The distinct texts of one column that one worker saw. */
export class TextPool {
  private readonly memory: KernelMemory;
  private readonly blocks: TableMemory;
  private readonly kernels: Kernels;
  private readonly at: number;
  private readonly need: number;
  private readonly missed: number;

  constructor(memory: KernelMemory, blocks: TableMemory, kernels: Kernels, at: number) {
    this.memory = memory;
    this.blocks = blocks;
    this.kernels = kernels;
    this.at = at;
    this.need = memory.allocate(4);
    this.missed = memory.allocate(4 * BLOCK);
    this.begin();
  }

  /** Makes a pool where there is none: in a table that is new, or was cleared. */
  begin(): void {
    if (this.get(POOL_ENTRIES) === 0) this.resize(FEWEST_TEXTS);
  }

  private get(field: number): number {
    return this.memory.words[(this.at + field) / 4];
  }

  private set(field: number, value: number): void {
    this.memory.words[(this.at + field) / 4] = value;
  }

  private resize(limit: number): void {
    const { memory, blocks } = this;
    const before = this.get(POOL_LIMIT);
    const old = this.get(POOL_ENTRIES);
    // both or none: where there is no room, what is there can still be spilled
    const entries = blocks.allocate(limit * ENTRY_SIZE);
    const slots = blocks.allocate(limit * 16);
    if (before > 0) {
      memory.bytes.copyWithin(entries, old, old + before * ENTRY_SIZE);
      blocks.free(old, before * ENTRY_SIZE);
      blocks.free(this.get(POOL_SLOTS), before * 16);
    }
    memory.bytes.fill(0, slots, slots + limit * 16);
    this.set(POOL_ENTRIES, entries);
    this.set(POOL_LIMIT, limit);
    this.set(POOL_SLOTS, slots);
    this.set(POOL_MASK, limit * 4 - 1);
    this.set(POOL_SHIFT, 63 - Math.log2(limit));
    if (before > 0) this.kernels.rehashPool(this.at);
  }

  /** The address of the bytes that a code stands for. */
  bytesOf(code: number): number {
    return this.memory.words[(this.get(POOL_ENTRIES) + ENTRY_SIZE * (code - 1) + ENTRY_BYTES) / 4];
  }

  /** Writes the code of each of `n` texts, where the spans at `spans` say (see Spans): id + 1, 0 for a null. */
  intern(spans: number, codes: number, n: number): void {
    for (let done = 0; done < n; ) {
      const here = Math.min(BLOCK, n - done);
      const found = this.find(spans + 8 * done, codes + 8 * done, here);
      done += found;
      if (found === here) continue;
      const need = this.memory.words[this.need / 4];
      if (need === 0) {
        this.resize(this.get(POOL_LIMIT) * 2);
      } else {
        // what is left of the last block is given up: texts never move, entries hold their addresses
        const block = Math.max(need, Math.min(64 * HEAP_BLOCK, HEAP_BLOCK + this.get(POOL_COUNT) * 8));
        // the last text is read 8 bytes at a time as well
        const heap = this.blocks.memory.allocate(block + 8);
        this.set(POOL_HEAP, heap);
        this.set(POOL_HEAP_END, heap + block);
      }
    }
  }

  /** Codes of up to BLOCK texts; returns how many there was room for. */
  private find(spans: number, codes: number, n: number): number {
    const { kernels, at, need, missed } = this;
    const isFar = this.get(POOL_COUNT) > NEAR_TEXTS;
    const count = isFar
      ? kernels.lookUpFar(at, spans, codes, n, missed)
      : kernels.lookUpNear(at, spans, codes, n, missed);
    return kernels.searchTexts(at, spans, codes, n, need, missed, count);
  }
}
