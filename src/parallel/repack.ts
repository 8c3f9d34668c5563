import { BLOCK, FIELD_SIZE, KIND_U64, REF_SIZE } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { Layout } from './layout.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';
import { zeroWord } from './storage.js';
import { writeFields } from './write-fields.js';

/** The keys of a table's groups taken out of one layout and packed by another, of all keys or of some. Addresses. */
export class Repacking {
  /** The groups of the block at hand. */
  readonly refs: number;
  /** Their new key words, as `probe` takes them. */
  readonly words: number;
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly program: Program;
  private readonly keys: readonly number[];
  private readonly oldFields: number;
  private readonly fields: number;
  private readonly encoded: number;
  private readonly validity: number;
  private readonly listed: number;

  /** `keys` are those of the program that the new layout holds, in its order. */
  constructor(
    memory: KernelMemory,
    kernels: Kernels,
    program: Program,
    from: Layout,
    to: Layout,
    keys: readonly number[],
  ) {
    this.memory = memory;
    this.kernels = kernels;
    this.program = program;
    this.keys = keys;
    this.oldFields = writeFields(memory, program.keys, from);
    const packed = keys.map((k) => program.keys[k]);
    this.fields = writeFields(memory, packed, to);
    this.refs = memory.allocate(REF_SIZE * BLOCK);
    this.words = memory.allocate(8 * BLOCK * Math.max(1, to.words));
    this.encoded = memory.allocate(8 * BLOCK);
    this.validity = memory.allocate(BLOCK / 8);
    this.listed = memory.allocate(4);
  }

  /** The groups of the table at `table`, a block at a time: how many are at hand. */
  *blocks(table: number): Generator<number, void, undefined> {
    const { memory, kernels } = this;
    for (let id = 0; ; ) {
      id = kernels.listGroups(table, id, BLOCK, this.refs, this.listed);
      const n = memory.words[this.listed / 4];
      if (n === 0) return;
      memory.heed();
      this.pack(n);
      yield n;
    }
  }

  private pack(n: number): void {
    const { memory, kernels, program, keys, words } = this;
    if (keys.length === 0) memory.zero(words, 8 * n);
    keys.forEach((k, i) => {
      const { storage } = program.columns[program.keys[k].column];
      const zero = storage.shape === 'bytes' ? 0n : zeroWord(storage.kind);
      const field = this.oldFields + k * FIELD_SIZE;
      const nulls = kernels.unpack(field, this.refs, n, zero, this.encoded, this.validity);
      const mask = nulls > 0 ? this.validity : 0;
      const to = this.fields + i * FIELD_SIZE;
      const done = kernels.pack(to, KIND_U64, this.encoded, mask, 0, words, 8 * BLOCK, n);
      if (done < n) throw new RangeError(`key ${k} does not fit the layout that was chosen to hold it`);
    });
  }
}
