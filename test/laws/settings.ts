import { createParallel, createReference, type ParallelOptions } from 'rangefold';
import { CLUSTER_URLS, createCluster } from '../support/cluster.js';
import type { Named } from './same-answer.js';

/** Every threshold at 1, so that the smallest input takes the ways of a large one. */
export const LEAST = { groupsPerWorker: 1, samplesPerRange: 1, morselRows: 1 } as const;

/** Tables are spilled as soon as they have some groups, and read back few at a time. */
const SPILLING = { morselRows: 64, spillGroups: 20, chunkGroups: 1, loadGroups: 30 } as const;

/** Settings of the parallel engine that must not show in the answer. */
const SETTINGS: readonly ParallelOptions[] = [
  { workers: 1 },
  { workers: 2, tuning: { ...LEAST, roundBytes: 3000 } },
  { workers: 3, tuning: { ...LEAST, deal: 'static' } },
  { workers: 8, tuning: { ...LEAST, deal: 'static', morselRows: 5, denseBits: 0, rangesPerWorker: 2 } },
  { workers: 2, tuning: { ...LEAST, morselRows: 64, denseBits: 0, wordBits: 0 } },
  { workers: 3, tuning: { ...LEAST, morselRows: 100, denseBits: 4, wordBits: 12, rangesPerWorker: 3 } },
  { workers: 1, tuning: { ...LEAST, denseBits: 24, rangesPerWorker: 3 } },
  {
    workers: 2,
    tuning: { ...LEAST, morselRows: 5, spillGroups: 3, chunkGroups: 2, loadGroups: 40, roundBytes: 3000 },
  },
  { workers: 1, tuning: { ...LEAST, ...SPILLING, inlineRows: 2 ** 24, denseBits: 0, wordBits: 0 } },
];

/** One whose rounds are as small as can be: a row each. */
const TINY_ROUNDS: ParallelOptions = { workers: 2, tuning: { ...LEAST, roundBytes: 1, deal: 'static' } };

function named(options: ParallelOptions): Named {
  return { name: JSON.stringify(options), engine: createParallel(options) };
}

/** The reference, then the parallel engine in every setting; where there is a cluster, that one instead. */
export function createEngines(): Named[] {
  return [{ name: 'reference', engine: createReference() }, ...(onCluster() ?? SETTINGS.map(named))];
}

export function createTinyRounds(): Named[] {
  return [{ name: 'reference', engine: createReference() }, ...(onCluster() ?? [named(TINY_ROUNDS)])];
}

/** The cluster, where there is one. */
export function onCluster(): Named[] | undefined {
  return CLUSTER_URLS.length === 0 ? undefined : [{ name: 'clickhouse', engine: createCluster() }];
}

export async function closeAll(engines: readonly Named[]): Promise<void> {
  await Promise.all(engines.map(({ engine }) => engine.close()));
}
