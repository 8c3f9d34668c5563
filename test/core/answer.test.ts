import { describe, expect, it } from 'vitest';
import type { Stats } from '../../dist/core/aggregator.js';
import { type Answer, answerOf, type RangeBatch, streamOf } from '../../dist/core/answer.js';
import { collect } from '../../dist/core/collect.js';
import { recordBatchOf, schemaOf } from '../../dist/core/to-arrow.js';

const schema = schemaOf([]);
const stats: Stats = {
  engine: 'test',
  rows: 0,
  groups: 0,
  workers: 1,
  strategies: [],
  milliseconds: {},
  ranges: [],
  spilledBytes: 0,
};
const rows = (range: number, count: number): RangeBatch => ({
  range,
  batch: recordBatchOf(schema, { rows: count, columns: [] }),
});

function make(source: AsyncGenerator<RangeBatch, void, undefined>, log: string[] = []): Answer {
  const tell = (): Stats => {
    log.push('stats');
    return stats;
  };
  return answerOf(schema, source, tell, () => log.push('end'));
}

async function* two(): AsyncGenerator<RangeBatch, void, undefined> {
  yield rows(0, 3);
  yield rows(1, 2);
}

describe('answerOf', () => {
  it('settles stats and ends the run once, when the last batch has been read', async () => {
    const log: string[] = [];
    const answer = make(two(), log);
    await answer.batches.next();
    await answer.batches.next();
    expect(log).toEqual([]);
    expect(await answer.batches.next()).toEqual({ done: true, value: undefined });
    expect(await answer.batches.next()).toEqual({ done: true, value: undefined });
    await answer.batches.return?.();
    expect(log).toEqual(['stats', 'end']);
    expect(await answer.stats).toBe(stats);
  });

  it('does so where it is returned before the first batch, and tells the source', async () => {
    const log: string[] = [];
    const source = two();
    await make(source, log).batches.return?.();
    expect(log).toEqual(['stats', 'end']);
    expect(await source.next()).toEqual({ done: true, value: undefined });
  });

  it('fails stats as the batches fail, and nobody needs to look at them', async () => {
    const error = new Error('disk');
    const log: string[] = [];
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    async function* failing(): AsyncGenerator<RangeBatch, void, undefined> {
      yield rows(0, 1);
      throw error;
    }
    const answer = make(failing(), log);
    await expect(collect(answer)).rejects.toBe(error);
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    expect(log).toEqual(['end']);
    await expect(answer.stats).rejects.toBe(error);
  });
});

describe('streamOf', () => {
  it('hands out the batches and returns the answer', async () => {
    const log: string[] = [];
    const stream = streamOf(make(two(), log));
    for await (const batch of stream.batches) {
      expect(batch.numRows).toBe(3);
      break;
    }
    expect(log).toEqual(['stats', 'end']);
  });
});

describe('collect', () => {
  it('lays ranges end to end, whatever batches they come in', async () => {
    async function* pieces(): AsyncGenerator<RangeBatch, void, undefined> {
      for (const [range, count] of [
        [0, 3],
        [0, 1],
        [1, 5],
        [2, 2],
        [2, 2],
      ]) {
        yield rows(range, count);
      }
    }
    const { ranges, stats: told } = await collect(make(pieces()));
    expect(ranges).toEqual([
      { start: 0, length: 4 },
      { start: 4, length: 5 },
      { start: 9, length: 4 },
    ]);
    expect(told).toBe(stats);
  });

  it('has no range where there is no batch', async () => {
    async function* none(): AsyncGenerator<RangeBatch, void, undefined> {}
    const { table, ranges } = await collect(make(none()));
    expect(ranges).toEqual([]);
    expect(table.numRows).toBe(0);
  });
});
