import { CHUNK_BYTES, CHUNK_GROUPS, type ChunkForm, chunkForm } from './chunk.js';
import { FIELD_SIZE, KIND_U64, SPILLED_WIDE, TABLE_TICKETS, TABLE_WIDES } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { Layout } from './layout.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';
import type { Logged } from './protocol.js';
import { Room } from './room.js';
import type { SpillReaders } from './spill-file.js';
import type { Chunks } from './spill-protocol.js';
import { GroupTable } from './table.js';
import { TextPool } from './text-pool.js';
import { writeFields } from './write-fields.js';

/** Puts the groups of chunks into a table, one behind the other. A key that several chunks have is there as often. */
export class TableLoader {
  readonly table: GroupTable;
  /** Groups so far. */
  groups = 0;
  /** What was logged of them. */
  readonly logged: Logged[] = [];
  private readonly memory: KernelMemory;
  private readonly files: SpillReaders;
  private readonly kernels: Kernels;
  private readonly program: Program;
  private readonly layout: Layout;
  private readonly form: ChunkForm;
  private readonly pools: readonly TextPool[];
  private readonly fields: number;
  private readonly chunk: Room;
  private readonly words: Room;
  private readonly spans: Room;
  private readonly codes: readonly Room[];

  /** `at` is the address of a zeroed header, `groups` how many will be loaded at most. */
  constructor(
    memory: KernelMemory,
    kernels: Kernels,
    program: Program,
    layout: Layout,
    at: number,
    worker: number,
    groups: number,
    files: SpillReaders,
  ) {
    this.memory = memory;
    this.files = files;
    this.kernels = kernels;
    this.program = program;
    this.layout = layout;
    this.form = chunkForm(program);
    this.table = new GroupTable(memory, kernels, program, at);
    this.table.lay(layout, worker, groups);
    this.pools = this.form.pools.map((pool) => new TextPool(memory, this.table.blocks, kernels, at + pool));
    this.fields = writeFields(memory, program.keys, layout);
    this.chunk = new Room(memory);
    this.words = new Room(memory);
    this.spans = new Room(memory);
    this.codes = this.form.pools.map(() => new Room(memory));
  }

  /** Loads `count` chunks of a file from number `from` on. */
  load({ file, offsets }: Chunks, from: number, count: number): void {
    const reader = this.files.open(file);
    for (let chunk = from; chunk < from + count; chunk++) {
      this.memory.heed();
      const size = offsets[chunk + 1] - offsets[chunk];
      // the last text is read 8 bytes at a time, too
      const at = this.chunk.of(size + 8);
      reader.read(this.memory.bytes.subarray(at, at + size), offsets[chunk]);
      if (this.memory.words[at / 4 + CHUNK_BYTES] !== size) {
        throw new Error(`${file}: got other bytes at ${offsets[chunk]} than were written there`);
      }
      this.take(at);
    }
  }

  /** Says how many groups there are, when all are loaded. */
  end(): void {
    const { table, memory, groups } = this;
    table.count(groups);
    memory.words[(table.at + TABLE_TICKETS) / 4] = groups;
  }

  /** Takes the chunk that was read to `chunk`. */
  private take(chunk: number): void {
    const { memory, kernels, program, form, table, groups } = this;
    const header = memory.words.subarray(chunk / 4, (chunk + form.header) / 4);
    const n = header[CHUNK_GROUPS];
    let at = chunk + form.header;
    const section = (bytes: number): number => {
      const here = at;
      at += 8 * Math.ceil(bytes / 8);
      return here;
    };
    const keys = program.keys.map((_, k) => ({
      words: section(8 * n),
      validity: header[form.nulls + k] > 0 ? section(n / 8) : 0,
    }));
    const lanes = section(program.lanes * n);
    const wideCount = header[form.wides];
    const wides = section(SPILLED_WIDE * wideCount);
    const logged = program.gathers.map((_, g) => {
      const [rows, pieces] = header.subarray(form.rows + 2 * g);
      return {
        rows,
        pieces,
        list: section(16 * pieces),
        places: section(4 * rows),
        words: section(8 * rows),
      };
    });
    const codes = form.pools.map((_, p) => {
      const [count, bytes] = header.subarray(form.texts + 2 * p);
      return this.takeTexts(p, count, section(4 * count), section(bytes));
    });
    const replace = (pool: number, where: number, stride: number, length: number, owner: number): void => {
      if (pool !== 0) kernels.replaceCodes(where, stride, length, codes[form.pools.indexOf(pool)], owner);
    };
    form.keyPools.forEach((pool, k) => {
      replace(pool, keys[k].words, 8, n, 0);
    });
    this.packKeys(keys, n);
    for (const { lane, pool } of form.textLanes) replace(pool, lanes + lane, program.lanes, n, table.at);
    const stride = 8 * this.layout.words + program.lanes;
    if (program.ticket !== 0) kernels.numberTickets(lanes + program.ticket, program.lanes, n, groups + 1);
    kernels.scatterLanes(lanes, n, program.lanes, table.lane(0) + stride * groups, stride);
    this.takeWides(wides, wideCount);
    logged.forEach(({ rows, pieces, list, places, words }, gather) => {
      if (rows === 0) return;
      replace(form.gatherPools[gather], words, 8, rows, 0);
      kernels.placesToTickets(places, rows, groups + 1);
      this.takeRows(gather, rows, pieces, list, places, words);
    });
    this.groups += n;
  }

  /** Gives texts codes of the table's pool. Returns where those are, 8 bytes each. */
  private takeTexts(p: number, count: number, lengths: number, bytes: number): number {
    const spans = this.spans.of(8 * count);
    const codes = this.codes[p].of(8 * count);
    this.kernels.spansOf(lengths, count, bytes, spans);
    if (count > 0) this.pools[p].intern(spans, codes, count);
    return codes;
  }

  private packKeys(keys: readonly { readonly words: number; readonly validity: number }[], n: number): void {
    const { kernels, layout, table, groups } = this;
    const words = this.words.of(8 * n * layout.words);
    keys.forEach(({ words: from, validity }, k) => {
      const field = this.fields + k * FIELD_SIZE;
      const done = kernels.pack(field, KIND_U64, from, validity, 0, words, 8 * n, n);
      if (done < n) throw new RangeError(`key ${k} does not fit the layout that was chosen to hold it`);
    });
    const stride = 8 * layout.words + this.program.lanes;
    const record = table.lane(0) - 8 * layout.words + stride * groups;
    for (let word = 0; word < layout.words; word++) {
      kernels.putWords(words + 8 * n * word, 0n, record + 8 * word, stride, n);
    }
  }

  private takeWides(wides: number, count: number): void {
    if (count === 0) return;
    const { kernels, table, groups, program } = this;
    table.holdWides();
    for (let done = 0; ; ) {
      const list = table.get(TABLE_WIDES);
      done = kernels.layWides(wides, done, count, list, groups, program.grids, table.at);
      if (done === count) return;
      table.growWide();
    }
  }

  /** Copies logged rows to memory of their own. */
  private takeRows(
    gather: number,
    rows: number,
    pieces: number,
    list: number,
    places: number,
    words: number,
  ): void {
    const { memory } = this;
    const tickets = memory.allocate(4 * rows);
    memory.bytes.copyWithin(tickets, places, places + 4 * rows);
    const own = memory.allocate(8 * rows);
    memory.bytes.copyWithin(own, words, words + 8 * rows);
    if (pieces === 0) {
      this.logged.push({ gather, place: 0n, tickets, words: own, rows });
      return;
    }
    const view = new DataView(memory.bytes.buffer, list, 16 * pieces);
    let done = 0;
    for (let i = 0; i < pieces; i++) {
      const length = Number(view.getBigUint64(16 * i + 8, true));
      const place = view.getBigUint64(16 * i, true);
      this.logged.push({ gather, place, tickets: tickets + 4 * done, words: own + 8 * done, rows: length });
      done += length;
    }
  }
}
