import { type Aggregator, createParallel, createReference } from 'rangefold';
import { CLUSTER_URLS, createCluster } from './cluster.js';

export interface Engine {
  readonly name: string;
  create(): Aggregator;
}

/** Small inputs go to the workers as well. */
const THREADS = { inlineRows: 0 };

/** Every table is spilled as soon as it has two groups, and read back a few at a time. */
const SPILLING = { ...THREADS, groupsPerWorker: 1, spillGroups: 2, chunkGroups: 3, loadGroups: 200 };

const ALL: readonly Engine[] = [
  { name: 'reference', create: () => createReference() },
  { name: 'parallel, on the calling thread', create: () => createParallel() },
  { name: 'parallel, 1 worker', create: () => createParallel({ workers: 1, tuning: THREADS }) },
  { name: 'parallel, 2 workers', create: () => createParallel({ workers: 2, tuning: THREADS }) },
  { name: 'parallel, 3 workers', create: () => createParallel({ workers: 3, tuning: THREADS }) },
  { name: 'parallel, 8 workers', create: () => createParallel({ workers: 8, tuning: THREADS }) },
  { name: 'parallel, spilling', create: () => createParallel({ workers: 2, tuning: SPILLING }) },
  ...(CLUSTER_URLS.length === 0 ? [] : [{ name: 'clickhouse, 2 shards', create: () => createCluster() }]),
];

/** RANGEFOLD_ENGINES narrows a run to the engines whose names begin with one of its words, as `reference; parallel, 2`. */
const words = process.env.RANGEFOLD_ENGINES?.split(';').map((word) => word.trim());

/** Every engine, in every setting, that must give the answers of test/conformance. */
export const ENGINES: readonly Engine[] = narrowed();

function narrowed(): readonly Engine[] {
  if (words === undefined) return ALL;
  const chosen = ALL.filter(({ name }) => words.some((word) => name.startsWith(word)));
  if (chosen.length === 0)
    throw new Error(`RANGEFOLD_ENGINES: got ${words}, wanted the beginning of an engine's name`);
  console.warn(`RANGEFOLD_ENGINES: only ${chosen.map(({ name }) => name).join('; ')}`);
  return chosen;
}
