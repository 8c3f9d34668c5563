import type { Aggregator, Input, Query, RunOptions, Stats } from '../core/aggregator.js';
import { type Answer, answerOf, type RangeBatch, streamOf } from '../core/answer.js';
import { check } from '../core/check.js';
import { collect } from '../core/collect.js';
import { openInput } from '../core/input.js';
import { Runs } from '../core/runs.js';
import { recordBatchOf, schemaOf } from '../core/to-arrow.js';
import { finish, sortGroups } from './finish.js';
import { fold } from './fold.js';

/**
 * The engine that the others are held against: one thread, and each step by its definition. It is exact and it is
 * slow; for work use `createParallel`.
 */
export function createReference(): Aggregator {
  const runs = new Runs();
  const close = async (): Promise<void> => runs.close();
  return {
    name: 'reference',
    aggregate: async (input, query, options) => collect(await start(runs, input, query, options)),
    stream: async (input, query, options) => streamOf(await start(runs, input, query, options)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function start(runs: Runs, input: Input, query: Query, options: RunOptions = {}): Promise<Answer> {
  const run = runs.start(options.signal);
  try {
    return await answer(input, query, { ...options, signal: run.signal }, run.end);
  } catch (error) {
    run.end();
    throw error;
  }
}

/** Everything but the building of Arrow objects is done when this returns, so every error is raised here. */
async function answer(
  input: Input,
  query: Query,
  options: RunOptions & { readonly signal: AbortSignal },
  end: () => void,
): Promise<Answer> {
  const { signal, onProgress } = options;
  const clock = new Clock();
  const opened = await openInput(input, options);
  try {
    const checked = check(query, opened.fields);
    const { groups, rows } = await fold(checked, opened, signal, onProgress);
    clock.lap('fold');
    sortGroups(checked, groups);
    clock.lap('sort');
    const batch = finish(checked, groups);
    clock.lap('build');
    const schema = schemaOf(checked.output);
    const stats = statsOf(rows, groups.length, clock);
    return answerOf(schema, batches(), () => stats, end);

    async function* batches(): AsyncGenerator<RangeBatch, void, undefined> {
      signal.throwIfAborted();
      if (batch.rows > 0) yield { range: 0, batch: recordBatchOf(schema, batch) };
    }
  } finally {
    await opened.close();
  }
}

function statsOf(rows: number, groups: number, { milliseconds }: Clock): Stats {
  const range = { worker: 0, partials: groups, groups, milliseconds: milliseconds.sort + milliseconds.build };
  return {
    engine: 'reference',
    rows,
    groups,
    workers: 1,
    strategies: ['map'],
    milliseconds,
    ranges: groups === 0 ? [] : [range],
    spilledBytes: 0,
  };
}

/** Wall time by phase. */
class Clock {
  readonly milliseconds = { fold: 0, sort: 0, build: 0 };
  #last = performance.now();

  lap(phase: 'fold' | 'sort' | 'build'): void {
    const now = performance.now();
    this.milliseconds[phase] = now - this.#last;
    this.#last = now;
  }
}
