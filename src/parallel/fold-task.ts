import type { Batch } from '../core/column.js';
import { requireBatch } from '../core/require-batch.js';
import type { ReadPart } from '../core/source.js';
import { Block } from './block.js';
import { BlockKeys } from './block-keys.js';
import { agree } from './board.js';
import { StateFold } from './fold-states.js';
import { BLOCK, FIELD_SIZE } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import { chooseLayout, extentOf, joinAll, type KeyExtent, type Layout } from './layout.js';
import { RowLog } from './log.js';
import type { KernelMemory } from './memory.js';
import type { Morsel } from './morsel.js';
import { expectGroups } from './plan.js';
import type { FoldInput, FoldOutput, Logged } from './protocol.js';
import { relayout } from './relayout-task.js';
import { Selection } from './selection.js';
import { fromShared } from './shared-column.js';
import { GroupTable, writeFields } from './table.js';

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
  const { layout, rows, relayouts, logged, wrongKeys } = fold;
  const groups = layout === undefined ? 0 : kernels.countGroups(input.table);
  return { layout, rows, groups, relayouts, logged, wrongKeys };
}

type Dealt =
  | (Morsel & { readonly kind: 'morsel' })
  | { readonly kind: 'part'; readonly part: number; readonly module: string; readonly data: unknown };

/** The morsels that fall to this worker: every nth, or the next that nobody has claimed. */
function* dealt(memory: KernelMemory, input: FoldInput): Generator<Dealt> {
  const { units, deal, worker, workers, morselRows } = input;
  let number = 0;
  let next = deal === 'static' ? worker : memory.claim();
  for (const unit of units) {
    const columns = unit.kind === 'part' ? [] : unit.columns.map((column) => fromShared(memory, column));
    const morsels = unit.kind === 'part' ? 1 : Math.ceil(unit.rows / morselRows);
    while (next < number + morsels) {
      if (unit.kind === 'part') {
        yield { kind: 'part', part: unit.part, module: unit.source.module, data: unit.source.data };
      } else {
        const start = (next - number) * morselRows;
        yield {
          kind: 'morsel',
          columns,
          starts: unit.starts,
          start,
          rows: Math.min(morselRows, unit.rows - start),
          source: 'batch',
          part: unit.part,
          row: unit.row,
        };
      }
      next = deal === 'static' ? next + workers : memory.claim();
    }
    number += morsels;
  }
}

class Fold {
  layout: Layout | undefined;
  rows = 0;
  relayouts = 0;
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
  private readonly pair: number;
  private readonly states: StateFold;
  private readonly log: RowLog;

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
    this.pair = memory.allocate(16);
    const { program, grids, additions } = input;
    this.log = new RowLog(memory, kernels, program, this.table);
    this.states = new StateFold(memory, kernels, program, this.table, this.log, grids, additions);
    if (input.layout !== undefined) this.use(input.layout, false);
  }

  get logged(): readonly Logged[] {
    return this.log.logged;
  }

  get wrongKeys(): number[] {
    return [...this.keys.wrong];
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
    const { block, memory } = this;
    if (morsel.rows === 0) return;
    block.begin(morsel);
    const fresh = this.layout === undefined;
    if (fresh) {
      this.use(agree(memory, this.input.board, this.chooseFrom(morsel.rows)), true);
    }
    this.log.begin(morsel);
    for (let row = 0; row < morsel.rows; row += BLOCK) {
      memory.heed();
      if (!this.load(row, morsel.rows)) continue;
      this.keys.check();
      this.foldBlock();
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

  private foldBlock(): void {
    const { block, states, offsets } = this;
    while (!this.findGroups()) this.widen();
    states.fold(block, offsets, this.selection.kept);
    this.log.take(block, offsets, this.selection.kept);
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

  /** The extents of the keys in the block at hand. */
  private extents(): KeyExtent[] {
    const { block, kernels, memory } = this;
    const { n } = block;
    return this.input.program.keys.map((_, k) => {
      const { at, validity, bit } = this.keys.encoded(k);
      const valid = kernels.extent(at, validity, bit, n, this.pair);
      const view = new DataView(memory.bytes.buffer, this.pair, 16);
      return { least: view.getBigUint64(0, true), most: view.getBigUint64(8, true), nulls: valid < n };
    });
  }

  /** A layout by the morsel at hand. */
  private chooseFrom(rows: number): Layout {
    const { keys } = this.input.program;
    let extents = this.input.sampled;
    for (let row = 0; row < rows; row += BLOCK) {
      if (this.load(row, rows)) extents = joinAll(extents, this.extents());
    }
    return chooseLayout(keys, extents, this.input);
  }

  /** Moves the table to a layout that also holds the block at hand. */
  private widen(): void {
    const { layout, input, memory, kernels } = this;
    if (layout === undefined) throw new TypeError('a table without a layout');
    const { keys } = input.program;
    const held = layout.fields.map((field, k) => extentOf(keys[k], field));
    const next = chooseLayout(keys, joinAll(held, this.extents()), input);
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
