import type { Batch, Column } from '../core/column.js';
import { offsetReader } from '../core/read-values.js';
import { dictionaryIdentity } from './identity.js';
import { KIND_BIT } from './kernels/layout.js';
import type { KernelMemory } from './memory.js';
import type { ColumnProgram, Program } from './program.js';
import type { ColumnsUnit } from './protocol.js';
import type { SharedBytes, SharedColumn } from './shared-column.js';

/** Whether the workers see a column's bytes as they are: every buffer that the program reads is shared. */
export function isShared(batch: Batch, program: Program): boolean {
  return batch.columns.every((column, c) => viewsOf(column, program.columns[c]).every(isSharedView));
}

function isSharedView(view: Uint8Array): boolean {
  return view.buffer instanceof SharedArrayBuffer;
}

function viewsOf(column: Column, program: ColumnProgram): Uint8Array[] {
  const views: Uint8Array[] = [];
  if (column.nulls > 0 && column.validity !== undefined) views.push(column.validity);
  if (!program.read) return views;
  views.push(column.values);
  if (column.offsets !== undefined) views.push(column.offsets);
  if (column.dictionary !== undefined)
    views.push(...viewsOf(column.dictionary, { ...program, dictionary: false }));
  return views;
}

/**
 * Copies rows of ordinary memory to where the workers see them. Two areas take turns, so that one is filled while the
 * other is folded; each is used again and again, because memory that was touched before costs a tenth of fresh one.
 */
export class Stager {
  private readonly memory: KernelMemory;
  private readonly program: Program;
  private readonly areas = [
    { at: 0, size: 0 },
    { at: 0, size: 0 },
  ];
  private turn = 0;
  private next = 0;
  private readonly dictionaries = new Map<string, SharedColumn>();

  constructor(memory: KernelMemory, program: Program) {
    this.memory = memory;
    this.program = program;
  }

  /** Begins a round: the area of the round before last is written over. `size` is the room it needs at least. */
  begin(size: number): void {
    this.turn = 1 - this.turn;
    const area = this.areas[this.turn];
    if (area.size < size) {
      area.size = size;
      area.at = this.memory.allocate(size);
    }
    this.next = area.at;
  }

  /** Bytes that rows start..start + rows of a batch take. */
  sizeOf(batch: Batch, start: number, rows: number): number {
    return batch.columns.reduce((sum, column, c) => {
      const program = this.program.columns[c];
      let size = column.nulls > 0 ? rows / 8 + 16 : 0;
      if (program.read) {
        size += program.kind === KIND_BIT ? rows / 8 + 16 : program.width * (rows + 1) + 8;
        if (program.text && !program.dictionary) {
          const [from, to] = textRange(column, start, rows);
          size += to - from + 8;
        }
      }
      return sum + size + 4 * 64;
    }, 0);
  }

  /** Copies rows start..start + rows of a batch into the round's area. */
  copy(batch: Batch, start: number, rows: number, part: number, row: number): ColumnsUnit {
    const textStarts = batch.columns.map(() => 0);
    const columns = batch.columns.map((column, c): SharedColumn => {
      const program = this.program.columns[c];
      const bits = column.bitOffset + start;
      const validity =
        column.nulls > 0 && column.validity !== undefined
          ? { validity: this.put(column.validity, bits >> 3, (bits + rows + 7) >> 3) }
          : {};
      const common = {
        type: column.type,
        length: rows,
        nulls: column.nulls,
        bitOffset: bits & 7,
        ...validity,
      };
      if (!program.read) return { ...common, values: new Uint8Array(0) };
      if (program.kind === KIND_BIT) {
        return { ...common, values: this.put(column.values, bits >> 3, (bits + rows + 7) >> 3) };
      }
      const { width } = program;
      if (program.text && !program.dictionary && column.offsets !== undefined) {
        const [from, to] = textRange(column, start, rows);
        textStarts[c] = from;
        return {
          ...common,
          offsets: this.put(column.offsets, start * width, (start + rows + 1) * width),
          values: this.put(column.values, from, to),
        };
      }
      const values = this.put(column.values, start * width, (start + rows) * width);
      if (column.dictionary === undefined) return { ...common, values };
      return { ...common, values, dictionary: this.dictionary(column.dictionary) };
    });
    return { kind: 'columns', rows, columns, textStarts, part, row: row + start };
  }

  /** A dictionary is copied once a run, however many batches share it. */
  private dictionary(column: Column): SharedColumn {
    const identity = dictionaryIdentity(column);
    let staged = this.dictionaries.get(identity);
    if (staged === undefined) {
      const keep = (view: Uint8Array): SharedBytes => {
        const at = this.memory.allocate(view.length);
        this.memory.bytes.set(view, at);
        return { at, length: view.length };
      };
      const { type, length, nulls, bitOffset } = column;
      staged = {
        type,
        length,
        nulls,
        bitOffset,
        values: keep(column.values),
        ...(column.offsets === undefined ? {} : { offsets: keep(column.offsets) }),
        ...(column.validity === undefined ? {} : { validity: keep(column.validity) }),
      };
      this.dictionaries.set(identity, staged);
    }
    return staged;
  }

  private put(view: Uint8Array, from: number, to: number): SharedBytes {
    const at = this.next;
    this.memory.bytes.set(view.subarray(from, to), at);
    this.next = 64 * Math.ceil((at + (to - from)) / 64);
    return { at, length: to - from };
  }
}

/** The bytes of the texts of some rows, kept within the column's own. */
function textRange(column: Column, start: number, rows: number): [number, number] {
  const offset = offsetReader(column);
  const from = Math.min(Math.max(offset(start), 0), column.values.length);
  return [from, Math.min(Math.max(offset(start + rows), from), column.values.length)];
}
