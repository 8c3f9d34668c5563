import { REF_SIZE, TABLE_GROUPS } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import { scatterRefs } from './order-task.js';
import type { Program } from './program.js';
import { segmentsOf, writeSegments } from './segments.js';
import { SpillReaders } from './spill-file.js';
import type { LoadInput, LoadOutput } from './spill-protocol.js';
import type { GroupTable } from './table.js';
import { TableLoader } from './table-loader.js';

/**
 * Load: reads chunks of spilled groups into a new table and lists those of the wanted ranges; the others, of chunks that
 * lie across a border, stay unlisted. Called once a worker and load, in parallel; writes its table and memory of its own.
 */
export function loadTask(memory: KernelMemory, kernels: Kernels, input: LoadInput): LoadOutput {
  const { program, layout, low, high, pivots, pivotCount } = input;
  const files = new SpillReaders();
  const loaderAt = (at: number, most: number): TableLoader =>
    new TableLoader(memory, kernels, program, layout, at, input.worker, most, files);
  const loader = loaderAt(input.table, input.groups);
  const header = memory.allocateZeroed(program.tableSize);
  const pivotLoader = loaderAt(header, pivotCount);
  try {
    for (const { chunks, from, count } of input.stretches) loader.load(chunks, from, count);
    if (pivotCount > 0) pivotLoader.load(pivots, 0, pivots.offsets.length - 1);
  } finally {
    files.close();
  }
  loader.end();
  pivotLoader.end();
  const { table, groups } = loader;
  widenHeavy(memory, kernels, program, table, input.heavy);
  // of the pivots those at the borders of the wanted ranges: the ranges are numbered anew, from what is below
  const first = Math.max(0, low - 1);
  const last = Math.min(pivotCount, high);
  const segments = segmentsOf(program, layout);
  const segmentsAt = writeSegments(memory, segments);
  const listed = memory.allocate(REF_SIZE * (pivotCount + 1));
  const counter = memory.allocateZeroed(4);
  const unused = memory.allocate(2 * (pivotCount + 1));
  kernels.assign(header, segmentsAt, segments.length, 0, 0, listed, unused, counter);
  const refs = memory.allocate(REF_SIZE * groups);
  const ranges = memory.allocate(2 * groups);
  const ranged = last - first + 1;
  const counts = memory.allocateZeroed(4 * ranged);
  const at = listed + REF_SIZE * first;
  const n = kernels.assign(table.at, segmentsAt, segments.length, at, last - first, refs, ranges, counts);
  const from = low - first;
  const to = high - first;
  const logged = program.ticket === 0 ? [] : keepLogged(kernels, loader, program, ranges, from, to);
  return {
    pieces: scatterRefs(memory, kernels, refs, ranges, n, counts, ranged).slice(from, to),
    groups,
    logged,
  };
}

/** Empties the pairs of float sums of groups with many rows: of the others so few values come together that a pair holds them. */
function widenHeavy(
  memory: KernelMemory,
  kernels: Kernels,
  program: Program,
  table: GroupTable,
  heavy: number,
): void {
  if (program.grids === 0) return;
  const due = memory.allocate(4 * table.get(TABLE_GROUPS));
  const count = kernels.listHeavy(table.at, BigInt(heavy), due);
  if (count === 0) return;
  table.holdWides();
  for (const state of program.states) {
    if (state.kind !== 'sumFloat') continue;
    for (let done = 0; ; ) {
      const offset = table.offset(state.lane);
      done += kernels.flushFloat(table.at, offset, state.grid, program.grids, due + 4 * done, count - done);
      if (done === count) break;
      table.growWide();
    }
  }
}

/** The rows of groups that are wanted; the others get no home, and give up their tickets. */
function keepLogged(
  kernels: Kernels,
  { table, groups, logged }: TableLoader,
  program: Program,
  ranges: number,
  from: number,
  to: number,
): LoadOutput['logged'] {
  const tickets = table.lane(program.ticket);
  kernels.dropTickets(tickets, table.offset(program.lanes), groups, ranges, from, to);
  return logged
    .map((piece) => ({
      ...piece,
      rows: kernels.keepLogged(piece.tickets, piece.words, piece.rows, ranges, from, to),
    }))
    .filter(({ rows }) => rows > 0);
}
