import { BLOCK } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { PlacedColumn } from './place.js';
import type { BytesStorage } from './storage.js';

/** Where the texts of a block are: a u32 address and a u32 length each; an address of 0 stands for a null. */
export class Spans {
  readonly at: number;
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly storage: BytesStorage;
  /** Room for values whose bytes are put in order. */
  private readonly ordered: number;

  constructor(memory: KernelMemory, kernels: Kernels, storage: BytesStorage) {
    this.memory = memory;
    this.kernels = kernels;
    this.storage = storage;
    this.at = this.memory.allocate(8 * BLOCK);
    this.ordered = storage.decimal ? this.memory.allocate(storage.width * BLOCK) : 0;
  }

  /** Finds `n` texts, at most a block, from row `row` on. Returns n, or the first that does not lie within its buffer. */
  locate({ values, data, low, high, validity, bit }: PlacedColumn, row: number, n: number): number {
    const { kernels, ordered } = this;
    const { form, width, decimal } = this.storage;
    let source = values + width * row;
    if (decimal) {
      kernels.toOrderBytes(source, width, ordered, n);
      source = ordered;
    }
    return kernels.locate(
      form,
      width,
      source,
      data,
      BigInt(low),
      BigInt(high),
      validity,
      bit + row,
      this.at,
      n,
    );
  }
}
