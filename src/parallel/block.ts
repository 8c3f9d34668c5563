import type { Column } from '../core/column.js';
import { type InputError, inputError } from '../core/errors.js';
import { dictionaryIdentity } from './identity.js';
import { BLOCK, KIND_U64 } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import { type PlacedColumn, Placer } from './place.js';
import type { ColumnProgram, Program } from './program.js';
import type { GroupTable } from './table.js';
import { TextPool } from './text-pool.js';

/** Rows for the kernels: columns in shared memory or on their way into it, and where they stand in the input. */
export interface Morsel {
  readonly rows: number;
  readonly columns: readonly Column[];
  readonly textStarts?: readonly number[];
  readonly start: number;
  /** What `part` numbers. */
  readonly source: 'batch' | 'part';
  readonly part: number;
  readonly row: number;
}

interface ColumnBlock {
  /** Widened values, nulls zeroed; of text and dictionaries the codes. Address. */
  readonly wide: number;
  /** Order-preserving words. Address. */
  readonly encoded: number;
}

/** The columns of up to BLOCK rows, as the fold's kernels take them. */
export class Block {
  n = 0;
  private row = 0;
  /** Address of each column's widened values, for this block. */
  readonly wide: number[];
  /** Address of each column's encoded words (text: codes), for this block. */
  readonly encoded: number[];
  /** Address of each column's validity, 0 where no row of the morsel is null, and the bit of the block's first row. */
  readonly validity: number[];
  readonly bit: number[];
  /** Address of each column's values as they lie, for this block. */
  private readonly source: number[];
  private readonly own: ColumnBlock[];
  private readonly pools: (TextPool | undefined)[];
  private readonly placer: Placer;
  private placed: PlacedColumn[] = [];
  private morsel: Morsel | undefined;
  /** Codes of the entries of the dictionaries met last, by column. */
  private readonly dictionaries: { key: string; codes: number; size: number; room: number }[];
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly program: Program;

  constructor(memory: KernelMemory, kernels: Kernels, program: Program, table: GroupTable) {
    this.memory = memory;
    this.kernels = kernels;
    this.program = program;
    const { columns } = program;
    this.placer = new Placer(memory, 2 * columns.length);
    const need = memory.allocate(64);
    this.own = columns.map(() => ({ wide: memory.allocate(8 * BLOCK), encoded: memory.allocate(8 * BLOCK) }));
    this.pools = columns.map(({ text, pool }) =>
      text ? new TextPool(memory, table.blocks, kernels, table.at + pool, need) : undefined,
    );
    this.source = columns.map(() => 0);
    this.wide = columns.map(() => 0);
    this.encoded = columns.map(() => 0);
    this.validity = columns.map(() => 0);
    this.bit = columns.map(() => 0);
    this.dictionaries = columns.map(() => ({ key: '', codes: 0, size: 0, room: 0 }));
  }

  /** Takes a morsel: brings its columns, and the entries of its dictionaries, into kernel memory. */
  begin(morsel: Morsel): void {
    this.morsel = morsel;
    this.placed = this.program.columns.map((column, c) =>
      this.placer.place(c, column, morsel.columns[c], morsel.start, morsel.rows, morsel.textStarts?.[c]),
    );
    this.program.columns.forEach((column, c) => {
      if (column.text && column.dictionary) this.readDictionary(c, morsel.columns[c]);
    });
  }

  /** Forgets dictionaries: buffers at the same place may hold others from now on. */
  forgetDictionaries(): void {
    for (const dictionary of this.dictionaries) dictionary.key = '';
  }

  /** Takes `n` rows of the morsel from `row` on. */
  load(row: number, n: number): void {
    this.n = n;
    this.row = row;
    this.program.columns.forEach((column, c) => {
      const placed = this.placed[c];
      this.validity[c] = placed.validity;
      this.bit[c] = placed.bit + row;
      if (!column.read) return;
      if (column.text) this.loadText(c, column, placed, row, n);
      else this.loadNumbers(c, column, placed, row, n);
    });
  }

  private loadNumbers(c: number, column: ColumnProgram, placed: PlacedColumn, row: number, n: number): void {
    const source = placed.values + column.width * row;
    this.source[c] = source;
    if (column.summed || column.extreme) {
      if (column.width === 8 && (placed.validity === 0 || !column.summed)) this.wide[c] = source;
      else this.widen(c, column, source, placed.valueBit + row, n);
      if (column.summed && placed.validity !== 0) {
        this.kernels.zeroNulls(this.wide[c], placed.validity, placed.bit + row, n);
      }
    }
    if (column.extreme || (column.keyed && !isInteger(column.kind))) this.encode(c);
  }

  private widen(c: number, column: ColumnProgram, source: number, bit: number, n: number): void {
    this.wide[c] = this.own[c].wide;
    this.kernels.widen(column.kind, source, bit, this.wide[c], n);
  }

  /** Encodes the block's values of a column: `encoded` holds them until the next block. */
  encode(c: number): void {
    const column = this.program.columns[c];
    if (column.text) return;
    if (!column.summed && !column.extreme) {
      const bit = this.placed[c].valueBit + this.row;
      if (column.width === 8) this.wide[c] = this.source[c];
      else this.widen(c, column, this.source[c], bit, this.n);
    }
    this.encoded[c] = this.own[c].encoded;
    this.kernels.encode(column.kind, this.wide[c], this.encoded[c], this.n);
  }

  /** The kind and address of a key's values as `pack` takes them: integers as they lie, all else encoded. */
  keySource(c: number): { readonly kind: number; readonly at: number } {
    const { text, kind } = this.program.columns[c];
    if (!text && isInteger(kind)) return { kind, at: this.source[c] };
    return { kind: KIND_U64, at: this.encoded[c] };
  }

  private loadText(c: number, column: ColumnProgram, placed: PlacedColumn, row: number, n: number): void {
    const { kernels } = this;
    const own = this.own[c];
    this.encoded[c] = own.encoded;
    if (column.dictionary) {
      const dictionary = this.dictionaries[c];
      kernels.widen(column.kind, placed.values + column.width * row, 0, own.wide, n);
      const wrong = kernels.gather(
        own.wide,
        placed.validity,
        placed.bit + row,
        dictionary.codes,
        BigInt(dictionary.size),
        own.encoded,
        n,
      );
      if (wrong >= 0) {
        const code = new DataView(this.memory.bytes.buffer).getBigInt64(own.wide + 8 * wrong, true);
        throw this.error(
          c,
          `code ${code} in row ${this.rowOf(row + wrong)}`,
          `a code from 0 to ${dictionary.size - 1}`,
        );
      }
      return;
    }
    const texts = {
      offsets: placed.offsets + column.width * row,
      width: column.width,
      data: placed.values,
      low: placed.low,
      high: placed.high,
      validity: placed.validity,
      bit: placed.bit + row,
    };
    const done = this.pool(c).intern(texts, own.encoded, n);
    if (done < n) throw this.error(c, `a wrong offset in row ${this.rowOf(row + done)}`, ASCENDING);
  }

  private pool(c: number): TextPool {
    const pool = this.pools[c];
    if (pool === undefined) throw new TypeError(`column ${this.program.columns[c].name} has no text pool`);
    return pool;
  }

  /** Interns a dictionary's entries, once for as long as the same dictionary comes. */
  private readDictionary(c: number, column: Column): void {
    const entries = column.dictionary;
    const known = this.dictionaries[c];
    if (entries === undefined) throw this.error(c, 'no dictionary', 'a dictionary for its codes');
    const key = dictionaryIdentity(entries);
    if (known.key === key && known.codes !== 0) return;
    if (known.room < entries.length) {
      known.room = Math.max(256, 2 * entries.length);
      known.codes = this.memory.allocate(8 * known.room);
    }
    known.key = key;
    known.size = entries.length;
    const width = entries.type.kind === 'utf8' && entries.type.form === 'large' ? 8 : 4;
    const program = { ...this.program.columns[c], dictionary: false, width };
    const placed = this.placer.place(this.program.columns.length + c, program, entries, 0, entries.length);
    const texts = { ...placed, data: placed.values, width };
    const done = this.pool(c).intern(texts, known.codes, entries.length);
    if (done < entries.length)
      throw this.error(c, `a wrong offset in entry ${done} of its dictionary`, ASCENDING);
  }

  /** A row of the morsel as its place in the batch. */
  private rowOf(row: number): number {
    const { row: first = 0, start = 0 } = this.morsel ?? {};
    return first + start + row;
  }

  private error(c: number, came: string, wanted: string): InputError {
    const { part = 0, source = 'batch' } = this.morsel ?? {};
    return inputError(
      `${source} ${part}, column ${JSON.stringify(this.program.columns[c].name)}`,
      came,
      wanted,
    );
  }
}

function isInteger(kind: number): boolean {
  return kind <= KIND_U64;
}

const ASCENDING = 'offsets that ascend within the data';
