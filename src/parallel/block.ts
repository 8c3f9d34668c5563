import type { InputError } from '../core/errors.js';
import { type ColumnRoom, columnRoom } from './column-room.js';
import { Dictionary } from './dictionary.js';
import { KIND_I64, KIND_U64 } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import { columnError, type Morsel, placeOf, rowInBatch } from './morsel.js';
import { type PlacedColumn, Placer } from './place.js';
import type { ColumnProgram, Program } from './program.js';
import { Spans } from './spans.js';
import { isFloat, isInteger } from './storage.js';
import type { GroupTable } from './table.js';
import { TextPool } from './text-pool.js';

/** What a block needs to know of a program. */
export type BlockProgram = Pick<Program, 'columns' | 'where'>;
/** Where the text pools of its columns are. */
export type TextTable = Pick<GroupTable, 'at' | 'blocks'>;

/**
 * The columns of up to BLOCK rows. First it turns to them, and conditions can be tested; then it may keep some of them
 * only; then it loads what the fold's kernels take. Addresses are good until the next block.
 */
export class Block {
  n = 0;
  /** The first row, counted from the beginning of the morsel. */
  row = 0;
  /** Address of the numbers (u32, counted from `row`, ascending) of the rows that were kept; 0: all were. */
  picks = 0;
  /** Address of each column's values as they lie. */
  readonly source: number[];
  /** Address of each column's values of 8 bytes; 0: nobody has asked for them. */
  private readonly wide: number[];
  /** Address of each compared column's order-preserving words; of text, codes. */
  readonly encoded: number[];
  /** Address of each kept column's words that keep every bit; of text, codes. */
  readonly exact: number[];
  /** Address of each column's validity, 0 where no row is null, and the bit of the first row. */
  readonly validity: number[];
  readonly bit: number[];
  /** Of bits, the bit of the first row's value. */
  readonly valueBit: number[];
  /** Of texts that are looked at, where they are. */
  readonly spans: readonly (Spans | undefined)[];
  readonly dictionaries: readonly (Dictionary | undefined)[];
  private readonly own: readonly ColumnRoom[];
  /** Of each column whose values are known by codes. */
  readonly pools: readonly (TextPool | undefined)[];
  private readonly placer: Placer;
  private placed: PlacedColumn[] = [];
  private morsel: Morsel | undefined;
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly program: BlockProgram;

  constructor(memory: KernelMemory, kernels: Kernels, program: BlockProgram, table: TextTable) {
    this.memory = memory;
    this.kernels = kernels;
    this.program = program;
    const { columns } = program;
    this.placer = new Placer(memory, kernels);
    this.own = columns.map((column) => columnRoom(memory, column, program.where));
    this.pools = columns.map(({ pool }) =>
      pool === 0 ? undefined : new TextPool(memory, table.blocks, kernels, table.at + pool),
    );
    this.dictionaries = columns.map(({ codes, storage }, c) =>
      codes === undefined
        ? undefined
        : new Dictionary(memory, kernels, this.placer, storage, `${c} dictionary`),
    );
    this.spans = columns.map(({ codes, storage, pool, tested }) =>
      codes === undefined && storage.shape === 'bytes' && (pool !== 0 || tested)
        ? new Spans(memory, kernels, storage)
        : undefined,
    );
    this.source = columns.map(() => 0);
    this.wide = columns.map(() => 0);
    this.encoded = columns.map(() => 0);
    this.exact = columns.map(() => 0);
    this.validity = columns.map(() => 0);
    this.bit = columns.map(() => 0);
    this.valueBit = columns.map(() => 0);
  }

  /** Takes a morsel: brings its columns, and the entries of its dictionaries, into kernel memory. */
  begin(morsel: Morsel): void {
    this.morsel = morsel;
    const { start, rows } = morsel;
    this.placed = this.program.columns.map((column, c) => {
      const { storage, codes, read } = column;
      const values = morsel.columns[c];
      if (!read) return this.placer.placeValidity(`${c}`, values, start, rows);
      const lies = codes === undefined ? storage : { shape: 'number' as const, ...codes };
      const placed = this.placer.place(`${c}`, lies, values, start, rows, morsel.starts?.[c] ?? []);
      if (placed.wrong >= 0) throw this.misplaced(c, placed.wrong);
      return placed;
    });
    this.program.columns.forEach((column, c) => {
      const dictionary = this.dictionaries[c];
      if (dictionary === undefined) return;
      const entries = morsel.columns[c].dictionary;
      if (entries === undefined) throw this.error(c, 'no dictionary', 'a dictionary for its codes');
      const wrong = dictionary.take(column, entries, this.pools[c]);
      if (wrong >= 0) throw this.error(c, `a wrong offset in entry ${wrong} of its dictionary`, WITHIN);
    });
  }

  /** Forgets dictionaries: buffers at the same place may hold others from now on. */
  forgetDictionaries(): void {
    for (const dictionary of this.dictionaries) dictionary?.forget();
  }

  /** Turns to `n` rows of the morsel from `row` on, and looks where texts and codes lie. */
  turn(row: number, n: number): void {
    this.n = n;
    this.row = row;
    this.picks = 0;
    this.program.columns.forEach(({ read, codes, storage }, c) => {
      const placed = this.placed[c];
      this.validity[c] = placed.validity;
      this.bit[c] = placed.bit + row;
      if (!read) return;
      this.source[c] = placed.values + (codes ?? storage).width * row;
      this.valueBit[c] = placed.valueBit + row;
      if (codes !== undefined) this.widenCodes(c, codes.kind);
      const done = this.spans[c]?.locate(placed, row, n) ?? n;
      if (done < n) throw this.misplaced(c, row + done);
    });
  }

  /** Address of a dictionary column's codes, 8 bytes each. */
  codes(c: number): number {
    return this.own[c].wide;
  }

  private widenCodes(c: number, kind: number): void {
    const { kernels, n } = this;
    const codes = this.codes(c);
    kernels.widen(kind, this.source[c], 0, codes, n);
    const size = this.dictionaries[c]?.size ?? 0;
    const wrong = kernels.checkCodes(codes, this.validity[c], this.bit[c], BigInt(size), n);
    if (wrong < 0) return;
    const code = new DataView(this.memory.bytes.buffer).getBigInt64(codes + 8 * wrong, true);
    throw this.error(
      c,
      `code ${code} in row ${this.rowOf(this.row + wrong)}`,
      `a code from 0 to ${size - 1}`,
    );
  }

  /** Keeps the `count` rows that are listed at `picks`, for the fold. */
  keep(picks: number, count: number): void {
    const { kernels } = this;
    this.n = count;
    this.picks = picks;
    this.program.columns.forEach(({ folded, read, codes, storage }, c) => {
      if (!folded) return;
      const { raw, kept } = this.own[c];
      if (this.validity[c] !== 0) {
        kernels.pickBits(this.validity[c], this.bit[c], picks, count, kept);
        this.validity[c] = kept;
        this.bit[c] = 0;
      }
      if (!read) return;
      if (codes !== undefined) {
        kernels.pickValues(this.codes(c), 8, picks, count, this.codes(c));
        return;
      }
      const spans = this.spans[c]?.at;
      if (spans !== undefined) kernels.pickValues(spans, 8, picks, count, spans);
      if (storage.shape === 'bytes' && !storage.decimal) return;
      if (storage.width === 0) kernels.pickBits(this.source[c], this.valueBit[c], picks, count, raw);
      else kernels.pickValues(this.source[c], storage.width, picks, count, raw);
      this.source[c] = raw;
      this.valueBit[c] = 0;
    });
  }

  /** Brings the rows into the forms that keys and states take. */
  load(): void {
    this.program.columns.forEach((column, c) => {
      if (!column.folded || !column.read) return;
      if (column.codes !== undefined) this.lookUp(c, column);
      else if (column.pool !== 0) this.intern(c);
      if (column.storage.shape === 'number') this.loadNumbers(c, column);
      else this.exact[c] = this.encoded[c];
    });
  }

  /** The place of the block's first row in the order of all rows. */
  get place(): bigint {
    return this.morsel === undefined ? 0n : placeOf(this.morsel, this.row);
  }

  /** Bits of the rows on which a column has a value, and the first row's bit; 0 where all have one. */
  valid(c: number): { readonly at: number; readonly bit: number } {
    if (this.program.columns[c].pool === 0) return { at: this.validity[c], bit: this.bit[c] };
    this.kernels.validCodes(this.encoded[c], this.n, this.own[c].bits);
    return { at: this.own[c].bits, bit: 0 };
  }

  /** Replaces a dictionary's codes by the entries they stand for. */
  private lookUp(c: number, { pool, storage, summed }: ColumnProgram): void {
    const { kernels, n } = this;
    const { wide, encoded, raw, bits } = this.own[c];
    const dictionary = this.dictionaries[c];
    if (dictionary?.entries === undefined) throw new TypeError('no dictionary');
    if (pool !== 0) {
      this.encoded[c] = encoded;
      kernels.gather(wide, this.validity[c], this.bit[c], dictionary.codes, encoded, n);
    }
    if (pool !== 0 && !summed) return;
    const { values, valueBit, validity, bit } = dictionary.entries;
    const entries = [values, storage.width, valueBit, validity, bit] as const;
    kernels.lookUp(wide, this.validity[c], this.bit[c], ...entries, raw, bits, n);
    this.source[c] = raw;
    this.valueBit[c] = 0;
    this.validity[c] = bits;
    this.bit[c] = 0;
  }

  /** Gives texts their codes in the pool. */
  private intern(c: number): void {
    const pool = this.pools[c];
    const spans = this.spans[c];
    if (pool === undefined || spans === undefined) throw new TypeError('no text pool');
    this.encoded[c] = this.own[c].encoded;
    pool.intern(spans.at, this.encoded[c], this.n);
  }

  private loadNumbers(c: number, column: ColumnProgram): void {
    const { keyed, bucketed, compared, kept, storage } = column;
    this.wide[c] = 0;
    const isReal = storage.shape === 'number' && isFloat(storage.kind);
    if (compared || bucketed || (keyed && !isInteger(storage)) || (kept && !isReal)) this.encode(c);
    if (!kept) return;
    this.exact[c] = isReal ? this.own[c].exact : this.encoded[c];
    if (isReal) this.kernels.encodeExact(this.values(c), this.exact[c], this.n);
  }

  /**
   * Address of a column's values of 8 bytes, nulls 0 where they are summed. Those that have 8 may stay where they lie, unless their
   * nulls are to be zeroed.
   */
  values(c: number): number {
    if (this.wide[c] !== 0) return this.wide[c];
    const { storage, summed } = this.program.columns[c];
    if (storage.shape !== 'number') throw new TypeError('bytes cannot be widened');
    const zeroes = summed && this.validity[c] !== 0;
    const asTheyLie = storage.width === 8 && !zeroes;
    this.wide[c] = asTheyLie ? this.source[c] : this.own[c].wide;
    if (!asTheyLie) this.kernels.widen(storage.kind, this.source[c], this.valueBit[c], this.wide[c], this.n);
    if (zeroes) this.kernels.zeroNulls(this.wide[c], this.validity[c], this.bit[c], this.n);
    return this.wide[c];
  }

  /** The kind and address of integers to be summed: as they lie where none is null, else widened. */
  integers(c: number): { readonly kind: number; readonly at: number } {
    const { storage } = this.program.columns[c];
    const asTheyLie = isInteger(storage) && this.validity[c] === 0;
    return asTheyLie ? { kind: storage.kind, at: this.source[c] } : { kind: KIND_I64, at: this.values(c) };
  }

  /** Encodes a column's values as order-preserving words. Texts have their codes already. */
  encode(c: number): void {
    const { storage } = this.program.columns[c];
    if (storage.shape !== 'number') return;
    this.encoded[c] = this.own[c].encoded;
    this.kernels.encode(storage.kind, this.values(c), this.encoded[c], this.n);
  }

  /** The kind and address of values in their order: integers as they lie, all else encoded. */
  ordered(c: number): { readonly kind: number; readonly at: number } {
    const { storage } = this.program.columns[c];
    return isInteger(storage)
      ? { kind: storage.kind, at: this.source[c] }
      : { kind: KIND_U64, at: this.encoded[c] };
  }

  private misplaced(c: number, row: number): InputError {
    return this.error(c, `a wrong offset in row ${this.rowOf(row)}`, WITHIN);
  }

  private rowOf(row: number): number {
    return this.morsel === undefined ? row : rowInBatch(this.morsel, row);
  }

  private error(c: number, came: string, wanted: string): InputError {
    if (this.morsel === undefined) throw new TypeError('no morsel');
    return columnError(this.morsel, this.program.columns[c].name, came, wanted);
  }
}

const WITHIN = 'offsets that ascend and lie within the data';
