import {
  BLOCK,
  DENSE,
  FIELD_BASE,
  FIELD_FLIP,
  FIELD_MASK,
  FIELD_NUDGE,
  FIELD_NULL_CODE,
  FIELD_NULL_FIRST,
  FIELD_NULL_SETS,
  FIELD_NULL_SHIFT,
  FIELD_NULL_WORD,
  FIELD_NULLS,
  FIELD_SETS,
  FIELD_SHIFT,
  FIELD_SIZE,
  FIELD_SPAN,
  FIELD_WORD,
  NULLS_APART,
  NULLS_CODED,
  NULLS_NONE,
  TABLE_GROUPS,
  TABLE_KIND,
  TABLE_LIMIT,
  TABLE_MASK,
  TABLE_NUMBER,
  TABLE_RECORDS,
  TABLE_ROWS,
  TABLE_SHIFT,
  TABLE_SLOTS,
  TABLE_STRIDE,
  TABLE_WIDES,
  TABLE_WORDS,
  WIDE_END,
  WIDE_NEXT,
  WIDE_SIZE,
  WORD,
  WORDS,
} from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { FieldLayout, Layout } from './layout.js';
import { type KernelMemory, TableMemory } from './memory.js';
import type { KeyProgram, Program } from './program.js';

const FEWEST_GROUPS = 1024;
const WIDE_ROOM = 64;
/** Groups a slot, at most: above, linear probing grows long. */
const LOAD = 0.5;
const SLOT = 8;

const NULLS = { none: NULLS_NONE, coded: NULLS_CODED, apart: NULLS_APART };
const KINDS = { dense: DENSE, word: WORD, words: WORDS };

/** Writes a layout's fields where the kernels read them; returns the address of the first. */
export function writeFields(memory: KernelMemory, keys: readonly KeyProgram[], layout: Layout): number {
  const at = memory.allocateZeroed(FIELD_SIZE * keys.length);
  const view = new DataView(memory.bytes.buffer, at, FIELD_SIZE * keys.length);
  const written = new Set<number>();
  const sets = (word: number): number => {
    const first = !written.has(word);
    written.add(word);
    return first ? 1 : 0;
  };
  layout.fields.forEach((field: FieldLayout, k) => {
    const key = keys[k];
    const o = k * FIELD_SIZE;
    const first = key.nullsFirst;
    view.setBigUint64(o + FIELD_BASE, field.base, true);
    view.setBigUint64(o + FIELD_SPAN, field.span, true);
    view.setBigUint64(o + FIELD_NULL_CODE, first ? 0n : field.span + 1n, true);
    view.setUint32(o + FIELD_NUDGE, field.nulls === 'coded' && first ? 1 : 0, true);
    view.setUint32(o + FIELD_WORD, field.word, true);
    view.setUint32(o + FIELD_SHIFT, field.shift, true);
    view.setBigUint64(o + FIELD_MASK, (1n << BigInt(field.bits)) - 1n, true);
    view.setUint32(o + FIELD_FLIP, key.descending && !key.text ? 1 : 0, true);
    view.setUint32(o + FIELD_NULLS, NULLS[field.nulls], true);
    view.setUint32(o + FIELD_NULL_WORD, field.nullWord, true);
    view.setUint32(o + FIELD_NULL_SHIFT, field.nullShift, true);
    view.setUint32(o + FIELD_NULL_FIRST, first ? 1 : 0, true);
    if (field.nulls === 'apart') view.setUint32(o + FIELD_NULL_SETS, sets(field.nullWord), true);
    view.setUint32(o + FIELD_SETS, sets(field.word), true);
  });
  return at;
}

/** One worker's groups: the header at `at`, its records and slots. Only one task uses it at a time. */
export class GroupTable {
  readonly at: number;
  readonly blocks: TableMemory;
  private searching = 0;
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly program: Program;

  constructor(memory: KernelMemory, kernels: Kernels, program: Program, at: number) {
    this.memory = memory;
    this.kernels = kernels;
    this.program = program;
    this.at = at;
    this.blocks = new TableMemory(memory, at);
  }

  get(field: number): number {
    return this.memory.words[(this.at + field) / 4];
  }

  private set(field: number, value: number): void {
    this.memory.words[(this.at + field) / 4] = value;
  }

  /** Where a lane of the first record is. */
  lane(lane: number): number {
    return this.get(TABLE_RECORDS) + this.offset(lane);
  }

  /** Where a lane is in a record. */
  offset(lane: number): number {
    return this.get(TABLE_ROWS) + lane;
  }

  /** Begins an empty table of a layout. */
  start(layout: Layout, number: number): void {
    const stride = 8 * layout.words + this.program.lanes;
    this.set(TABLE_KIND, KINDS[layout.kind]);
    this.set(TABLE_WORDS, layout.words);
    this.set(TABLE_STRIDE, stride);
    this.set(TABLE_ROWS, 8 * layout.words);
    this.set(TABLE_NUMBER, number);
    const dense = layout.kind === 'dense';
    const limit = dense ? 2 ** layout.bits : FEWEST_GROUPS;
    this.set(TABLE_LIMIT, limit);
    this.set(TABLE_GROUPS, dense ? limit : 0);
    this.set(TABLE_RECORDS, this.zeroed(stride * (limit + this.spares)));
    this.set(TABLE_SLOTS, 0);
    this.set(TABLE_WIDES, 0);
    if (!dense) this.setSlots(limit);
  }

  private zeroed(size: number): number {
    const at = this.blocks.allocate(size);
    this.memory.zero(at, size);
    return at;
  }

  private setSlots(limit: number): void {
    const slots = limit / LOAD;
    this.set(TABLE_SLOTS, this.zeroed(slots * SLOT));
    this.set(TABLE_MASK, slots - 1);
    this.set(TABLE_SHIFT, 64 - Math.log2(slots));
  }

  /** Makes room for as many groups, rounded up to a power of two. */
  private resize(groups: number): void {
    const stride = this.get(TABLE_STRIDE);
    const limit = this.get(TABLE_LIMIT);
    const records = this.get(TABLE_RECORDS);
    const larger = 2 ** Math.ceil(Math.log2(groups));
    const more = this.blocks.allocate(stride * (larger + this.spares));
    this.memory.bytes.copyWithin(more, records, records + stride * limit);
    this.memory.zero(more + stride * limit, stride * (larger + this.spares - limit));
    this.blocks.free(records, stride * (limit + this.spares));
    this.set(TABLE_RECORDS, more);
    this.set(TABLE_LIMIT, larger);
    this.blocks.free(this.get(TABLE_SLOTS), (limit / LOAD) * SLOT);
    this.setSlots(larger);
    this.kernels.rehash(this.at);
    const wides = this.get(TABLE_WIDES);
    if (wides !== 0) {
      const size = 4 * this.program.grids * limit;
      this.set(TABLE_WIDES, this.zeroed(4 * this.program.grids * (larger + this.spares)));
      this.memory.bytes.copyWithin(this.get(TABLE_WIDES), wides, wides + size);
      this.blocks.free(wides, size + 4 * this.program.grids * this.spares);
    }
  }

  /** Finds the groups of `n` rows by their key words, and makes those that are missing: writes the offsets of their records. */
  probe(words: number, wordStride: number, offsets: number, n: number): void {
    const { kernels, at } = this;
    const kind = this.get(TABLE_KIND);
    if (kind === DENSE) {
      kernels.probeDense(at, words, offsets, n);
      return;
    }
    for (let done = 0; ; ) {
      const w = words + 8 * done;
      const o = offsets + 4 * done;
      done +=
        kind === WORD
          ? kernels.probeWord(at, w, o, n - done, this.scratch)
          : kernels.probeWords(at, w, wordStride, o, n - done);
      if (done === n) return;
      this.resize(2 * this.get(TABLE_LIMIT));
    }
  }

  /** Room for a block's probe. */
  private get scratch(): number {
    this.searching ||= this.memory.allocate(12 * BLOCK);
    return this.searching;
  }

  /** Gives every group a place for the addresses of its wide sums. */
  holdWides(): void {
    if (this.get(TABLE_WIDES) !== 0) return;
    this.set(TABLE_WIDES, this.zeroed(4 * this.program.grids * (this.get(TABLE_LIMIT) + this.spares)));
  }

  get hasWides(): boolean {
    return this.get(TABLE_WIDES) !== 0;
  }

  /** Records behind the last: one where the query has conditions. */
  private get spares(): number {
    return this.program.filters.length > 0 ? 1 : 0;
  }

  /** Offset of the spare record, behind the last one: what rows are folded into that no group takes. */
  get spare(): number {
    return this.get(TABLE_STRIDE) * this.get(TABLE_LIMIT);
  }

  /** Groups so far; of a counting table its capacity. */
  get groups(): number {
    return this.get(TABLE_GROUPS);
  }

  /** Makes room for groups that are yet to come, so that the table need not grow step by step. */
  expect(groups: number): void {
    if (this.get(TABLE_KIND) !== DENSE && groups > this.get(TABLE_LIMIT)) this.resize(groups);
  }

  /** Gives the table more room for wide sums. */
  growWide(): void {
    this.holdWides();
    const room = this.memory.allocate(WIDE_SIZE * WIDE_ROOM);
    this.set(WIDE_NEXT, room);
    this.set(WIDE_END, room + WIDE_SIZE * WIDE_ROOM);
  }

  /** Gives the arrays of groups, not what they point to, to another table's free blocks. */
  drop(blocks: TableMemory): void {
    const limit = this.get(TABLE_LIMIT);
    blocks.free(this.get(TABLE_RECORDS), this.get(TABLE_STRIDE) * (limit + this.spares));
    if (this.get(TABLE_SLOTS) !== 0) blocks.free(this.get(TABLE_SLOTS), (limit / LOAD) * SLOT);
  }
}
