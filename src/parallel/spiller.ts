import type { ChunkRows } from './chunk-writer.js';
import { ChunkWriter } from './chunk-writer.js';
import { REF_SIZE, TABLE_GROUPS, TABLE_HOMES, TABLE_TICKETS } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { Layout } from './layout.js';
import type { KernelMemory } from './memory.js';
import { HISTOGRAM, writeMerges } from './order-task.js';
import type { Program } from './program.js';
import type { Logged } from './protocol.js';
import { Room } from './room.js';
import { segmentsOf, writeSegments } from './segments.js';
import { makeFolder, SpillWriter } from './spill-file.js';
import type { SpilledRun, SpillOrder } from './spill-protocol.js';
import type { GroupTable } from './table.js';

/** Writes tables to a file, each as a run: its groups in order. Its room is used again for the next. */
export class Spiller {
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly program: Program;
  private readonly table: GroupTable;
  private writer: ChunkWriter | undefined;
  private readonly rooms: Readonly<
    Record<'refs' | 'spare' | 'homes' | 'tickets' | 'bounds' | 'places' | 'words', Room>
  >;

  constructor(memory: KernelMemory, kernels: Kernels, program: Program, table: GroupTable) {
    this.memory = memory;
    this.kernels = kernels;
    this.program = program;
    this.table = table;
    const room = (): Room => new Room(memory);
    this.rooms = {
      refs: room(),
      spare: room(),
      homes: room(),
      tickets: room(),
      bounds: room(),
      places: room(),
      words: room(),
    };
  }

  /** Writes the table; what is in it is given up by the caller. Undefined where it has no group. */
  spill(layout: Layout, logged: readonly Logged[], order: SpillOrder): SpilledRun | undefined {
    const { memory, table, program } = this;
    const { chunkGroups } = order;
    const { refs, n } = this.sort(layout);
    if (n === 0) return undefined;
    const chunks = Math.ceil(n / chunkGroups);
    const rows = this.partRows(layout, logged, chunks, chunkGroups);
    this.writer ??= new ChunkWriter(memory, this.kernels, program);
    const { writer } = this;
    writer.begin(table.at, layout);
    makeFolder(order.folder);
    const file = new SpillWriter(order.file);
    try {
      const offsets: number[] = [file.size];
      const texts: number[] = [];
      for (let chunk = 0; chunk < chunks; chunk++) {
        memory.heed();
        const from = chunk * chunkGroups;
        const own = program.gathers.map((_, gather) => rows(gather, chunk));
        file.append(writer.write(refs + REF_SIZE * from, Math.min(chunkGroups, n - from), own));
        offsets.push(file.size);
        texts.push(writer.texts);
      }
      // the first of each chunk moves to the front, where nothing is needed any more
      for (let chunk = 1; chunk < chunks; chunk++) {
        memory.bytes.copyWithin(
          refs + REF_SIZE * chunk,
          refs + REF_SIZE * chunk * chunkGroups,
          refs + REF_SIZE * (chunk * chunkGroups + 1),
        );
      }
      const last = refs + REF_SIZE * (n - 1);
      memory.bytes.copyWithin(refs + REF_SIZE * chunks, last, last + REF_SIZE);
      file.append(writer.write(refs, chunks + 1, []));
      const fences = { file: order.file, offsets: [offsets[chunks], file.size], texts: [writer.texts] };
      return {
        chunks: { file: order.file, offsets, texts },
        groups: n,
        rows: logged.reduce((sum, piece) => sum + piece.rows, 0),
        fences,
        extents: writer.extents,
      };
    } finally {
      file.close();
    }
  }

  /** Refs of all groups with rows, in order; each group gets its home. */
  private sort(layout: Layout): { readonly refs: number; readonly n: number } {
    const { memory, kernels, program, table, rooms } = this;
    const groups = table.get(TABLE_GROUPS);
    // one more, for the last of the fences
    const refs = rooms.refs.of(REF_SIZE * (groups + 1));
    const spare = rooms.spare.of(REF_SIZE * (groups + 1));
    const segments = segmentsOf(program, layout);
    const segmentsAt = writeSegments(memory, segments);
    const count = memory.allocateZeroed(4);
    const n = kernels.assign(table.at, segmentsAt, segments.length, 0, 0, refs, spare, count);
    kernels.sort(refs, spare, n, segmentsAt, segments.length, memory.allocate(HISTOGRAM));
    if (program.ticket !== 0) {
      memory.words[(table.at + TABLE_HOMES) / 4] = rooms.homes.of(8 * (groups + 1));
      const merges = writeMerges(memory, program, 8 * layout.words);
      kernels.mergeRefs(refs, n, merges, program.states.length + 1, 1, 0);
    }
    return { refs, n };
  }

  /** Parts what was logged by chunk. Returns what a chunk has of a gather. */
  private partRows(
    layout: Layout,
    logged: readonly Logged[],
    chunks: number,
    chunkGroups: number,
  ): (gather: number, chunk: number) => ChunkRows[] {
    const { memory, kernels, program, table, rooms } = this;
    if (logged.length === 0) return () => [];
    const bounds = rooms.bounds.of(4 * (2 * chunks + 1));
    const ends = bounds + 4 * chunks;
    for (let chunk = 1; chunk < chunks; chunk++) memory.words[bounds / 4 + chunk - 1] = chunk * chunkGroups;
    const bases = memory.allocateZeroed(4);
    const homes = rooms.tickets.of(8 * (table.get(TABLE_TICKETS) + 1));
    const ticket = 8 * layout.words + program.ticket;
    kernels.homesOfTickets(table.at, ticket, 0, table.at, bases, bounds, chunks - 1, homes);
    const total = logged.reduce((sum, { rows }) => sum + rows, 0);
    let places = rooms.places.of(4 * total);
    let words = rooms.words.of(8 * total);
    const parts = logged.map(({ gather, place, rows, ...from }) => {
      memory.heed();
      kernels.partRows(homes, from.tickets, from.words, rows, chunks, ends, places, words, 0, 0);
      const part = { gather, place, places, words, ends: memory.words.slice(ends / 4, ends / 4 + chunks) };
      places += 4 * rows;
      words += 8 * rows;
      return part;
    });
    return (gather, chunk) =>
      parts.flatMap((part): ChunkRows[] => {
        const start = chunk === 0 ? 0 : part.ends[chunk - 1];
        const rows = part.ends[chunk] - start;
        if (part.gather !== gather || rows === 0) return [];
        return [{ place: part.place, places: part.places + 4 * start, words: part.words + 8 * start, rows }];
      });
  }
}
