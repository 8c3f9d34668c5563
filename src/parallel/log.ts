import type { Block } from './block.js';
import { BLOCK } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import { type Morsel, placeOf } from './morsel.js';
import type { GatherProgram, Program } from './program.js';
import type { Logged } from './protocol.js';
import type { GroupTable } from './table.js';

/** Rows that there is room for at a time: small morsels share it. */
const ROOM = 1 << 14;

/** Pairs of a group and a value that are remembered where values are asked for once. A power of two. */
const SEEN = 1 << 16;
/** Rows that are logged before it begins, rows after which it is judged, and rows that it is left alone for where more than a share of those was new. */
const SEEN_FROM = 1 << 13;
const SEEN_TRIES = 1 << 15;
const SEEN_IDLE = 1 << 18;
const SEEN_SHARE = 0.75;
/** The share of what memory is left that they may take. */
const SEEN_MEMORY = 1 / 64;

interface Page {
  tickets: number;
  words: number;
  /** Rows there is room for, and rows in use. */
  room: number;
  used: number;
  /** Where the morsel at hand begins. */
  start: number;
  /** Where the pairs that were logged of late are, 0: nowhere yet. Rows that are not looked up there; of those that were, how many were new. */
  seen: number;
  idle: number;
  tried: number;
  fresh: number;
}

/** Writes down the rows of a worker's morsels whose values are gathered by group once the groups stand in order. */
export class RowLog {
  logged: Logged[];
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly program: Program;
  private readonly table: GroupTable;
  private readonly pages: readonly Page[];
  /** Room for the bits of the rows that have both of two values, and for a list of rows. */
  private readonly both: number;
  private readonly room: number;
  private readonly picks: number;
  private place = 0n;

  /** @param logged what was logged of the table before. */
  constructor(
    memory: KernelMemory,
    kernels: Kernels,
    program: Program,
    table: GroupTable,
    logged: readonly Logged[],
  ) {
    this.logged = [...logged];
    this.memory = memory;
    this.kernels = kernels;
    this.program = program;
    this.table = table;
    this.pages = program.gathers.map(() => ({
      ...{ tickets: 0, words: 0, room: 0, used: 0, start: 0 },
      ...{ seen: 0, idle: SEEN_FROM, tried: 0, fresh: 0 },
    }));
    // every round of an input has a log of its own, most of them for nothing
    const rows = program.gathers.length === 0 ? 0 : BLOCK;
    this.both = memory.allocate(rows / 8);
    this.room = memory.allocate(rows / 8);
    this.picks = memory.allocate(4 * rows);
  }

  /** Begins to log a morsel from one of its rows on. What it will need at most is there afterwards. */
  begin(morsel: Morsel, row: number): void {
    this.place = placeOf(morsel, row);
    const { memory } = this.table.blocks;
    const rows = morsel.rows - row;
    for (const page of this.pages) {
      if (page.used + rows > page.room) {
        const room = Math.max(ROOM, rows);
        page.tickets = memory.allocate(4 * room);
        page.words = memory.allocate(8 * room);
        page.room = room;
        page.used = 0;
      }
      page.start = page.used;
    }
  }

  /** Forgets all rows, and where they were: the table was spilled. */
  clear(): void {
    this.logged = [];
    for (const page of this.pages) {
      page.room = 0;
      page.used = 0;
      page.start = 0;
      // tickets begin anew
      if (page.seen !== 0) this.memory.zero(page.seen, 16 * SEEN);
    }
  }

  /** Logs a block's rows. `kept` are bits of the rows that each of the program's filters keeps. */
  take(block: Block, offsets: number, kept: readonly number[]): void {
    const { kernels, picks } = this;
    this.program.gathers.forEach((gather, g) => {
      if (gather.owner >= 0) return;
      if (gather.filter < 0) this.write(gather, g, block, offsets, 0, block.n);
      else
        this.write(gather, g, block, offsets, picks, kernels.listBits(kept[gather.filter], block.n, picks));
    });
  }

  /** Logs rows that a state could not take: those listed at `picks`. Their offsets lead to the spare record where its condition fails. */
  escape(gathers: readonly number[], block: Block, offsets: number, picks: number, count: number): void {
    for (const g of new Set(gathers)) this.write(this.program.gathers[g], g, block, offsets, picks, count);
  }

  private write(
    gather: GatherProgram,
    g: number,
    block: Block,
    offsets: number,
    picks: number,
    n: number,
  ): void {
    const { kernels, table, program } = this;
    const { column, second, form, nulls } = gather;
    const page = this.pages[g];
    const ticket = table.offset(program.ticket);
    const words = this.wordsOf(block, form, column);
    const coded = form === 'rank' || form === 'entry' ? 1 : 0;
    const [validity, bit] = [block.validity[column], block.bit[column]];
    const seen = gather.distinct ? this.seenOf(page, n) : 0;
    if (seen !== 0) {
      const out = this.picks;
      const mask = SEEN - 1;
      const rows = [table.at, ticket, offsets, words, coded, validity, bit, picks, n] as const;
      const fresh = kernels.listFresh(...rows, seen, mask, out);
      page.fresh += fresh;
      [picks, n] = [out, fresh];
    }
    page.used += kernels.logRows(
      table.at,
      ticket,
      offsets,
      table.spare,
      words,
      coded,
      validity,
      bit,
      second < 0 ? 0 : this.bothOf(block, column, second),
      nulls ? 1 : 0,
      picks,
      n,
      page.tickets + 4 * page.used,
      page.words + 8 * page.used,
    );
  }

  /** Where to look up `n` rows among the pairs that were logged of late; 0 where that is of little use. */
  private seenOf(page: Page, n: number): number {
    if (page.tried >= SEEN_TRIES) {
      if (page.fresh > SEEN_SHARE * page.tried) page.idle = SEEN_IDLE;
      page.tried = 0;
      page.fresh = 0;
    }
    if (page.idle > 0) {
      page.idle -= n;
      return 0;
    }
    if (page.seen === 0) {
      if (this.memory.free < (16 * SEEN) / SEEN_MEMORY) return 0;
      page.seen = this.memory.allocateZeroed(16 * SEEN);
    }
    page.tried += n;
    return page.seen;
  }

  private wordsOf(block: Block, form: GatherProgram['form'], column: number): number {
    if (form === 'order') return block.encoded[column];
    return form === 'raw' ? block.values(column) : block.exact[column];
  }

  private bothOf(block: Block, column: number, second: number): number {
    const [own, other] = [block.valid(column), block.valid(second)];
    this.kernels.bothValid(own.at, own.bit, other.at, other.bit, block.n, this.both, this.room);
    return this.both;
  }

  end(): void {
    this.pages.forEach(({ tickets, words, used, start }, gather) => {
      if (used === start) return;
      this.logged.push({
        gather,
        place: this.place,
        tickets: tickets + 4 * start,
        words: words + 8 * start,
        rows: used - start,
      });
      this.pages[gather].start = used;
    });
  }
}
