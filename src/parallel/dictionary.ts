import type { Column } from '../core/column.js';
import { dictionaryIdentity } from './identity.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { PlacedColumn, Placer } from './place.js';
import type { ColumnProgram } from './program.js';
import type { TextPool } from './text-pool.js';

/** The entries of the dictionary that a column's batches share, in kernel memory, once for as long as the same comes. */
export class Dictionary {
  /** Entries. */
  size = 0;
  /** Of pooled entries the code of each, 8 bytes; an address. */
  codes = 0;
  /** The entries as they lie. */
  entries: PlacedColumn | undefined;
  private key = '';
  private room = 0;
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly placer: Placer;
  private readonly slot: string;

  constructor(memory: KernelMemory, kernels: Kernels, placer: Placer, slot: string) {
    this.memory = memory;
    this.kernels = kernels;
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
      if (this.entries.wrong >= 0) return this.entries.wrong;
      if (this.room < length || this.codes === 0) {
        this.room = Math.max(256, 2 * length);
        this.codes = this.memory.allocate(8 * this.room);
      }
      const done = internPlaced(this.memory, this.kernels, pool, program, this.entries, this.codes, length);
      if (done < length) return done;
    }
    this.key = key;
    return -1;
  }
}

/** Gives `n` placed texts their codes. Returns n, or the first row that does not lie within its buffer. */
export function internPlaced(
  memory: KernelMemory,
  kernels: Kernels,
  pool: TextPool,
  { storage }: ColumnProgram,
  placed: PlacedColumn,
  codes: number,
  n: number,
): number {
  if (storage.shape !== 'bytes') throw new TypeError('numbers have no text pool');
  const { form, width, decimal } = storage;
  if (!decimal) return pool.intern({ ...placed, form, width }, codes, n);
  const values = memory.allocate(width * n);
  kernels.toOrderBytes(placed.values, width, values, n);
  return pool.intern({ ...placed, form, width, values }, codes, n);
}
