import { byteOf, bytesFor } from '../core/bits.js';
import type { Batch, Column } from '../core/column.js';
import { offsetReader } from '../core/read-values.js';
import { dictionaryIdentity } from './identity.js';
import { BUFFER_HIGH, BUFFER_LOW, BUFFER_SIZE, BYTES_OFFSETS, BYTES_VIEWS } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import { rangesOf } from './place.js';
import type { ColumnProgram, Program } from './program.js';
import type { ColumnsUnit } from './protocol.js';
import type { SharedBytes, SharedColumn } from './shared-column.js';

/** Whether the workers see a batch's bytes as they are: every buffer that the program reads is shared. */
export function isShared(batch: Batch, program: Program): boolean {
  return batch.columns.every((column, c) => viewsOf(column, program.columns[c].read).every(isSharedView));
}

function isSharedView({ length, buffer }: Uint8Array): boolean {
  // a message cannot hold a view of a larger buffer (Node 20)
  return length === 0 || (buffer instanceof SharedArrayBuffer && buffer.byteLength < 2 ** 32);
}

function viewsOf(column: Column, read: boolean): Uint8Array[] {
  const views: Uint8Array[] = [];
  if (column.nulls > 0 && column.validity !== undefined) views.push(column.validity);
  if (!read) return views;
  views.push(column.values, ...(column.buffers ?? []));
  if (column.offsets !== undefined) views.push(column.offsets);
  if (column.dictionary !== undefined) views.push(...viewsOf(column.dictionary, true));
  return views;
}

/** An area that rounds are copied to. */
interface Area {
  at: number;
  size: number;
}

/** Room between two buffers, which begin at a cache line. */
const GAP = 64;

/**
 * Copies rows of ordinary memory to where the workers see them. Two areas take turns, so that one is filled while the
 * other is folded; each is used again and again, because memory that was touched before costs a tenth of fresh one.
 */
export class Stager {
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly program: Program;
  private readonly areas: Area[] = [
    { at: 0, size: 0 },
    { at: 0, size: 0 },
  ];
  private turn = 0;
  private next = 0;
  private readonly dictionaries = new Map<string, SharedColumn>();

  constructor(memory: KernelMemory, kernels: Kernels, program: Program) {
    this.memory = memory;
    this.kernels = kernels;
    this.program = program;
  }

  /** Begins a round: the area of the round before last is written over. `size` is the room that it is thought to need. */
  begin(size: number): void {
    this.turn = 1 - this.turn;
    const area = this.areas[this.turn];
    if (area.size < size) {
      area.size = size;
      area.at = this.memory.allocateHigh(size);
    }
    this.next = area.at;
  }

  /** About as many bytes as rows start..start + rows of a batch take; exact but for views. */
  sizeOf(batch: Batch, start: number, rows: number): number {
    return batch.columns.reduce((sum, column, c) => {
      const { storage, codes, read } = this.program.columns[c];
      const bits = rows / 8 + GAP;
      let size = column.nulls > 0 ? bits : 0;
      if (read) {
        const width = codes === undefined ? storage.width : codes.width;
        size += width === 0 ? bits : width * (rows + 1) + GAP;
        if (codes === undefined && storage.shape === 'bytes') {
          if (storage.form === BYTES_OFFSETS) {
            const [from, to] = textRange(column, start, rows);
            size += to - from + GAP;
          } else if (storage.form === BYTES_VIEWS) {
            const all = (column.buffers ?? []).reduce((total, buffer) => total + buffer.length + GAP, 0);
            size += (all * rows) / Math.max(1, column.length);
          }
        }
      }
      return sum + size;
    }, GAP);
  }

  /** Copies rows start..start + rows of a batch into the round's area. */
  copy(batch: Batch, start: number, rows: number, part: number, row: number): ColumnsUnit {
    const starts: number[][] = [];
    const columns = batch.columns.map((column, c) => {
      const own: number[] = [];
      starts.push(own);
      return this.column(this.program.columns[c], column, start, rows, own);
    });
    return { kind: 'columns', rows, columns, starts, part, row: row + start };
  }

  private column(
    program: ColumnProgram,
    column: Column,
    start: number,
    rows: number,
    starts: number[],
  ): SharedColumn {
    const { type, nulls } = column;
    const bits = column.bitOffset + start;
    const validity =
      nulls > 0 && column.validity !== undefined
        ? this.put(column.validity, byteOf(bits), bytesFor(bits + rows))
        : undefined;
    const seen = {
      type,
      length: rows,
      nulls,
      bitOffset: bits & 7,
      ...(validity === undefined ? {} : { validity }),
    };
    const { storage, codes } = program;
    if (!program.read || program.isNull) return { ...seen, values: { at: 0, length: 0 } };
    const width = codes === undefined ? storage.width : codes.width;
    if (width === 0 && storage.shape === 'number') {
      return { ...seen, values: this.put(column.values, byteOf(bits), bytesFor(bits + rows)) };
    }
    if (codes === undefined && storage.shape === 'bytes' && storage.form === BYTES_OFFSETS) {
      const [from, to] = textRange(column, start, rows);
      starts.push(from);
      const offsets = this.put(column.offsets ?? NOTHING, start * width, (start + rows + 1) * width);
      return { ...seen, offsets, values: this.put(column.values, from, to) };
    }
    const values = this.put(column.values, start * width, (start + rows) * width);
    if (column.dictionary !== undefined)
      return { ...seen, values, dictionary: this.dictionary(column.dictionary) };
    if (column.buffers === undefined || storage.shape !== 'bytes' || storage.form !== BYTES_VIEWS) {
      return { ...seen, values };
    }
    const buffers = this.buffers(column.buffers, values.at, validity?.at ?? 0, bits & 7, rows, starts);
    return { ...seen, values, buffers };
  }

  /** Of the buffers that views point into, the bytes that they need. */
  private buffers(
    buffers: readonly Uint8Array[],
    views: number,
    validity: number,
    bit: number,
    rows: number,
    starts: number[],
  ): SharedBytes[] {
    const list = this.room(BUFFER_SIZE * Math.max(1, buffers.length));
    // views that name no buffer are told by the worker that reads them
    rangesOf(this.memory, this.kernels, views, validity, bit, rows, list, buffers.length);
    return buffers.map((buffer, b) => {
      const entry = list + BUFFER_SIZE * b;
      const from = Math.min(this.memory.words[(entry + BUFFER_LOW) / 4], buffer.length);
      const to = Math.max(from, Math.min(this.memory.words[(entry + BUFFER_HIGH) / 4], buffer.length));
      starts.push(from);
      return this.put(buffer, from, to);
    });
  }

  /** A dictionary is copied once a run, however many batches share it. */
  private dictionary(column: Column): SharedColumn {
    const identity = dictionaryIdentity(column);
    let staged = this.dictionaries.get(identity);
    if (staged === undefined) {
      const keep = (view: Uint8Array): SharedBytes => {
        const at = this.memory.allocateHigh(view.length);
        this.memory.bytes.set(view, at);
        return { at, length: view.length };
      };
      const { type, length, nulls, bitOffset, values, offsets, validity, buffers } = column;
      staged = {
        type,
        length,
        nulls,
        bitOffset,
        values: keep(values),
        ...(offsets === undefined ? {} : { offsets: keep(offsets) }),
        ...(validity === undefined ? {} : { validity: keep(validity) }),
        ...(buffers === undefined ? {} : { buffers: buffers.map(keep) }),
      };
      this.dictionaries.set(identity, staged);
    }
    return staged;
  }

  private put(view: Uint8Array, from: number, to: number): { readonly at: number; readonly length: number } {
    const length = to - from;
    const at = this.room(length);
    this.memory.bytes.set(view.subarray(from, to), at);
    return { at, length };
  }

  /** Room in the area; where that is used up (sizes of views are estimates), elsewhere for the rest of the run. */
  private room(size: number): number {
    const { at, size: all } = this.areas[this.turn];
    if (this.next + size > at + all) return this.memory.allocateHigh(size);
    const room = this.next;
    this.next = GAP * Math.ceil((room + size) / GAP);
    return room;
  }
}

const NOTHING = new Uint8Array(0);

/** The bytes of the texts of some rows, kept within the column's own. */
function textRange(column: Column, start: number, rows: number): [number, number] {
  const offset = offsetReader(column);
  const from = Math.min(Math.max(offset(start), 0), column.values.length);
  return [from, Math.min(Math.max(offset(start + rows), from), column.values.length)];
}
