import type { Block } from './block.js';
import { KIND_U64 } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import { type KeyBuckets, keyBuckets } from './key-buckets.js';
import type { KeyExtent } from './layout.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';

/** A key's values as `pack` takes them, beside their validity: an address, 0 where no row is null, and the bit of the first row. */
export interface KeySource {
  readonly kind: number;
  readonly at: number;
  readonly validity: number;
  readonly bit: number;
}

/** The keys of a block: columns as they are, or buckets made of them. */
export class BlockKeys {
  /** The keys that had a start which their type cannot hold, in a row that the query keeps. */
  readonly wrong = new Set<number>();
  private readonly memory: KernelMemory;
  private readonly program: Program;
  private readonly block: Block;
  private readonly buckets: readonly (KeyBuckets | undefined)[];
  private readonly kernels: Kernels;
  private readonly pair: number;

  constructor(memory: KernelMemory, kernels: Kernels, program: Program, block: Block) {
    this.memory = memory;
    this.kernels = kernels;
    this.pair = memory.allocate(16);
    this.program = program;
    this.block = block;
    this.buckets = program.keys.map((key, k) => keyBuckets(memory, kernels, program, block, key, k));
  }

  /** Makes what is made of the columns that the block has loaded. */
  load(): void {
    for (const buckets of this.buckets) buckets?.load();
  }

  /** Forgets the codes of texts: the pools were cleared. */
  forget(): void {
    for (const buckets of this.buckets) buckets?.forget();
  }

  /** A key as it is packed: integers as they lie, all else encoded. */
  source(k: number): KeySource {
    const buckets = this.buckets[k];
    const { column } = this.program.keys[k];
    const { kind, at } =
      buckets === undefined ? this.block.ordered(column) : { kind: KIND_U64, at: buckets.words };
    return { kind, at, ...this.validityOf(k) };
  }

  /** A key as order-preserving words; of text, codes. */
  encoded(k: number): KeySource {
    const buckets = this.buckets[k];
    if (buckets !== undefined) return this.source(k);
    const { column } = this.program.keys[k];
    this.block.encode(column);
    return { kind: KIND_U64, at: this.block.encoded[column], ...this.validityOf(k) };
  }

  private validityOf(k: number): Pick<KeySource, 'validity' | 'bit'> {
    const { column, text } = this.program.keys[k];
    // a null text has code 0 already
    return { validity: text ? 0 : this.block.validity[column], bit: this.block.bit[column] };
  }

  /** The extents of all keys. */
  extents(): KeyExtent[] {
    const { block, kernels, memory, pair } = this;
    const { n } = block;
    return this.program.keys.map((_, k) => {
      const { at, validity, bit } = this.encoded(k);
      const valid = kernels.extent(at, validity, bit, n, pair);
      const view = new DataView(memory.bytes.buffer, pair, 16);
      return { least: view.getBigUint64(0, true), most: view.getBigUint64(8, true), nulls: valid < n };
    });
  }

  /** Remembers which keys of the block have a wrong start. */
  check(): void {
    this.buckets.forEach((buckets, k) => {
      if (buckets !== undefined && this.memory.words[buckets.wrongs / 4] > 0) this.wrong.add(k);
    });
  }
}
