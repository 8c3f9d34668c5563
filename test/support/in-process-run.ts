import { tmpdir } from 'node:os';
import type { Input, Query } from 'rangefold';
import { check } from '../../dist/core/check.js';
import { openInput } from '../../dist/core/input.js';
import { compileProgram } from '../../dist/parallel/compile-program.js';
import { type Folded, foldPhase } from '../../dist/parallel/fold.js';
import { compileKernels, instantiateKernels, type Kernels } from '../../dist/parallel/kernels.js';
import { KernelMemory, reserveMemory } from '../../dist/parallel/memory.js';
import { DEFAULT_TUNING } from '../../dist/parallel/plan.js';
import type { Program } from '../../dist/parallel/program.js';
import { InlineRunner, type Runner } from '../../dist/parallel/runner.js';
import { SpillFolder } from '../../dist/parallel/spill-folder.js';
import type { Tuning } from '../../dist/parallel/tuning.js';

/** A run after its fold, on this thread alone. */
export interface FoldedRun {
  readonly memory: KernelMemory;
  readonly kernels: Kernels;
  readonly runner: Runner;
  readonly program: Program;
  readonly query: ReturnType<typeof check>;
  readonly folded: Folded;
  readonly tuning: Tuning;
}

/** Kernels over memory of their own, which runs can use one after the other. */
export interface Thread {
  readonly memory: KernelMemory;
  readonly kernels: Kernels;
}

export async function createThread(): Promise<Thread> {
  const wasm = reserveMemory();
  const kernels = instantiateKernels(await compileKernels(), wasm);
  const memory = new KernelMemory(wasm);
  memory.reset();
  return { memory, kernels };
}

/** Folds an input as `workers` workers would; with static dealing the tables are the same. */
export async function foldInProcess(
  { memory, kernels }: Thread,
  input: Input,
  query: Query,
  workers: number,
  tuning: Partial<Tuning>,
): Promise<FoldedRun> {
  memory.reset();
  const runner = new InlineRunner(memory, kernels, workers);
  const opened = await openInput(input);
  const checked = check(query, opened.fields);
  const program = compileProgram(checked);
  const all: Tuning = { ...DEFAULT_TUNING, ...tuning, deal: 'static' };
  const { signal } = new AbortController();
  const folder = new SpillFolder(tmpdir());
  const folded = await foldPhase(memory, kernels, runner, program, checked, opened, all, signal, folder);
  folder.remove();
  return { memory, kernels, runner, program, query: checked, folded, tuning: all };
}
