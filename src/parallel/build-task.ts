import { Gathered } from './gathered.js';
import { BLOCK, NEAR, REF_SIZE } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import { keyColumn } from './key-column.js';
import type { KernelMemory } from './memory.js';
import { outputColumn } from './output-column.js';
import type { OutputProgram } from './program.js';
import type { BuildInput, BuildOutput } from './protocol.js';
import { writeFields } from './write-fields.js';

/**
 * Builds the output columns of one range and copies them out of kernel memory, once. Called once a range, in parallel;
 * reads the range's records (the pairs of float sums may move into their wide sums) and writes memory of its own.
 * It goes block by block: the records of a block are far apart, and are loaded ahead, for all columns.
 */
export function buildTask(memory: KernelMemory, kernels: Kernels, input: BuildInput): BuildOutput {
  const begun = performance.now();
  const { program, layout, pieces, sumsOnly } = input;
  const rows = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const refs = gather(memory, input, rows);
  const fields = writeFields(memory, program.keys, layout);
  const words = memory.allocate(8 * BLOCK);
  const gathered = new Gathered(memory, kernels, program.gathers, input.gathered, rows);
  const { grids } = input;
  const range = { memory, kernels, program, layout, fields, words, rows, gathered, grids };
  const keys = sumsOnly ? [] : program.keys.map((_, k) => keyColumn(range, k));
  const outputs = program.outputs.map((output) =>
    sumsOnly && !canOverflow(output) ? undefined : outputColumn(range, output),
  );
  const size = 8 * layout.words + program.lanes;
  const areFar = rows * size > NEAR;
  for (let row = 0; row < rows; row += BLOCK) {
    memory.heed();
    const n = Math.min(BLOCK, rows - row);
    if (areFar) kernels.touchRefs(refs + REF_SIZE * row, n, size);
    for (const column of keys) column.build(refs + REF_SIZE * row, row, n);
    for (const column of outputs) column?.build(refs + REF_SIZE * row, row, n);
  }
  return {
    rows,
    partials: kernels.countPartials(refs, rows),
    columns: sumsOnly ? [] : [...keys, ...outputs].flatMap((column) => column?.copy() ?? []),
    overflow: outputs.reduce<BuildOutput['overflow']>((first, column, output) => {
      const overflow = column?.overflow;
      if (overflow === undefined || (first !== undefined && first.row <= overflow.row)) return first;
      return { ...overflow, output };
    }, undefined),
    milliseconds: performance.now() - begun,
  };
}

/** Sums of floats are doubles, whatever they are. */
function canOverflow({ function: fn, type }: OutputProgram): boolean {
  return fn === 'sum' && type.kind !== 'float';
}

/** The range's refs in one run. */
function gather(memory: KernelMemory, { pieces }: BuildInput, rows: number): number {
  if (pieces.length === 1) return pieces[0].at;
  const refs = memory.allocate(REF_SIZE * rows);
  let to = refs;
  for (const { at, length } of pieces) {
    memory.bytes.copyWithin(to, at, at + REF_SIZE * length);
    to += REF_SIZE * length;
  }
  return refs;
}
