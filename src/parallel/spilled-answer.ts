import type { RecordBatch, Schema } from 'apache-arrow';
import type { Batch } from '../core/column.js';
import { MemoryLimitError } from '../core/errors.js';
import type { CheckedQuery } from '../core/plan.js';
import { recordBatchOf } from '../core/to-arrow.js';
import { batchesOf, requireFits } from './assemble.js';
import { choose } from './choose.js';
import type { Clock } from './clock.js';
import type { Kernels } from './kernels.js';
import { loadPhase, type Spilled } from './load.js';
import type { KernelMemory } from './memory.js';
import { orderLevels, type SetRange } from './order-levels.js';
import { planAnswerBytes } from './plan.js';
import type { Program } from './program.js';
import type { Runner } from './runner.js';
import type { Tally } from './stats.js';
import type { Tuning } from './tuning.js';

/** What the loads of a run work with. */
export interface Loading {
  readonly memory: KernelMemory;
  readonly kernels: Kernels;
  readonly runner: Runner;
  readonly program: Program;
  readonly query: CheckedQuery;
  readonly spilled: Spilled;
  readonly tuning: Tuning;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Does work with kernel memory, empty, and all workers to itself. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** The batches of a run's answer, and what is known of their ranges so far. */
export interface SpilledAnswer {
  readonly batches: AsyncIterable<RecordBatch>;
  readonly tally: Tally;
}

export function spilledAnswer(
  loading: Loading,
  schema: Schema,
  memoryLimit: number | undefined,
): SpilledAnswer {
  const tally = { ranges: [] as SetRange[], recut: false, spilledBytes: loading.spilled.bytes };
  const most = memoryLimit === undefined ? Number.POSITIVE_INFINITY : planAnswerBytes(memoryLimit);
  async function* batches(): AsyncGenerator<RecordBatch, void, undefined> {
    for await (const batch of loadedBatches(loading, tally, most)) yield recordBatchOf(schema, batch);
  }
  return { batches: batches(), tally };
}

interface Growing {
  readonly ranges: Omit<SetRange, 'columns'>[];
  recut: boolean;
}

/**
 * The answer of a run that was spilled: one load of ranges after the other, each when it is asked for. Between them nothing
 * of the run is in kernel memory. Sums are looked at as they come, so that an overflow is met behind the groups before it.
 * @throws AggregateOverflowError, as {@link requireFits}; MemoryLimitError where groups must be sorted that do not fit.
 */
async function* loadedBatches(
  loading: Loading,
  tally: Growing,
  most: number,
): AsyncGenerator<Batch, void, undefined> {
  const { query, spilled, clock } = loading;
  const { sort, limit } = query;
  let left = limit;
  let kept: readonly Batch[] = [];
  for (const load of spilled.loads) {
    if (left === 0 && !canOverflow(query)) break;
    const before = kept;
    const batches: readonly Batch[] = await loading.alone(async () => {
      const built = await loadBatches(loading, load, left, tally);
      return chooseOf(loading, before, built, left);
    });
    // nothing is measured while the reader is waited for
    clock.end();
    if (sort.length > 0) {
      kept = batches;
      requireRoom(kept, most);
      continue;
    }
    if (left !== undefined) left -= batches.reduce((sum, { rows }) => sum + rows, 0);
    yield* batches;
  }
  if (sort.length === 0) return;
  yield* limit !== undefined
    ? kept
    : await loading.alone(() => choose(loading.memory, loading.runner, query, kept));
}

/** The query with what is left of its limit. */
function limited(query: CheckedQuery, left: number | undefined): CheckedQuery {
  return left === undefined ? query : { ...query, limit: left };
}

/** Sums of integers and decimals may not fit. */
function canOverflow({ aggregates }: CheckedQuery): boolean {
  return aggregates.some(({ function: fn }) => fn === 'sum');
}

/** All groups of a load, in order. */
async function loadBatches(
  { memory, kernels, runner, program, query, spilled, tuning, signal, clock }: Loading,
  load: Spilled['loads'][number],
  left: number | undefined,
  tally: Growing,
): Promise<Batch[]> {
  clock.enter('load');
  const { split, ...loaded } = await loadPhase(memory, kernels, runner, program, spilled, load, tuning);
  signal.throwIfAborted();
  const { ranges, recut } = await orderLevels(
    memory,
    kernels,
    runner,
    program,
    limited(query, left),
    loaded,
    tuning,
    signal,
    (phase) => clock.enter(phase),
    split,
  );
  signal.throwIfAborted();
  clock.enter('assemble');
  requireFits(query, ranges);
  tally.ranges.push(...ranges.map(({ columns: _, ...range }) => range));
  tally.recut ||= recut;
  return batchesOf(query, ranges);
}

/** What is kept of a load's groups, and of those before where groups are sorted: all of them, or as many as are wanted. */
function chooseOf(
  { memory, runner, query }: Loading,
  before: readonly Batch[],
  batches: readonly Batch[],
  left: number | undefined,
): Promise<readonly Batch[]> | readonly Batch[] {
  const { sort, having } = query;
  if (sort.length === 0) return choose(memory, runner, limited(query, left), batches);
  const all = [...before, ...batches];
  // of equal groups those that came first stay first, in key order
  if (query.limit !== undefined) return all.length === 0 ? all : choose(memory, runner, query, all);
  if (having === undefined) return all;
  return choose(memory, runner, { ...query, sort: [] }, batches).then((kept) => [...before, ...kept]);
}

function requireRoom(batches: readonly Batch[], most: number): void {
  const bytes = batches.reduce((sum, { columns }) => sum + bytesOf(columns), 0);
  if (bytes <= most) return;
  const came = `${bytes} bytes of groups to sort, so far`;
  const wanted = `at most ${most}; with a limit to the groups, only those are kept`;
  throw new MemoryLimitError(`memoryLimit: got ${came}, wanted ${wanted}`, {
    parameter: 'memoryLimit',
    came,
    wanted,
  });
}

function bytesOf(columns: Batch['columns']): number {
  return columns.reduce((sum, { values, offsets, validity, buffers = [], items }) => {
    const own = [values, offsets, validity, ...buffers].reduce(
      (total, view) => total + (view?.length ?? 0),
      0,
    );
    return sum + own + (items === undefined ? 0 : bytesOf([items]));
  }, 0);
}
