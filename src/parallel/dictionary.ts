import type { Column } from '../core/column.js';
import { dictionaryIdentity } from './identity.js';
import { BLOCK } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { PlacedColumn, Placer } from './place.js';
import type { ColumnProgram } from './program.js';
import { Spans } from './spans.js';
import type { Storage } from './storage.js';
import type { TextPool } from './text-pool.js';

/** The entries of the dictionary that a column's batches share, in kernel memory, once for as long as the same comes. */
export class Dictionary {
  /** Entries. */
  size = 0;
  /** Of pooled entries the code of each, 8 bytes; an address. */
  codes = 0;
  /** The entries as they lie. */
  entries: PlacedColumn | undefined;
  /** Counts dictionaries: it is the same one for as long as this stays. */
  version = 0;
  /** Of texts, where those of a block of entries are. */
  readonly spans: Spans | undefined;
  private key = '';
  private room = 0;
  private readonly memory: KernelMemory;
  private readonly placer: Placer;
  private readonly slot: string;

  constructor(memory: KernelMemory, kernels: Kernels, placer: Placer, storage: Storage, slot: string) {
    this.memory = memory;
    this.spans = storage.shape === 'bytes' ? new Spans(memory, kernels, storage) : undefined;
    this.placer = placer;
    this.slot = slot;
  }

  /** Forgets the dictionary: buffers at the same place may hold another from now on. */
  forget(): void {
    this.key = '';
  }

  /** Takes the dictionary of a batch. Returns -1, or the first entry that does not lie within its buffer. */
  take(program: ColumnProgram, column: Column, pool: TextPool | undefined): number {
    const key = dictionaryIdentity(column);
    if (this.key === key) return -1;
    const { length } = column;
    this.entries = this.placer.place(this.slot, program.storage, column, 0, length, []);
    this.size = length;
    if (pool !== undefined) {
      if (this.room < length || this.codes === 0) {
        this.room = Math.max(256, 2 * length);
        this.codes = this.memory.allocate(8 * this.room);
      }
    }
    const wrong = this.find(this.entries, length, pool);
    if (wrong >= 0) return wrong;
    this.key = key;
    this.version++;
    return -1;
  }

  /** Looks where texts are, a block at a time, and gives them their codes where there is a pool. Returns as take does. */
  private find(entries: PlacedColumn, length: number, pool: TextPool | undefined): number {
    const { spans } = this;
    if (spans === undefined) return -1;
    if (entries.wrong >= 0) return entries.wrong;
    for (let row = 0; row < length; row += BLOCK) {
      this.memory.heed();
      const n = Math.min(BLOCK, length - row);
      const done = spans.locate(entries, row, n);
      if (done < n) return row + done;
      pool?.intern(spans.at, this.codes + 8 * row, n);
    }
    return -1;
  }
}
