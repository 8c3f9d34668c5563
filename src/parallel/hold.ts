import type { RecordBatch, Table } from 'apache-arrow';
import type { Batch, Column } from '../core/column.js';
import { MemoryLimitError, queryError } from '../core/errors.js';
import { batchOf, fieldsOf } from '../core/from-arrow.js';
import { isRecordBatch, isTable, requireTable } from '../core/input.js';
import { recordBatchOf, schemaOf, tableOf } from '../core/to-arrow.js';
import type { HeldTable } from './held-table.js';
import { dictionaryIdentity } from './identity.js';
import type { KernelMemory } from './memory.js';

/** A held table's part of kernel memory, from its first byte up to the next held one. */
interface Place {
  readonly from: number;
  released: boolean;
}

/** Runs need some room below what is held. */
const LEFT_FOR_RUNS = 1 << 26;
const ALIGN = 64;

/**
 * Keeps tables at the top of kernel memory, one below the other. What is released is free again once everything below
 * it is released too.
 */
export class Holder {
  /** From the top down. */
  private readonly held: Place[] = [];
  /** Where tables and their batches lie. */
  private readonly places = new WeakMap<object, Place>();

  /** Called when no run holds the pool. */
  hold(memory: KernelMemory, input: Table | RecordBatch): HeldTable {
    requireTable('hold(input)', input);
    this.settle(memory);
    const batches = isRecordBatch(input) ? [input] : input.batches;
    const fields = fieldsOf(input.schema);
    const all = fields.map((_, i) => i);
    const columns = batches.map((batch) => batchOf(batch, all));
    const copier = new Copier(memory, columns);
    const schema = schemaOf(fields);
    const table = tableOf(
      schema,
      columns.map((batch) => recordBatchOf(schema, copier.copy(batch))),
    );
    const place = { from: memory.top, released: false };
    this.held.push(place);
    for (const one of [table, ...table.batches]) this.places.set(one, place);
    return {
      table,
      release: () => {
        place.released = true;
      },
    };
  }

  /** @throws QueryError where an input is a table, or has a batch of one, that was released: others may lie in its memory. */
  requireHeld(input: unknown): void {
    const all = isTable(input) ? [input, ...input.batches] : [input];
    for (const one of all) {
      if (typeof one === 'object' && one !== null && this.places.get(one)?.released === true)
        throw queryError('input', 'a held table that was released', 'one that is held');
    }
  }

  /** Moves the top up over what was released. */
  private settle(memory: KernelMemory): void {
    while (this.held.at(-1)?.released === true) this.held.pop();
    memory.setTop(this.held.at(-1)?.from ?? memory.size);
  }
}

/** Copies batches to below the top, and moves the top below them. */
class Copier {
  private readonly memory: KernelMemory;
  private readonly dictionaries = new Map<string, Column>();
  private next: number;

  constructor(memory: KernelMemory, batches: readonly Batch[]) {
    this.memory = memory;
    const seen = new Set<string>();
    const size = batches.reduce(
      (sum, { columns }) => columns.reduce((total, column) => total + sizeOf(column, seen), sum),
      ALIGN,
    );
    const from = Math.floor((memory.top - size) / ALIGN) * ALIGN;
    if (from < LEFT_FOR_RUNS) {
      const most = Math.max(0, memory.top - LEFT_FOR_RUNS);
      throw new MemoryLimitError(`held tables: got ${size} bytes more, wanted at most ${most}`, {
        parameter: 'held tables',
        came: `${size} bytes more`,
        wanted: `at most ${most} bytes`,
      });
    }
    memory.setTop(from);
    this.next = from;
  }

  copy({ rows, columns }: Batch): Batch {
    return { rows, columns: columns.map((column) => this.column(column)) };
  }

  private column(column: Column): Column {
    const { values, offsets, validity, buffers, dictionary } = column;
    return {
      ...column,
      values: this.put(values),
      ...(offsets === undefined ? {} : { offsets: this.put(offsets) }),
      ...(validity === undefined ? {} : { validity: this.put(validity) }),
      ...(buffers === undefined ? {} : { buffers: buffers.map((buffer) => this.put(buffer)) }),
      ...(dictionary === undefined ? {} : { dictionary: this.dictionary(dictionary) }),
    };
  }

  private dictionary(column: Column): Column {
    const identity = dictionaryIdentity(column);
    const known = this.dictionaries.get(identity) ?? this.column(column);
    this.dictionaries.set(identity, known);
    return known;
  }

  private put(view: Uint8Array): Uint8Array {
    const at = this.next;
    this.memory.bytes.set(view, at);
    this.next = at + Math.ceil(view.length / ALIGN) * ALIGN;
    return this.memory.bytes.subarray(at, at + view.length);
  }
}

/** Bytes that a column takes; a dictionary counts once. */
function sizeOf(column: Column, seen: Set<string>): number {
  const { values, offsets, validity, buffers = [], dictionary } = column;
  const views = [values, offsets, validity, ...buffers].flatMap((view) => (view === undefined ? [] : [view]));
  let size = views.reduce((sum, view) => sum + Math.ceil(view.length / ALIGN) * ALIGN, 0);
  if (dictionary !== undefined) {
    const identity = dictionaryIdentity(dictionary);
    if (!seen.has(identity)) size += sizeOf(dictionary, seen);
    seen.add(identity);
  }
  return size;
}
