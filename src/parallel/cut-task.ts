import { ChunkWriter } from './chunk-writer.js';
import { REF_SIZE, REF_TABLE } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import { HISTOGRAM } from './order-task.js';
import { segmentsOf, writeSegments } from './segments.js';
import { SpillReaders, SpillWriter } from './spill-file.js';
import type { CutInput, CutOutput } from './spill-protocol.js';
import { TableLoader } from './table-loader.js';

/** The bit of REF_TABLE that marks a group whose key is the one before; see compare.ts among the kernels. */
const SAME = 1;

/**
 * Cut: parts all spilled groups into ranges of about as many chunks, by their fences. Called once a run, alone, when
 * everything is spilled. Afterwards the pivots, which ascend, stand in a file of their own, so that no run that comes
 * between two loads needs to keep them.
 */
export function cutTask(memory: KernelMemory, kernels: Kernels, input: CutInput): CutOutput {
  const { program, layout, fences, counts, ranges, file } = input;
  const all = counts.reduce((sum, count) => sum + count, 0);
  const header = memory.allocateZeroed(program.tableSize);
  const files = new SpillReaders();
  const loader = new TableLoader(memory, kernels, program, layout, header, 0, all, files);
  try {
    for (const one of fences) loader.load(one, 0, one.offsets.length - 1);
  } finally {
    files.close();
  }
  loader.end();
  const segments = segmentsOf(program, layout);
  const segmentsAt = writeSegments(memory, segments);
  const refs = memory.allocate(REF_SIZE * all);
  const spare = memory.allocate(REF_SIZE * all);
  const own = memory.allocate(2 * all);
  const counter = memory.allocateZeroed(4);
  kernels.assign(header, segmentsAt, segments.length, 0, 0, refs, own, counter);
  kernels.sort(refs, spare, all, segmentsAt, segments.length, memory.allocate(HISTOGRAM));
  const pivots = memory.allocate(REF_SIZE * ranges);
  let count = 0;
  let last = 0;
  for (let range = 1; range < ranges; range++) {
    let pick = Math.floor((range * all) / ranges);
    // the first of those that have the key
    while (memory.words[(refs + REF_SIZE * pick + REF_TABLE) / 4] & SAME) pick--;
    // nothing is below the first group of all
    if (pick <= last) continue;
    last = pick;
    memory.bytes.copyWithin(pivots + REF_SIZE * count, refs + REF_SIZE * pick, refs + REF_SIZE * (pick + 1));
    count++;
  }
  kernels.renewRefs(pivots, count, segmentsAt);
  const found = memory.allocateZeroed(4 * (count + 1));
  kernels.assign(header, segmentsAt, segments.length, pivots, count, refs, own, found);
  let next = own;
  return {
    ranges: counts.map((length) => {
      const here = new Uint16Array(memory.bytes.slice(next, next + 2 * length).buffer);
      next += 2 * length;
      return here;
    }),
    pivots: { file, ...writePivots(memory, kernels, input, header, pivots, count) },
    count,
  };
}

function writePivots(
  memory: KernelMemory,
  kernels: Kernels,
  { program, layout, file: path }: CutInput,
  table: number,
  pivots: number,
  count: number,
): { readonly offsets: number[]; readonly texts: number[] } {
  if (count === 0) return { offsets: [0], texts: [] };
  const writer = new ChunkWriter(memory, kernels, program);
  writer.begin(table, layout);
  const file = new SpillWriter(path);
  try {
    file.append(writer.write(pivots, count, []));
    return { offsets: [0, file.size], texts: [writer.texts] };
  } finally {
    file.close();
  }
}
