import {
  BLOCK,
  DENSE,
  TABLE_ARENA,
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
import type { Layout } from './layout.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';
import { blockSize, TableMemory } from './table-memory.js';

const FEWEST_GROUPS = 1024;
const WIDE_ROOM = 64;
/** Groups a slot, at most: above, linear probing grows long. */
const LOAD = 0.25;
const SLOT = 4;
/** The share of what is left that is taken on a guess. */
const EXPECTED_SHARE = 0.75;

const KINDS = { dense: DENSE, word: WORD, words: WORDS };

/** Bytes of the arrays of a table of so many groups. */
function tableBytes({ kind, bits }: Layout, stride: number, groups: number): number {
  if (kind === 'dense') return blockSize(stride * (2 ** bits + 1));
  const limit = 2 ** Math.ceil(Math.log2(Math.max(FEWEST_GROUPS, groups)));
  return blockSize(stride * (limit + 1)) + blockSize((limit / LOAD) * SLOT);
}

/** Room for a block's probe: rows that are searched for, the words of those that begin a run, and where these were found. */
interface Scratch {
  readonly misses: number;
  readonly heads: number;
  readonly found: number;
}

/** One worker's groups: the header at `at`, its records and slots. Only one task uses it at a time. */
export class GroupTable {
  readonly at: number;
  readonly blocks: TableMemory;
  private room: Scratch | undefined;
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
    const stride = this.describe(layout, number);
    const dense = layout.kind === 'dense';
    const limit = dense ? 2 ** layout.bits : FEWEST_GROUPS;
    this.set(TABLE_LIMIT, limit);
    this.set(TABLE_GROUPS, dense ? limit : 0);
    this.set(TABLE_RECORDS, this.zeroed(stride * (limit + this.spares)));
    this.set(TABLE_SLOTS, 0);
    this.set(TABLE_WIDES, 0);
    if (!dense) this.setSlots(limit);
  }

  /** Begins a table of exactly so many groups, which are put into its records as they are: nothing can be found in it. */
  lay(layout: Layout, number: number, groups: number): void {
    const stride = this.describe(layout, number);
    this.set(TABLE_LIMIT, groups);
    this.set(TABLE_GROUPS, groups);
    this.set(TABLE_RECORDS, this.memory.allocate(stride * (groups + this.spares)));
  }

  /** Writes what the header says of records; returns their stride. */
  private describe(layout: Layout, number: number): number {
    const stride = 8 * layout.words + this.program.lanes;
    this.set(TABLE_KIND, KINDS[layout.kind]);
    this.set(TABLE_WORDS, layout.words);
    this.set(TABLE_STRIDE, stride);
    this.set(TABLE_ROWS, 8 * layout.words);
    this.set(TABLE_NUMBER, number);
    return stride;
  }

  /** Says how many of the groups that there is room for are there. */
  count(groups: number): void {
    this.set(TABLE_GROUPS, groups);
  }

  /** Gives up all groups and texts, and all memory but the header. */
  clear(): void {
    const arena = this.get(TABLE_ARENA);
    this.memory.zero(this.at, this.program.tableSize);
    this.set(TABLE_ARENA, arena);
    this.blocks.memory.giveUp();
  }

  private zeroed(size: number): number {
    const at = this.blocks.allocate(size);
    this.memory.zero(at, size);
    return at;
  }

  private setSlots(limit: number): void {
    this.useSlots(limit, this.zeroed((limit / LOAD) * SLOT));
  }

  private useSlots(limit: number, at: number): void {
    const slots = limit / LOAD;
    this.set(TABLE_SLOTS, at);
    this.set(TABLE_MASK, slots - 1);
    this.set(TABLE_SHIFT, 65 - Math.log2(slots));
  }

  /** Makes room for as many groups, rounded up to a power of two. */
  private resize(groups: number): void {
    const stride = this.get(TABLE_STRIDE);
    const limit = this.get(TABLE_LIMIT);
    const records = this.get(TABLE_RECORDS);
    const larger = 2 ** Math.ceil(Math.log2(groups));
    const { grids } = this.program;
    const wides = this.get(TABLE_WIDES);
    // all of it, or nothing: where there is no room, what is there can still be spilled
    const more = this.blocks.allocate(stride * (larger + this.spares));
    const slots = this.blocks.allocate((larger / LOAD) * SLOT);
    const moreWides = wides === 0 ? 0 : this.blocks.allocate(4 * grids * (larger + this.spares));
    this.memory.bytes.copyWithin(more, records, records + stride * limit);
    this.memory.zero(more + stride * limit, stride * (larger + this.spares - limit));
    this.blocks.free(records, stride * (limit + this.spares));
    this.set(TABLE_RECORDS, more);
    this.set(TABLE_LIMIT, larger);
    this.blocks.free(this.get(TABLE_SLOTS), (limit / LOAD) * SLOT);
    this.memory.zero(slots, (larger / LOAD) * SLOT);
    this.useSlots(larger, slots);
    this.kernels.rehash(this.at);
    if (wides !== 0) {
      const size = 4 * grids * limit;
      this.memory.zero(moreWides, 4 * grids * (larger + this.spares));
      this.memory.bytes.copyWithin(moreWides, wides, wides + size);
      this.set(TABLE_WIDES, moreWides);
      this.blocks.free(wides, size + 4 * grids * this.spares);
    }
  }

  /** @throws MemoryLimitError where its memory has no room for a table of this layout beside it. */
  requireRoomFor(layout: Layout): void {
    const groups = this.kernels.countGroups(this.at);
    this.requireRoom(2 * tableBytes(layout, 8 * layout.words + this.program.lanes, groups));
  }

  /** @throws MemoryLimitError where its memory has less than `bytes` left. */
  requireRoom(bytes: number): void {
    const { memory } = this.blocks;
    if (memory.free < bytes) throw memory.fullError(bytes, memory.free);
  }

  /** Finds the groups of `n` rows by their key words, and makes those that are missing: writes the offsets of their records. */
  probe(words: number, wordStride: number, offsets: number, n: number): void {
    const { kernels, at } = this;
    const kind = this.get(TABLE_KIND);
    if (kind === DENSE) {
      kernels.probeDense(at, words, offsets, n);
      return;
    }
    if (kind === WORD && this.probeRuns(words, offsets, n)) return;
    this.probeRows(words, wordStride, offsets, n);
  }

  /** Looks up the first row of each run of equal keys; false where runs are short, and nothing was done. */
  private probeRuns(words: number, offsets: number, n: number): boolean {
    const { kernels } = this;
    const { heads, found } = this.scratch;
    const count = kernels.headsOf(words, n, heads);
    if (count === 0) return false;
    this.probeRows(heads, 0, found, count);
    kernels.spreadHeads(words, n, found, offsets);
    return true;
  }

  private probeRows(words: number, wordStride: number, offsets: number, n: number): void {
    const { kernels, at } = this;
    const { misses } = this.scratch;
    for (let done = 0; ; ) {
      const w = words + 8 * done;
      const o = offsets + 4 * done;
      done += kernels.probe(at, w, wordStride, o, n - done, misses);
      if (done === n) return;
      this.resize(2 * this.get(TABLE_LIMIT));
    }
  }

  /** Room for a block's probe. */
  private get scratch(): Scratch {
    const { memory } = this;
    this.room ??= {
      misses: memory.allocate(4 * BLOCK),
      heads: memory.allocate(8 * BLOCK),
      found: memory.allocate(4 * BLOCK),
    };
    return this.room;
  }

  /** Gives every group a place for the addresses of its wide sums. */
  holdWides(): void {
    if (this.get(TABLE_WIDES) !== 0) return;
    this.set(TABLE_WIDES, this.zeroed(4 * this.program.grids * (this.get(TABLE_LIMIT) + this.spares)));
  }

  /** Bytes that `groups` wide sums take of each kind, at most. */
  wideBytes(groups: number): number {
    const { grids } = this.program;
    const list = this.hasWides ? 0 : blockSize(4 * grids * (this.get(TABLE_LIMIT) + this.spares));
    return list + WIDE_SIZE * (grids * groups + WIDE_ROOM);
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
    if (this.get(TABLE_KIND) === DENSE || groups <= this.get(TABLE_LIMIT)) return;
    const size = blockSize(this.get(TABLE_STRIDE) * groups) + blockSize((groups / LOAD) * SLOT);
    if (size <= EXPECTED_SHARE * this.blocks.memory.free) this.resize(groups);
  }

  /** Groups there is room for. */
  get limit(): number {
    return this.get(TABLE_LIMIT);
  }

  /** Gives the table more room for wide sums. */
  growWide(): void {
    this.holdWides();
    const room = this.blocks.memory.allocate(WIDE_SIZE * WIDE_ROOM);
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
