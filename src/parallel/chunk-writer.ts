import { CHUNK_BYTES, CHUNK_GROUPS, type ChunkForm, chunkForm } from './chunk.js';
import { FIELD_SIZE, POOL_COUNT, SPILLED_WIDE } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import { joinAll, type KeyExtent, type Layout, NOTHING } from './layout.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';
import { Room, Sheet } from './room.js';
import { zeroWord } from './storage.js';
import { writeFields } from './write-fields.js';

/** Rows of a chunk that were logged together, in their order: the numbers of their groups, and their words. Addresses. */
export interface ChunkRows {
  readonly place: bigint;
  readonly places: number;
  readonly words: number;
  readonly rows: number;
}

/** Puts groups of a table together as chunks of a file. */
export class ChunkWriter {
  /** Of all groups that were written. */
  extents: KeyExtent[];
  /** Texts in the last chunk. */
  texts = 0;
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly program: Program;
  private readonly form: ChunkForm;
  private readonly sheet: Sheet;
  private readonly maps: readonly { readonly map: Room; readonly list: Room }[];
  private readonly pair: number;
  private table = 0;
  private layout: Layout | undefined;
  private fields = 0;
  private map: number[] = [];
  private list: number[] = [];

  constructor(memory: KernelMemory, kernels: Kernels, program: Program) {
    this.memory = memory;
    this.kernels = kernels;
    this.program = program;
    this.form = chunkForm(program);
    this.sheet = new Sheet(memory);
    this.maps = this.form.pools.map(() => ({ map: new Room(memory), list: new Room(memory) }));
    this.pair = memory.allocate(16);
    this.extents = program.keys.map(() => NOTHING);
  }

  /** Turns to a table. */
  begin(table: number, layout: Layout): void {
    const { memory, program, form } = this;
    this.table = table;
    this.layout = layout;
    this.fields = writeFields(memory, program.keys, layout);
    this.extents = program.keys.map(() => NOTHING);
    const sizes = form.pools.map((pool) => 4 * (memory.words[(table + pool + POOL_COUNT) / 4] + 1));
    this.map = sizes.map((size, p) => this.maps[p].map.of(size + 8));
    this.list = sizes.map((size, p) => this.maps[p].list.of(size));
    for (const [p, size] of sizes.entries()) memory.zero(this.map[p], size);
  }

  /** The chunk of `n` groups, good until the next is made. `rows` are those of each gather; none: those of no group are written. */
  write(refs: number, n: number, rows: readonly (readonly ChunkRows[])[]): Uint8Array {
    const { memory, kernels, program, form, sheet, layout } = this;
    if (layout === undefined) throw new TypeError('no table');
    sheet.used = 0;
    sheet.take(form.header);
    const nulls: number[] = [];
    const keys = program.keys.map((_, k) => {
      const at = sheet.take(8 * n);
      nulls.push(this.writeKey(k, refs, n, at));
      return at;
    });
    const lanes = sheet.take(program.lanes * n);
    kernels.gatherLanes(refs, n, 8 * layout.words, program.lanes, sheet.at(lanes));
    const wides = program.grids === 0 ? 0 : kernels.packWides(refs, n, program.grids, 0);
    const wideAt = sheet.take(SPILLED_WIDE * wides);
    if (wides > 0) kernels.packWides(refs, n, program.grids, sheet.at(wideAt));
    const logged = program.gathers.map((_, g) => this.writeRows(rows[g] ?? [], form.ordered[g]));
    const texts = form.pools.map((pool, p) => {
      let count = 0;
      const renumber = (offset: number, stride: number, length: number): void => {
        count = kernels.renumberCodes(sheet.at(offset), stride, length, this.map[p], this.list[p], count);
      };
      form.keyPools.forEach((own, k) => {
        if (own === pool) renumber(keys[k], 8, n);
      });
      for (const { lane, pool: own } of form.textLanes) {
        if (own === pool) renumber(lanes + lane, program.lanes, n);
      }
      form.gatherPools.forEach((own, g) => {
        if (own === pool) renumber(logged[g].words, 8, logged[g].rows);
      });
      return { count, bytes: this.writeTexts(pool, p, count) };
    });
    this.texts = texts.reduce((sum, { count }) => sum + count, 0);
    const header = sheet.at(0) / 4;
    const { words } = memory;
    words[header + CHUNK_BYTES] = sheet.used;
    words[header + CHUNK_GROUPS] = n;
    words.set(nulls, header + form.nulls);
    words.set(
      texts.flatMap(({ count, bytes }) => [count, bytes]),
      header + form.texts,
    );
    words[header + form.wides] = wides;
    words.set(
      logged.flatMap((one) => [one.rows, one.pieces]),
      header + form.rows,
    );
    return sheet.bytes;
  }

  /** Writes a key's encoded words, and behind them which are null if any is. Returns how many are. */
  private writeKey(k: number, refs: number, n: number, at: number): number {
    const { memory, kernels, program, sheet } = this;
    const { storage } = program.columns[program.keys[k].column];
    const zero = storage.shape === 'bytes' ? 0n : zeroWord(storage.kind);
    const validity = sheet.take(n / 8);
    const words = sheet.at(at);
    const nulls = kernels.unpack(this.fields + k * FIELD_SIZE, refs, n, zero, words, sheet.at(validity));
    if (!program.keys[k].text) {
      kernels.extent(words, nulls > 0 ? sheet.at(validity) : 0, 0, n, this.pair);
      const view = new DataView(memory.bytes.buffer, this.pair, 16);
      const seen = { least: view.getBigUint64(0, true), most: view.getBigUint64(8, true), nulls: nulls > 0 };
      const own = program.keys.map((_, i) => (i === k ? seen : NOTHING));
      this.extents = joinAll(this.extents, own);
    }
    if (nulls === 0) sheet.used = validity;
    return nulls;
  }

  private writeRows(
    all: readonly ChunkRows[],
    ordered: boolean,
  ): { readonly rows: number; readonly pieces: number; readonly words: number } {
    const { memory, sheet } = this;
    const rows = all.reduce((sum, piece) => sum + piece.rows, 0);
    const pieces = ordered ? all.length : 0;
    const list = sheet.take(16 * pieces);
    const view = new DataView(memory.bytes.buffer, sheet.at(list), 16 * pieces);
    for (let i = 0; i < pieces; i++) {
      view.setBigUint64(16 * i, all[i].place, true);
      view.setBigUint64(16 * i + 8, BigInt(all[i].rows), true);
    }
    const places = sheet.take(4 * rows);
    const words = sheet.take(8 * rows);
    let done = 0;
    for (const piece of all) {
      const end = piece.places + 4 * piece.rows;
      memory.bytes.copyWithin(sheet.at(places) + 4 * done, piece.places, end);
      memory.bytes.copyWithin(sheet.at(words) + 8 * done, piece.words, piece.words + 8 * piece.rows);
      done += piece.rows;
    }
    return { rows, pieces, words };
  }

  /** Writes the texts of a pool that the chunk names. Returns their bytes. */
  private writeTexts(pool: number, p: number, count: number): number {
    const { kernels, sheet, table } = this;
    const bytes = Number(kernels.listedBytes(table + pool, this.list[p], count));
    const lengths = sheet.take(4 * count);
    const at = sheet.take(bytes);
    kernels.packListed(table + pool, this.list[p], count, sheet.at(lengths), sheet.at(at));
    kernels.forgetCodes(this.map[p], this.list[p], count);
    return bytes;
  }
}
