import { type Aggregator, createParallel, median, type Query, QueryError } from 'rangefold';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchOf, dataOf } from '../support/notation.js';

/** Rows go as kernels come. */
const MISSING: [feature: string, query: Query][] = [
  ['aggregate "m", quantile', { by: [], aggregates: { m: median('k') } }],
];

describe('what the parallel engine does not offer yet', () => {
  let engine: Aggregator;
  beforeAll(() => {
    engine = createParallel({ workers: 1 });
  });
  afterAll(() => engine.close());

  it.each(MISSING)('%s is named', async (feature, query) => {
    const input = batchOf([['k', dataOf({ type: 'i32', values: [1] })]]);
    const run = engine.aggregate(input, query);
    await expect(run).rejects.toThrow(QueryError);
    await expect(run).rejects.toThrow(
      `${feature} is not offered by the parallel engine yet; createReference() answers it`,
    );
  });
});
