import type { Input, Query } from 'rangefold';
import { check } from '../../dist/core/check.js';
import { openInput } from '../../dist/core/input.js';
import { type Folded, foldPhase } from '../../dist/parallel/fold.js';
import type { Kernels } from '../../dist/parallel/kernels.js';
import type { KernelMemory } from '../../dist/parallel/memory.js';
import { DEFAULT_TUNING, type Tuning } from '../../dist/parallel/plan.js';
import type { Pool } from '../../dist/parallel/pool.js';
import { compileProgram, type Program } from '../../dist/parallel/program.js';
import { createKernels, inProcessPool } from './in-process-pool.js';

/** A run after its fold, on this thread alone. */
export interface FoldedRun {
  readonly memory: KernelMemory;
  readonly kernels: Kernels;
  readonly pool: Pool;
  readonly program: Program;
  readonly query: ReturnType<typeof check>;
  readonly folded: Folded;
  readonly tuning: Tuning;
}

/** A thread's kernels, which runs can use one after the other. */
export type Thread = Awaited<ReturnType<typeof createKernels>>;

export { createKernels as createThread };

/** Folds an input as `workers` workers would; with static dealing the tables are the same. */
export async function foldInProcess(
  { memory, kernels }: Thread,
  input: Input,
  query: Query,
  workers: number,
  tuning: Partial<Tuning>,
): Promise<FoldedRun> {
  memory.reset();
  const pool = inProcessPool(memory, kernels);
  const opened = await openInput(input);
  const checked = check(query, opened.fields);
  const program = compileProgram(checked);
  const all: Tuning = { ...DEFAULT_TUNING, ...tuning, deal: 'static' };
  const { signal } = new AbortController();
  const folded = await foldPhase(
    memory,
    kernels,
    pool,
    program,
    checked,
    opened,
    workers,
    all,
    signal,
    undefined,
  );
  return { memory, kernels, pool, program, query: checked, folded, tuning: all };
}
