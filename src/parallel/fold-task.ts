import type { Batch } from '../core/column.js';
import { requireBatch } from '../core/require-batch.js';
import type { ReadPart } from '../core/source.js';
import { Block } from './block.js';
import { BlockKeys } from './block-keys.js';
import { agree } from './board.js';
import { dealt } from './dealt.js';
import { StateFold } from './fold-states.js';
import { BLOCK, FIELD_SIZE } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import { chooseLayout, extentOf, joinAll, type Layout } from './layout.js';
import { RowLog } from './log.js';
import { isArenaFull, type KernelMemory, limitError } from './memory.js';
import type { Morsel } from './morsel.js';
import { ALL_GROUPS, expectGroups } from './plan.js';
import type { FoldInput, FoldOutput } from './protocol.js';
import { relayout } from './relayout-task.js';
import { Selection } from './selection.js';
import type { SpilledRun } from './spill-protocol.js';
import { Spiller } from './spiller.js';
import { GroupTable } from './table.js';
import { writeFields } from './write-fields.js';

/**
 * Fold: every worker takes morsels of the round until there are none, and folds their rows into its own table.
 * Called once a round and worker, in parallel; writes only its own table's memory. Afterwards every row of the round
 * is in exactly one table.
 */
export async function foldTask(
  memory: KernelMemory,
  kernels: Kernels,
  input: FoldInput,
): Promise<FoldOutput> {
  const fold = new Fold(memory, kernels, input);
  for (const morsel of dealt(memory, input)) {
    memory.heed();
    if (morsel.kind === 'morsel') fold.take(morsel);
    else await fold.takePart(morsel.part, morsel.module, morsel.data);
  }
  return fold.output;
}

class Fold {
  private layout: Layout | undefined;
  private rows = 0;
  private relayouts = 0;
  /** What of the table was spilled. */
  private readonly runs: SpilledRun[] = [];
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly input: FoldInput;
  private readonly table: GroupTable;
  private readonly block: Block;
  private readonly keys: BlockKeys;
  private fields = 0;
  private words: number;
  private wordRoom = 1;
  private readonly offsets: number;
  private readonly selection: Selection;
  private readonly states: StateFold;
  private readonly log: RowLog;
  private readonly spiller: Spiller;

  constructor(memory: KernelMemory, kernels: Kernels, input: FoldInput) {
    this.memory = memory;
    this.kernels = kernels;
    this.input = input;
    this.table = new GroupTable(memory, kernels, input.program, input.table);
    this.block = new Block(memory, kernels, input.program, this.table);
    this.keys = new BlockKeys(memory, kernels, input.program, this.block);
    this.words = memory.allocate(8 * BLOCK);
    this.offsets = memory.allocate(4 * BLOCK);
    this.selection = new Selection(memory, kernels, input.program);
    const { program, grids, additions } = input;
    this.log = new RowLog(memory, kernels, program, this.table, input.logged);
    this.spiller = new Spiller(memory, kernels, program, this.table);
    this.states = new StateFold(memory, kernels, program, this.table, this.log, grids, additions);
    if (input.layout !== undefined) this.use(input.layout, false);
  }

  get output(): FoldOutput {
    const { layout, rows, relayouts, runs, kernels, input, log, keys } = this;
    const groups = layout === undefined ? 0 : kernels.countGroups(input.table);
    return { layout, rows, groups, relayouts, logged: log.logged, wrongKeys: [...keys.wrong], runs };
  }

  private use(layout: Layout, start: boolean): void {
    const { memory, input } = this;
    if (start) this.table.start(layout, input.worker);
    this.layout = layout;
    this.fields = writeFields(memory, input.program.keys, layout);
    if (layout.words > this.wordRoom) {
      this.wordRoom = layout.words;
      this.words = memory.allocate(8 * BLOCK * layout.words);
    }
  }

  async takePart(part: number, module: string, data: unknown): Promise<void> {
    const { read } = (await import(module)) as { read: ReadPart };
    const { fields } = this.input;
    const columns = fields.map(({ name }) => name);
    let row = 0;
    for await (const batch of read(data, columns)) {
      this.memory.heed();
      requireBatch(batch, fields, `part ${part}`);
      this.block.forgetDictionaries();
      this.takeBatch(batch, part, row);
      row += batch.rows;
    }
  }

  private takeBatch({ rows, columns }: Batch, part: number, row: number): void {
    const { morselRows } = this.input;
    for (let start = 0; start < rows; start += morselRows) {
      this.take({ columns, start, rows: Math.min(morselRows, rows - start), source: 'part', part, row });
    }
  }

  take(morsel: Morsel): void {
    const { memory } = this;
    if (morsel.rows === 0) return;
    this.roomy(
      () => this.begin(morsel, 0),
      () => undefined,
    );
    const fresh = this.layout === undefined;
    if (fresh) {
      this.roomy(
        () => this.use(agree(memory, this.input.board, this.chooseFrom(morsel.rows)), true),
        () => this.begin(morsel, 0),
      );
    }
    for (let row = 0; row < morsel.rows; row += BLOCK) {
      memory.heed();
      if (this.isDue()) {
        this.spill();
        this.begin(morsel, row);
      }
      const kept = this.roomy(
        () => this.place(row, morsel.rows),
        () => this.begin(morsel, row),
      );
      if (kept) this.foldBlock();
    }
    this.log.end();
    if (fresh) this.table.expect(expectGroups(this.table.groups, morsel.rows, this.input.expectedRows));
    this.rows += morsel.rows;
    memory.countRows(morsel.rows);
  }

  /** Loads the next block of a morsel of `rows` rows; false where no row of it is kept. */
  private load(row: number, rows: number): boolean {
    const { block } = this;
    block.turn(row, Math.min(BLOCK, rows - row));
    this.selection.take(block);
    if (block.n === 0) return false;
    block.load();
    this.keys.load();
    return true;
  }

  /** Brings a morsel's columns into memory, and makes room for what is logged of it from a row on. */
  private begin(morsel: Morsel, row: number): void {
    this.block.begin(morsel);
    this.log.begin(morsel, row);
  }

  /**
   * Does what takes memory of the table, once more behind a spill where there is none left. No state is touched by it: texts
   * and groups that it made, of which no row was counted, are not written.
   */
  private roomy<T>(work: () => T, again: () => void): T {
    try {
      return work();
    } catch (error) {
      if (!isArenaFull(error)) throw error;
    }
    // a table as large as before leaves less room for other things than one that grows
    for (const begin of [() => this.spill(), () => this.clear(0)]) {
      begin();
      try {
        again();
        return work();
      } catch (error) {
        if (!isArenaFull(error)) throw error;
      }
    }
    throw limitError(this.input.workers);
  }

  /** Loads the next block of a morsel of `rows` rows and finds its groups; false where no row of it is kept. */
  private place(row: number, rows: number): boolean {
    const { block, table } = this;
    if (!this.load(row, rows)) return false;
    this.keys.check();
    while (!this.findGroups()) this.widen();
    if (this.input.program.grids > 0) table.requireRoom(table.wideBytes(block.n));
    return true;
  }

  private foldBlock(): void {
    const { block, states, offsets } = this;
    states.fold(block, offsets, this.selection.kept);
    this.log.take(block, offsets, this.selection.kept);
  }

  /** Whether the table has as many groups as a test lets it have. */
  private isDue(): boolean {
    const { groups } = this.input.spill;
    return (
      this.layout !== undefined && groups < ALL_GROUPS && this.kernels.countGroups(this.table.at) >= groups
    );
  }

  /** Writes the table to its file, and begins it anew, as large as it was: arrays that are outgrown are lost until the next spill. */
  private spill(): void {
    const { layout, table, log, input } = this;
    log.end();
    if (layout !== undefined) {
      const run = this.spiller.spill(layout, log.logged, input.spill);
      if (run !== undefined) this.runs.push(run);
    }
    this.clear(table.limit);
  }

  /** Begins an empty table, with room for so many groups where there is. */
  private clear(groups: number): void {
    const { layout, table, log, input, block } = this;
    table.clear();
    log.clear();
    for (const pool of block.pools) pool?.begin();
    block.forgetDictionaries();
    this.keys.forget();
    if (layout === undefined) return;
    table.start(layout, input.worker);
    table.expect(groups);
  }

  /** Finds the groups of the block's rows; false where a key does not fit the layout. */
  private findGroups(): boolean {
    const { block, table, kernels, offsets, layout } = this;
    const { keys } = this.input.program;
    if (layout?.kind === 'dense' && keys.length === 1 && !keys[0].descending) {
      const { kind, at, validity } = this.keys.source(0);
      if (validity === 0) {
        return kernels.placeDense(table.at, this.fields, kind, at, offsets, block.n) === block.n;
      }
    }
    const words = this.packKeys();
    if (words === undefined) return false;
    table.probe(words, 8 * BLOCK, offsets, block.n);
    return true;
  }

  /** Packs the block's keys; returns the words' address, or undefined where a key does not fit the layout. */
  private packKeys(): number | undefined {
    const { block, kernels, layout } = this;
    const { keys } = this.input.program;
    const { n } = block;
    if (layout === undefined) return undefined;
    if (keys.length === 0) this.memory.zero(this.words, 8 * n);
    for (let k = 0; k < keys.length; k++) {
      const { kind, at, validity, bit } = this.keys.source(k);
      const field = this.fields + k * FIELD_SIZE;
      const done = kernels.pack(field, kind, at, validity, bit, this.words, 8 * BLOCK, n);
      if (done < n) return undefined;
    }
    return this.words;
  }

  /** A layout by the morsel at hand. */
  private chooseFrom(rows: number): Layout {
    const { keys } = this.input.program;
    let extents = this.input.sampled;
    for (let row = 0; row < rows; row += BLOCK) {
      if (this.load(row, rows)) extents = joinAll(extents, this.keys.extents());
    }
    return chooseLayout(keys, extents, this.input);
  }

  /** Moves the table to a layout that also holds the block at hand. */
  private widen(): void {
    const { layout, input, memory, kernels } = this;
    if (layout === undefined) throw new TypeError('a table without a layout');
    const { keys } = input.program;
    const held = layout.fields.map((field, k) => extentOf(keys[k], field));
    const next = chooseLayout(keys, joinAll(held, this.keys.extents()), input);
    this.table.requireRoomFor(next);
    relayout(memory, kernels, {
      table: input.table,
      worker: input.worker,
      program: input.program,
      from: layout,
      to: next,
    });
    this.relayouts++;
    this.use(next, false);
  }
}
