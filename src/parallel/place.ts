import { byteOf, bytesFor } from '../core/bits.js';
import type { Column } from '../core/column.js';
import {
  BUFFER_BASE,
  BUFFER_HIGH,
  BUFFER_LOW,
  BUFFER_SIZE,
  BYTES_OFFSETS,
  BYTES_VIEWS,
} from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { Storage } from './storage.js';

/** Rows of a column in kernel memory, where kernels can read them. All are addresses; 0 where there is none. */
export interface PlacedColumn {
  /** Values, offsets or views: what a row has one of. */
  readonly values: number;
  /** Bits before the first row in `values` of a Bool. */
  readonly valueBit: number;
  readonly validity: number;
  readonly bit: number;
  /** The bytes that offsets count in, or the list of the buffers that views point into. */
  readonly data: number;
  /** Offsets lie in low..high; of views, `high` is how many buffers there are. */
  readonly low: number;
  readonly high: number;
  /** The first row of which the view names no buffer; -1: all do. */
  readonly wrong: number;
}

/** What of a column's buffers is there: the offset that the first byte has, of the text's buffer or of each of the views'. */
export type Starts = readonly number[];

/** A block of a thread's own that grows, and is used again for every morsel. */
interface Scratch {
  at: number;
  size: number;
}

/** Brings morsels into kernel memory: columns that lie there already stay, others are copied, a morsel at a time. */
export class Placer {
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly scratch = new Map<string, Scratch>();
  private readonly noBits: Scratch = { at: 0, size: 0 };

  constructor(memory: KernelMemory, kernels: Kernels) {
    this.memory = memory;
    this.kernels = kernels;
  }

  /** Rows start..start + rows of a column, whose values lie as `storage` says. `slot` names the scratch that a copy takes. */
  place(
    slot: string,
    storage: Storage,
    column: Column,
    start: number,
    rows: number,
    starts: Starts,
  ): PlacedColumn {
    const bits = column.bitOffset + start;
    let validity = 0;
    if (column.type.kind === 'null') {
      validity = this.zeros(rows + 8);
    } else if (column.nulls > 0 && column.validity !== undefined) {
      validity = this.bytes(column.validity, byteOf(bits), bytesFor(bits + rows), `${slot} validity`);
    }
    const placed = {
      values: validity,
      valueBit: 0,
      validity,
      bit: bits & 7,
      data: 0,
      low: 0,
      high: 0,
      wrong: -1,
    };
    if (column.type.kind === 'null') return { ...placed, bit: 0 };
    const { width } = storage;
    if (width === 0 && storage.shape === 'number') {
      const values = this.bytes(column.values, byteOf(bits), bytesFor(bits + rows), slot);
      return { ...placed, values, valueBit: bits & 7 };
    }
    if (storage.shape === 'bytes' && storage.form === BYTES_OFFSETS) {
      return { ...placed, ...this.texts(slot, width, column, start, rows, starts[0] ?? 0) };
    }
    const values = this.bytes(column.values, start * width, (start + rows) * width, slot);
    if (storage.shape === 'bytes' && storage.form === BYTES_VIEWS) {
      return { ...placed, values, ...this.views(slot, column, values, validity, bits & 7, rows, starts) };
    }
    return { ...placed, values };
  }

  /** Only which rows are null. */
  placeValidity(slot: string, column: Column, start: number, rows: number): PlacedColumn {
    const none = { ...column, values: NOTHING };
    return this.place(slot, { shape: 'bytes', form: -1, width: 0, decimal: false }, none, start, rows, []);
  }

  private texts(
    slot: string,
    width: number,
    column: Column,
    start: number,
    rows: number,
    textStart: number,
  ): Pick<PlacedColumn, 'values' | 'data' | 'low' | 'high'> {
    const all = column.offsets ?? NOTHING;
    const values = this.bytes(all, start * width, (start + rows + 1) * width, `${slot} offsets`);
    const inPlace = this.memory.addressOf(column.values);
    if (inPlace !== undefined) {
      return { values, data: inPlace - textStart, low: textStart, high: textStart + column.values.length };
    }
    const view = new DataView(this.memory.bytes.buffer, values, (rows + 1) * width);
    const at = (row: number): number =>
      width === 8 ? Number(view.getBigInt64(8 * row, true)) : view.getInt32(4 * row, true);
    const low = Math.min(Math.max(at(0), 0), column.values.length);
    const high = Math.min(Math.max(at(rows), low), column.values.length);
    // offsets count from the column's own first byte; the kernel checks each against low and high
    return { values, data: this.bytes(column.values, low, high, `${slot} data`) - low, low, high };
  }

  private views(
    slot: string,
    column: Column,
    views: number,
    validity: number,
    bit: number,
    rows: number,
    starts: Starts,
  ): Pick<PlacedColumn, 'data' | 'high' | 'wrong'> {
    const buffers = column.buffers ?? [];
    const count = buffers.length;
    const data = this.room(`${slot} buffers`, BUFFER_SIZE * Math.max(1, count));
    const wrong = rangesOf(this.memory, this.kernels, views, validity, bit, rows, data, count);
    const { words } = this.memory;
    buffers.forEach((buffer, b) => {
      const entry = (data + BUFFER_SIZE * b) / 4;
      const start = starts[b] ?? 0;
      const there = start + buffer.length;
      const inPlace = this.memory.addressOf(buffer);
      const low = inPlace === undefined ? Math.min(words[entry + BUFFER_LOW / 4], there) : start;
      const high =
        inPlace === undefined ? Math.max(low, Math.min(words[entry + BUFFER_HIGH / 4], there)) : there;
      const base =
        inPlace === undefined ? this.bytes(buffer, low, high, `${slot} buffer ${b}`) - low : inPlace - start;
      words[entry + BUFFER_BASE / 4] = base;
      words[entry + BUFFER_LOW / 4] = low;
      words[entry + BUFFER_HIGH / 4] = high;
    });
    return { data, high: count, wrong };
  }

  /** The address of bytes from..to of a buffer, copied to scratch unless they lie in kernel memory. */
  private bytes(buffer: Uint8Array, from: number, to: number, slot: string): number {
    const inPlace = this.memory.addressOf(buffer);
    if (inPlace !== undefined) return inPlace + from;
    const at = this.room(slot, to - from);
    this.memory.bytes.set(buffer.subarray(from, to), at);
    return at;
  }

  private room(slot: string, size: number): number {
    let block = this.scratch.get(slot);
    if (block === undefined) {
      block = { at: 0, size: 0 };
      this.scratch.set(slot, block);
    }
    if (block.size < size || block.size === 0) {
      block.size = Math.max(1024, 2 ** Math.ceil(Math.log2(size)));
      block.at = this.memory.allocate(block.size);
    }
    return block.at;
  }

  private zeros(rows: number): number {
    const size = bytesFor(rows);
    if (this.noBits.size < size) {
      this.noBits.size = 2 * size;
      this.noBits.at = this.memory.allocateZeroed(2 * size);
    }
    return this.noBits.at;
  }
}

const NOTHING = new Uint8Array(0);

/**
 * Finds what bytes of `count` buffers some views need: BUFFER_LOW and BUFFER_HIGH of the list at `data`. Returns -1, or
 * the first row whose view names no buffer.
 */
export function rangesOf(
  memory: KernelMemory,
  kernels: Kernels,
  views: number,
  validity: number,
  bit: number,
  rows: number,
  data: number,
  count: number,
): number {
  for (let b = 0; b < count; b++) {
    memory.words[(data + BUFFER_SIZE * b + BUFFER_LOW) / 4] = 0xffff_ffff;
    memory.words[(data + BUFFER_SIZE * b + BUFFER_HIGH) / 4] = 0;
  }
  const wrong = kernels.viewRanges(views, validity, bit, rows, data, count);
  for (let b = 0; b < count; b++) {
    const low = (data + BUFFER_SIZE * b + BUFFER_LOW) / 4;
    if (memory.words[low] === 0xffff_ffff) memory.words[low] = 0;
  }
  return wrong;
}
