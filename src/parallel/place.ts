import type { Column } from '../core/column.js';
import { KIND_BIT } from './kernels/layout.js';
import type { KernelMemory } from './memory.js';
import type { ColumnProgram } from './program.js';

/** Rows of a column in kernel memory, where kernels can read them. All are addresses; 0 where there is none. */
export interface PlacedColumn {
  /** Values, codes, or the bytes of texts. */
  readonly values: number;
  /** Bits before the first row in `values` of a Bool. */
  readonly valueBit: number;
  readonly validity: number;
  readonly bit: number;
  readonly offsets: number;
  /** Texts lie in low..high of `values`. */
  readonly low: number;
  readonly high: number;
}

/** One thread's scratch for a column: blocks that grow and are used again for every morsel. */
interface Scratch {
  values: Block;
  validity: Block;
  offsets: Block;
}

interface Block {
  at: number;
  size: number;
}

const empty = (): Block => ({ at: 0, size: 0 });

/** Brings morsels into kernel memory: columns that lie there already stay, others are copied, a morsel at a time. */
export class Placer {
  private readonly memory: KernelMemory;
  private readonly scratch: Scratch[];

  constructor(memory: KernelMemory, columns: number) {
    this.memory = memory;
    this.scratch = Array.from({ length: columns }, () => ({
      values: empty(),
      validity: empty(),
      offsets: empty(),
    }));
  }

  place(
    index: number,
    program: ColumnProgram,
    column: Column,
    start: number,
    rows: number,
    textStart = 0,
  ): PlacedColumn {
    const scratch = this.scratch[index];
    const hasNulls = column.nulls > 0 && column.validity !== undefined;
    let validity = 0;
    let bit = 0;
    if (hasNulls && column.validity !== undefined) {
      const from = column.bitOffset + start;
      bit = from & 7;
      validity = this.bytes(column.validity, from >> 3, (from + rows + 7) >> 3, scratch.validity);
    }
    const none = { validity, bit, offsets: 0, low: 0, high: 0, valueBit: 0, values: 0 };
    if (!program.read) return none;
    if (program.text && !program.dictionary) {
      return this.texts(column, program.width, start, rows, textStart, scratch, none);
    }
    if (program.kind === KIND_BIT) {
      const from = column.bitOffset + start;
      const values = this.bytes(column.values, from >> 3, (from + rows + 7) >> 3, scratch.values);
      return { ...none, values, valueBit: from & 7 };
    }
    const { width } = program;
    const values = this.bytes(column.values, start * width, (start + rows) * width, scratch.values);
    return { ...none, values };
  }

  private texts(
    column: Column,
    width: number,
    start: number,
    rows: number,
    textStart: number,
    scratch: Scratch,
    none: PlacedColumn,
  ): PlacedColumn {
    const all = column.offsets ?? new Uint8Array(0);
    const offsets = this.bytes(all, start * width, (start + rows + 1) * width, scratch.offsets);
    const inPlace = this.memory.addressOf(column.values);
    if (inPlace !== undefined) {
      const high = textStart + column.values.length;
      return { ...none, offsets, values: inPlace - textStart, low: textStart, high };
    }
    const view = new DataView(this.memory.bytes.buffer, offsets, (rows + 1) * width);
    const at = (row: number): number =>
      width === 8 ? Number(view.getBigInt64(8 * row, true)) : view.getInt32(4 * row, true);
    const low = Math.min(Math.max(at(0), 0), column.values.length);
    const high = Math.min(Math.max(at(rows), low), column.values.length);
    const copied = this.bytes(column.values, low, high, scratch.values);
    // offsets count from the column's own first byte; the kernel checks each against low and high
    return { ...none, offsets, values: copied - low, low, high };
  }

  /** The address of bytes from..to of a buffer, copied into `block` unless they lie in kernel memory. */
  private bytes(buffer: Uint8Array, from: number, to: number, block: Block): number {
    const inPlace = this.memory.addressOf(buffer);
    if (inPlace !== undefined) return inPlace + from;
    const size = to - from;
    if (block.size < size) {
      block.size = Math.max(1024, 2 ** Math.ceil(Math.log2(size)));
      block.at = this.memory.allocate(block.size);
    }
    this.memory.bytes.set(buffer.subarray(from, to), block.at);
    return block.at;
  }
}
