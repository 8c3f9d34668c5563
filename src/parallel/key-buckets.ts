import { bucketStart, holdsStart, limitsOf } from '../core/bucket.js';
import { type BucketPiece, bucketPiece } from '../core/bucket-piece.js';
import type { CheckedBucket } from '../core/plan.js';
import type { DataType } from '../core/type.js';
import type { Block } from './block.js';
import {
  BLOCK,
  PIECE_EVERY,
  PIECE_FROM,
  PIECE_INVERSE,
  PIECE_SIZE,
  PIECE_SPAN,
  PIECE_START,
  PIECE_STEP,
  PIECE_WRONG,
} from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KeySteps } from './key-steps.js';
import type { KernelMemory } from './memory.js';
import type { KeyProgram, Program } from './program.js';
import { signOf, storageOf } from './storage.js';

/** Makes the key of a block's rows that is buckets of a column. Addresses. */
export interface KeyBuckets {
  /** The encoded starts, or their steps, 8 bytes a row. */
  readonly words: number;
  /** The rows of which the type cannot hold the start: a u32 count, then their numbers, ascending. */
  readonly wrongs: number;
  /** Makes the starts of the block at hand. */
  load(): void;
  /** Forgets the codes of texts: the pool was cleared. */
  forget(): void;
}

/** What buckets are made with. */
interface Source {
  readonly memory: KernelMemory;
  readonly kernels: Kernels;
  readonly block: Block;
  readonly column: number;
  readonly bucket: CheckedBucket;
  readonly type: DataType;
}

export function keyBuckets(
  memory: KernelMemory,
  kernels: Kernels,
  { keyTypes }: Program,
  block: Block,
  { column, bucket, steps }: KeyProgram,
  k: number,
): KeyBuckets | undefined {
  if (bucket === undefined) return undefined;
  const type = keyTypes[k];
  const source = { memory, kernels, block, column, bucket, type };
  const storage = storageOf(type);
  if (storage.shape === 'bytes') return new CodedBuckets(source, storage.width);
  if (type.kind === 'float') return new FloatBuckets(source, storage.kind);
  return new IntegerBuckets(source, storage.kind, steps);
}

abstract class Buckets implements KeyBuckets {
  readonly words: number;
  readonly wrongs: number;

  constructor(protected readonly source: Source) {
    this.words = source.memory.allocate(8 * BLOCK);
    this.wrongs = source.memory.allocate(4 * (BLOCK + 1));
  }

  load(): void {
    this.source.memory.words[this.wrongs / 4] = 0;
    this.make();
  }

  forget(): void {
    // most know none
  }

  protected abstract make(): void;
}

class FloatBuckets extends Buckets {
  private readonly width: number;
  private readonly offset: number;

  constructor(
    source: Source,
    private readonly kind: number,
  ) {
    super(source);
    if (source.bucket.kind !== 'number') throw new TypeError('buckets of time are of integers');
    this.width = Number(source.bucket.width);
    this.offset = Number(source.bucket.offset);
  }

  protected make(): void {
    const { kernels, block, column } = this.source;
    const { n, validity, bit } = block;
    const { kind, width, offset } = this;
    kernels.bucketFloats(
      kind,
      block.values(column),
      validity[column],
      bit[column],
      n,
      width,
      offset,
      this.words,
      this.wrongs,
    );
  }
}

/** Three centuries of months: beyond, values lie so far apart that a piece is seldom met again, and each costs a move of those above it. */
const MOST_PIECES = 1 << 12;
const FEWEST_PIECES = 64;

/** Buckets of integers, decimals and times of up to 64 bits: by the pieces that their values lie in, found as values come. */
class IntegerBuckets extends Buckets {
  private readonly piece: (value: bigint) => BucketPiece;
  private readonly limits: readonly [bigint, bigint];
  /** What is added to a value to get its word. */
  private readonly sign: bigint;
  /** Words that the pieces begin with, ascending. */
  private firsts: bigint[] = [];
  private room = FEWEST_PIECES;
  private pieces: number;

  constructor(
    source: Source,
    kind: number,
    private readonly steps: KeySteps | undefined,
  ) {
    super(source);
    const { memory, bucket, type } = source;
    this.piece = bucketPiece(bucket, type);
    this.limits = limitsOf(type);
    this.sign = signOf(kind);
    this.pieces = memory.allocate(PIECE_SIZE * this.room);
  }

  protected make(): void {
    const { kernels, memory, block, column } = this.source;
    const { n, encoded, validity, bit } = block;
    for (let row = 0; ; ) {
      row = kernels.bucketWords(
        encoded[column],
        validity[column],
        bit[column],
        row,
        n,
        this.pieces,
        this.firsts.length,
        this.words,
        this.wrongs,
      );
      if (row === n) return;
      this.add(new DataView(memory.bytes.buffer, encoded[column] + 8 * row, 8).getBigUint64(0, true));
    }
  }

  /** Adds the piece of a word that is in none; begins anew where there are too many. */
  private add(word: bigint): void {
    const { memory } = this.source;
    if (this.firsts.length === MOST_PIECES) this.firsts = [];
    if (this.firsts.length === this.room) {
      const size = PIECE_SIZE * this.room;
      this.room *= 2;
      const more = memory.allocate(2 * size);
      memory.bytes.copyWithin(more, this.pieces, this.pieces + size);
      this.pieces = more;
    }
    const { from, to, every, start } = this.piece(word - this.sign);
    const first = from + this.sign;
    const index = this.placeOf(first);
    const at = this.pieces + PIECE_SIZE * index;
    memory.bytes.copyWithin(at + PIECE_SIZE, at, this.pieces + PIECE_SIZE * this.firsts.length);
    this.firsts.splice(index, 0, first);
    const [least, most] = this.limits;
    const wrong = every === 0n && (start < least || start > most);
    // beyond 64 bits there is no second bucket
    const apart = every >> 64n === 0n ? every : 0n;
    const { first: origin, step } = this.steps ?? { first: 0n, step: 1n };
    const view = new DataView(memory.bytes.buffer, at, PIECE_SIZE);
    view.setBigUint64(PIECE_FROM, first, true);
    view.setBigUint64(PIECE_SPAN, to - from, true);
    view.setBigUint64(PIECE_EVERY, apart, true);
    view.setFloat64(PIECE_INVERSE, 1 / Number(apart), true);
    // what stands for a start that is out of range must be a key, no matter which: it fails the run, or a condition drops it
    const made = wrong ? least + this.sign : start + this.sign;
    view.setBigUint64(PIECE_START, made < origin ? 0n : (made - origin) / step, true);
    view.setBigUint64(PIECE_STEP, apart / step, true);
    view.setUint32(PIECE_WRONG, wrong ? 1 : 0, true);
  }

  /** How many pieces begin below a word. */
  private placeOf(word: bigint): number {
    let low = 0;
    let high = this.firsts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.firsts[middle] < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Stands for the code of a start that the type cannot hold. */
const WRONG = 0xffff_ffff;

/** Buckets of what is known by codes in a text pool, decimals of more than 64 bits: a start is made once for each code. */
class CodedBuckets extends Buckets {
  private readonly start: (value: bigint) => bigint;
  /** The code of each code's start. */
  private starts: (number | undefined)[] = [0];
  /** Room for one value, and for its code. */
  private readonly value: number;
  private readonly code: number;
  /** Where the value is, as the pool takes it. */
  private readonly span: number;

  constructor(
    source: Source,
    private readonly width: number,
  ) {
    super(source);
    const { memory, bucket, type } = source;
    this.start = bucketStart(bucket, type) as (value: bigint) => bigint;
    this.value = memory.allocate(width);
    this.code = memory.allocate(8);
    this.span = memory.allocate(8);
    memory.words[this.span / 4] = this.value;
    memory.words[this.span / 4 + 1] = width;
  }

  protected make(): void {
    const { memory, block, column } = this.source;
    const { words } = memory;
    const codes = block.encoded[column] / 4;
    const out = this.words / 4;
    const list = this.wrongs / 4;
    for (let i = 0; i < block.n; i++) {
      const code = words[codes + 2 * i];
      const start = this.starts[code] ?? this.startOf(code);
      words[out + 2 * i] = start === WRONG ? code : start;
      words[out + 2 * i + 1] = 0;
      if (start === WRONG) words[list + ++words[list]] = i;
    }
  }

  override forget(): void {
    this.starts = [0];
  }

  private startOf(code: number): number {
    const { memory, block, column, type } = this.source;
    const pool = block.pools[column];
    if (pool === undefined) throw new TypeError('no text pool');
    const value = this.read(pool.bytesOf(code));
    const start = this.start(value);
    let known = WRONG;
    if (holdsStart(type, value, start)) {
      this.write(start);
      pool.intern(this.span, this.code, 1);
      known = memory.words[this.code / 4];
    }
    this.starts[code] = known;
    return known;
  }

  /** The number whose bytes are in order: big-endian, the sign bit flipped. */
  private read(at: number): bigint {
    const { memory } = this.source;
    const view = new DataView(memory.bytes.buffer, at, this.width);
    let value = 0n;
    for (let b = 0; b < this.width; b += 8) value = (value << 64n) | view.getBigUint64(b);
    return value - (1n << BigInt(8 * this.width - 1));
  }

  private write(value: bigint): void {
    const { memory } = this.source;
    const view = new DataView(memory.bytes.buffer, this.value, this.width);
    let rest = value + (1n << BigInt(8 * this.width - 1));
    for (let b = this.width - 8; b >= 0; b -= 8) {
      view.setBigUint64(b, BigInt.asUintN(64, rest));
      rest >>= 64n;
    }
  }
}
