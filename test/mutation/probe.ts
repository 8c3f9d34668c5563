import * as fc from 'fast-check';
import {
  type Aggregator,
  createParallel,
  createReference,
  type ParallelOptions,
  type Tuning,
} from 'rangefold';
import { askedOf, listed, pairs } from '../laws/asked.js';
import { choices, chosenOf } from '../laws/choice.js';
import { exactCoarseSums } from '../laws/coarse-sum-law.js';
import { exactSums, floatRows } from '../laws/float-sum-law.js';
import { asked, BUCKET_KINDS, queryAsked } from '../laws/keys-asked.js';
import { type Named, sameAnswer } from '../laws/same-answer.js';
import { type SceneOptions, scenes } from '../laws/scene.js';
import { inputOf, KEYS, lawfulSplit, MORSEL, PATTERNS, rowsOf } from '../laws/split-law.js';
import { Random } from '../support/random.js';
import { HARD_SCENES } from './hard-scenes.js';
import type { Law } from './mutants.js';

// A short run of the laws against the build beside it, for a child process: exits with 1, and says which law, at the
// first that fails; its argument is the law to begin with.

const LEAST: Partial<Tuning> = { groupsPerWorker: 1, samplesPerRange: 1, morselRows: MORSEL, deal: 'static' };

/** Engines are made when a law first asks for them: threads take long to start. */
function lazily(options: ParallelOptions): () => Aggregator {
  let engine: Aggregator | undefined;
  return () => {
    engine ??= createParallel(options);
    return engine;
  };
}

const slots = lazily({ workers: 3, tuning: { ...LEAST, roundBytes: 3000 } });
const word = lazily({ workers: 3, tuning: { ...LEAST, denseBits: 0 } });
const words = lazily({ workers: 2, tuning: { ...LEAST, denseBits: 0, wordBits: 0 } });

const spilling = lazily({
  workers: 2,
  tuning: { ...LEAST, denseBits: 0, spillGroups: 3, chunkGroups: 2, loadGroups: 20 },
});

const alone = lazily({ workers: 1, tuning: { ...LEAST, denseBits: 0 } });

const all = (): Named[] => [
  { name: 'reference', engine: createReference() },
  { name: 'slots', engine: slots() },
  { name: 'word', engine: word() },
  { name: 'words', engine: words() },
  { name: 'spilling', engine: spilling() },
];

const seed = 20_251_130;
const times = (numRuns: number): fc.Parameters<unknown> => ({ numRuns, seed, endOnFailure: true });

function answers(given: SceneOptions, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(scenes(given), async (scene) => {
    await sameAnswer(scene, all());
  });
  return fc.assert(property, times(numRuns));
}

async function conditions(): Promise<void> {
  for (const [pool, asked] of [
    [1, pairs],
    [30, listed],
  ] as const) {
    const given = scenes({ rows: fc.nat(150), values: 20, pool });
    const property = fc.asyncProperty(given, asked, async (scene, pair) => {
      await sameAnswer(scene, all(), askedOf(scene, pair));
    });
    await fc.assert(property, times(60));
  }
}

function choosing(): Promise<void> {
  const property = fc.asyncProperty(
    scenes({ rows: fc.nat(150), values: 40 }),
    choices,
    async (scene, choice) => {
      await sameAnswer(scene, all(), chosenOf(scene, choice));
    },
  );
  return fc.assert(property, times(60));
}

async function split(): Promise<void> {
  for (const [name, pattern] of Object.entries(PATTERNS)) {
    for (const [kind, engine] of [
      ['neighbouring integers', slots()],
      ['texts with a long beginning', word()],
    ] as const) {
      const queues = pattern(60, 3, new Random(seed));
      const groups = new Set(rowsOf(queues)).size;
      const { input, query } = inputOf(KEYS[kind], queues);
      const wanted = { workers: 3, ranges: 3, groups, rows: rowsOf(queues).length };
      await lawfulSplit(engine, input, query, wanted).catch((error: unknown) => {
        throw new Error(`${name}: ${String(error)}`);
      });
    }
  }
}

const LAWS: Readonly<Record<Law, () => Promise<void>>> = {
  split,
  answers: () => answers({ rows: fc.nat(150), values: 60 }, 40),
  'hard scenes': async () => {
    for (const scene of HARD_SCENES) await sameAnswer(scene, all());
  },
  floats: () => {
    const property = fc.asyncProperty(floatRows(60), (rows) => exactSums(rows, [slots(), word()]));
    return fc.assert(property, times(40));
  },
  keys: () => {
    const given = scenes({ rows: fc.nat(60), values: 20, kinds: BUCKET_KINDS });
    const property = fc.asyncProperty(given, asked(3), async (scene, keys) => {
      await sameAnswer(scene, all(), queryAsked(scene, keys));
    });
    return fc.assert(property, times(60));
  },
  'coarse sums': () => exactCoarseSums([alone()], seed),
  conditions,
  choices: choosing,
  'many rows': () => answers({ rows: fc.integer({ min: 2000, max: 4000 }), values: 3000 }, 2),
};

/** The law that is run first. */
const first = process.argv[2] as Law;

for (const name of new Set([first, ...(Object.keys(LAWS) as Law[])])) {
  const begun = performance.now();
  try {
    await LAWS[name]();
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    console.log(`${name} fails: ${String(cause).split('\n').slice(0, 3).join(' ')}`);
    process.exit(1);
  }
  console.log(`${name} holds (${Math.round(performance.now() - begun)} ms)`);
}
process.exit(0);
