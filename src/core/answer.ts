import type { RecordBatch, Schema } from 'apache-arrow';
import type { AggregationStream, Stats } from './aggregator.js';

/** A record batch of an answer, and the number of the range that it is part of: from 0, ascending. */
export interface RangeBatch {
  readonly range: number;
  readonly batch: RecordBatch;
}

/** The answer of a run as an engine gives it: both forms of the public answer are made of it. */
export interface Answer {
  readonly schema: Schema;
  readonly batches: AsyncIterableIterator<RangeBatch>;
  /** As in {@link AggregationStream}. */
  readonly stats: Promise<Stats>;
}

/**
 * Ties the end of an answer's batches to its stats and its run, however they end: read to the last, failed, or
 * returned, also before the first was asked for (where a generator's own `finally` would not run).
 * @param stats called once, at the end; a failure of the batches is the failure of the stats.
 * @param end called once, at the end.
 */
export function answerOf(
  schema: Schema,
  batches: AsyncIterator<RangeBatch>,
  stats: () => Stats,
  end: () => void,
): Answer {
  let ended = false;
  let settle: { readonly resolve: (stats: Stats) => void; readonly reject: (error: unknown) => void };
  const settled = new Promise<Stats>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Who does not look at the stats must not be told that they failed by an unhandled rejection.
  settled.catch(() => {});
  const finish = (tell: () => void): void => {
    if (ended) return;
    ended = true;
    tell();
    end();
  };
  const done = (): IteratorResult<RangeBatch> => {
    finish(() => settle.resolve(stats()));
    return { done: true, value: undefined };
  };
  return {
    schema,
    stats: settled,
    batches: {
      [Symbol.asyncIterator]() {
        return this;
      },
      async next() {
        if (ended) return done();
        try {
          const next = await batches.next();
          return next.done === true ? done() : next;
        } catch (error) {
          finish(() => settle.reject(error));
          throw error;
        }
      },
      async return() {
        await batches.return?.();
        return done();
      },
    },
  };
}

/** The public form of an answer that is read batch by batch. */
export function streamOf(answer: Answer): AggregationStream {
  const { schema, stats, batches } = answer;
  return {
    schema,
    stats,
    batches: {
      [Symbol.asyncIterator]() {
        return {
          async next() {
            const next = await batches.next();
            return next.done === true ? next : { done: false, value: next.value.batch };
          },
          async return() {
            await batches.return?.();
            return { done: true, value: undefined };
          },
        };
      },
    },
  };
}
