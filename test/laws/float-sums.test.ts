import * as fc from 'fast-check';
import { type Aggregator, createParallel } from 'rangefold';
import { afterAll, it } from 'vitest';
import { CLUSTER_URLS, createCluster } from '../support/cluster.js';
import { runs } from '../support/runs.js';
import { exactSums, floatRows } from './float-sum-law.js';

const parallel = (): Aggregator[] => [
  createParallel({ workers: 1 }),
  createParallel({ workers: 2, tuning: { morselRows: 16, groupsPerWorker: 1, roundBytes: 4000 } }),
  createParallel({
    workers: 3,
    tuning: { morselRows: 1000, deal: 'static', denseBits: 0, groupsPerWorker: 1, samplesPerRange: 1 },
  }),
  createParallel({ workers: 8, tuning: { morselRows: 1, deal: 'static', denseBits: 0 } }),
];
const ENGINES = CLUSTER_URLS.length === 0 ? parallel() : [createCluster()];
afterAll(() => Promise.all(ENGINES.map((engine) => engine.close())));

it.each([
  ['within a block', 40, 60],
  ['over many blocks, past the flush of a pair', 3500, 8],
])('float sums and means are exact and rounded once, %s', async (_, most, times) => {
  await fc.assert(
    fc.asyncProperty(floatRows(most), (rows) => exactSums(rows, ENGINES)),
    runs(times),
  );
});
