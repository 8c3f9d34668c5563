import { type InputError, inputError } from '../core/errors.js';
import type { Readable } from '../core/evaluate.js';
import { Dictionary } from './dictionary.js';
import { BLOCK, KIND_U64 } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import { type Morsel, placeOf } from './morsel.js';
import { type PlacedColumn, Placer } from './place.js';
import type { ColumnProgram, Program } from './program.js';
import { isFloat } from './storage.js';
import type { GroupTable } from './table.js';
import { testedColumn } from './tested-column.js';
import { TextPool } from './text-pool.js';

/** Room of a column's own for one block: addresses. */
interface Own {
  /** Values as they lie, of a dictionary's rows. */
  readonly raw: number;
  /** Values of 8 bytes: integers as i64, floats as f64, nulls 0; codes of a dictionary. */
  readonly wide: number;
  /** Order-preserving words; of text, codes in the pool. */
  readonly encoded: number;
  /** Words of floats that keep every bit. */
  readonly exact: number;
  readonly bits: number;
}

/** The columns of up to BLOCK rows, as the fold's kernels take them. Addresses are good until the next block. */
export class Block {
  n = 0;
  /** The block's first row in its morsel. */
  private at = 0;
  /** Address of each column's values as they lie. */
  readonly source: number[];
  /** Address of each summed or compared column's values of 8 bytes. */
  readonly wide: number[];
  /** Address of each compared column's order-preserving words; of text, codes. */
  readonly encoded: number[];
  /** Address of each kept column's words that keep every bit; of text, codes. */
  readonly exact: number[];
  /** Address of each column's validity, 0 where no row is null, and the bit of the first row. */
  readonly validity: number[];
  readonly bit: number[];
  private readonly valueBit: number[];
  private readonly own: readonly Own[];
  /** Of each column whose values are known by codes. */
  readonly pools: readonly (TextPool | undefined)[];
  private readonly dictionaries: readonly (Dictionary | undefined)[];
  private readonly placer: Placer;
  private placed: PlacedColumn[] = [];
  private morsel: Morsel | undefined;
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly program: Program;
  /** Room for values whose bytes are put in order. */
  private readonly ordered: number;

  constructor(memory: KernelMemory, kernels: Kernels, program: Program, table: GroupTable) {
    this.memory = memory;
    this.kernels = kernels;
    this.program = program;
    const { columns } = program;
    this.placer = new Placer(memory, kernels);
    this.own = columns.map(({ codes, storage }) => ({
      raw: memory.allocate(codes === undefined ? 0 : Math.max(8, storage.width) * BLOCK),
      wide: memory.allocate(8 * BLOCK),
      encoded: memory.allocate(8 * BLOCK),
      exact: memory.allocate(8 * BLOCK),
      bits: memory.allocate(BLOCK / 8),
    }));
    this.pools = columns.map(({ pool }) =>
      pool === 0 ? undefined : new TextPool(memory, table.blocks, kernels, table.at + pool),
    );
    this.dictionaries = columns.map(({ codes }, c) =>
      codes === undefined ? undefined : new Dictionary(memory, kernels, this.placer, `${c} dictionary`),
    );
    const widest = columns.reduce((most, { storage }) => Math.max(most, storage.width), 0);
    this.ordered = memory.allocate(widest * BLOCK);
    this.source = columns.map(() => 0);
    this.wide = columns.map(() => 0);
    this.encoded = columns.map(() => 0);
    this.exact = columns.map(() => 0);
    this.validity = columns.map(() => 0);
    this.bit = columns.map(() => 0);
    this.valueBit = columns.map(() => 0);
  }

  /** The morsel's columns as conditions see them; of those that none looks at, nothing. */
  readables(): Readable[] {
    const { columns = [], starts = [] } = this.morsel ?? {};
    return columns.map((column, c) => {
      if (!this.program.columns[c].tested) return { type: column.type, read: () => null };
      return testedColumn(column, starts[c] ?? [], (row) => {
        const { row: first = 0 } = this.morsel ?? {};
        throw this.error(c, `a wrong offset or code in row ${first + row}`, WITHIN);
      });
    });
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

  /** Takes `n` rows of the morsel from `row` on. */
  load(row: number, n: number): void {
    this.n = n;
    this.at = row;
    this.program.columns.forEach((column, c) => {
      const placed = this.placed[c];
      this.validity[c] = placed.validity;
      this.bit[c] = placed.bit + row;
      if (!column.read) return;
      const width = column.codes === undefined ? column.storage.width : column.codes.width;
      this.source[c] = placed.values + width * row;
      this.valueBit[c] = placed.valueBit + row;
      if (column.codes !== undefined) this.lookUp(c, column, row);
      else if (column.pool !== 0) this.intern(c, column, row);
      if (column.storage.shape === 'number') this.loadNumbers(c, column);
      else this.exact[c] = this.encoded[c];
    });
  }

  /** The place of the block's first row in the order of all rows. */
  get place(): bigint {
    return this.morsel === undefined ? 0n : placeOf(this.morsel, this.at);
  }

  /** Bits of the rows on which a column has a value, and the first row's bit; 0 where all have one. */
  valid(c: number): { readonly at: number; readonly bit: number } {
    if (this.program.columns[c].pool === 0) return { at: this.validity[c], bit: this.bit[c] };
    this.kernels.validCodes(this.encoded[c], this.n, this.own[c].bits);
    return { at: this.own[c].bits, bit: 0 };
  }

  /** Replaces a dictionary's codes by the entries they stand for. */
  private lookUp(c: number, { codes, pool, storage, summed }: ColumnProgram, row: number): void {
    const { kernels, n } = this;
    const { wide, encoded, raw, bits } = this.own[c];
    const dictionary = this.dictionaries[c];
    if (codes === undefined || dictionary?.entries === undefined) throw new TypeError('no dictionary');
    kernels.widen(codes.kind, this.source[c], 0, wide, n);
    const size = BigInt(dictionary.size);
    let wrong = -1;
    if (pool !== 0) {
      this.encoded[c] = encoded;
      wrong = kernels.gather(wide, this.validity[c], this.bit[c], dictionary.codes, size, encoded, n);
    }
    if (wrong < 0 && (pool === 0 || summed)) {
      const { values, valueBit, validity, bit } = dictionary.entries;
      const { width } = storage;
      wrong = kernels.lookUp(
        wide,
        this.validity[c],
        this.bit[c],
        size,
        values,
        width,
        valueBit,
        validity,
        bit,
        raw,
        bits,
        n,
      );
      this.source[c] = raw;
      this.valueBit[c] = 0;
      this.validity[c] = bits;
      this.bit[c] = 0;
    }
    if (wrong < 0) return;
    const code = new DataView(this.memory.bytes.buffer).getBigInt64(wide + 8 * wrong, true);
    const wanted = `a code from 0 to ${dictionary.size - 1}`;
    throw this.error(c, `code ${code} in row ${this.rowOf(row + wrong)}`, wanted);
  }

  /** Gives texts their codes in the pool. */
  private intern(c: number, { storage }: ColumnProgram, row: number): void {
    const { kernels, n } = this;
    const pool = this.pools[c];
    if (pool === undefined || storage.shape !== 'bytes') throw new TypeError('no text pool');
    const { form, width, decimal } = storage;
    const { data, low, high } = this.placed[c];
    let values = this.source[c];
    if (decimal) {
      values = this.ordered;
      kernels.toOrderBytes(this.source[c], width, values, n);
    }
    const texts = { form, width, values, data, low, high, validity: this.validity[c], bit: this.bit[c] };
    this.encoded[c] = this.own[c].encoded;
    const done = pool.intern(texts, this.encoded[c], n);
    if (done < n) throw this.misplaced(c, row + done);
  }

  private loadNumbers(c: number, column: ColumnProgram): void {
    const { keyed, bucketed, compared, kept, summed, storage } = column;
    if (summed || compared || kept || bucketed) {
      this.widen(c, column, summed);
      if (summed && this.validity[c] !== 0) {
        this.kernels.zeroNulls(this.wide[c], this.validity[c], this.bit[c], this.n);
      }
    }
    const isReal = storage.shape === 'number' && isFloat(storage.kind);
    if (compared || bucketed || (keyed && !isInteger(column)) || (kept && !isReal)) this.encode(c);
    if (!kept) return;
    this.exact[c] = isReal ? this.own[c].exact : this.encoded[c];
    if (isReal) this.kernels.encodeExact(this.wide[c], this.exact[c], this.n);
  }

  /** Brings values to 8 bytes; those that are may stay where they lie, unless their nulls are to be zeroed. */
  private widen(c: number, { storage }: ColumnProgram, zeroes: boolean): void {
    if (storage.shape !== 'number') throw new TypeError('bytes cannot be widened');
    if (storage.width === 8 && !(zeroes && this.validity[c] !== 0)) {
      this.wide[c] = this.source[c];
      return;
    }
    this.wide[c] = this.own[c].wide;
    this.kernels.widen(storage.kind, this.source[c], this.valueBit[c], this.wide[c], this.n);
  }

  /** Encodes a column's values as order-preserving words. Texts have their codes already. */
  encode(c: number): void {
    const column = this.program.columns[c];
    if (column.storage.shape !== 'number') return;
    if (!column.summed && !column.compared && !column.kept && !column.bucketed) this.widen(c, column, false);
    this.encoded[c] = this.own[c].encoded;
    this.kernels.encode(column.storage.kind, this.wide[c], this.encoded[c], this.n);
  }

  /** The kind and address of a key's values as `pack` takes them: integers as they lie, all else encoded. */
  keySource(c: number): { readonly kind: number; readonly at: number } {
    const column = this.program.columns[c];
    if (column.storage.shape === 'number' && isInteger(column)) {
      return { kind: column.storage.kind, at: this.source[c] };
    }
    return { kind: KIND_U64, at: this.encoded[c] };
  }

  /** A row of the morsel as its place in the batch. */
  private rowOf(row: number): number {
    const { row: first = 0, start = 0 } = this.morsel ?? {};
    return first + start + row;
  }

  private misplaced(c: number, row: number): InputError {
    return this.error(c, `a wrong offset in row ${this.rowOf(row)}`, WITHIN);
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

function isInteger({ storage }: ColumnProgram): boolean {
  return storage.shape === 'number' && storage.kind <= KIND_U64;
}

const WITHIN = 'offsets that ascend and lie within the data';
