import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { CLUSTER_URLS } from '../support/cluster.js';
import { runs } from '../support/runs.js';
import { INTS } from './kinds.js';
import { type Seen, sameAnswer } from './same-answer.js';
import { scenes } from './scene.js';
import { closeAll, createEngines, createTinyRounds } from './settings.js';

const engines = createEngines();
const tiny = createTinyRounds();
afterAll(() => closeAll([...engines, ...tiny]));

const used = new Set<string>();
function note({ strategies }: Seen): void {
  for (const strategy of strategies) used.add(strategy);
}

it('every setting gives the reference answer to a small input', async () => {
  const small = scenes({ rows: fc.nat(120), values: 40 });
  await fc.assert(
    fc.asyncProperty(small, async (scene) => {
      note(await sameAnswer(scene, engines));
    }),
    runs(80),
  );
});

it('every setting gives the reference answer to an input of many blocks and groups', async () => {
  const large = scenes({ rows: fc.integer({ min: 2000, max: 7000 }), values: 5000 });
  await fc.assert(
    fc.asyncProperty(large, async (scene) => {
      note(await sameAnswer(scene, engines));
    }),
    runs(12),
  );
});

it('every setting fails in the same words where a sum does not fit', async () => {
  const kinds = INTS.filter(({ width }) => width === 8);
  const wide = scenes({ rows: fc.integer({ min: 2, max: 60 }), values: 40, kinds, sums: true });
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(wide, async (scene) => {
      const { error } = await sameAnswer(scene, engines);
      seen.add(error === undefined ? 'an answer' : error.replace(/:.*/, ''));
    }),
    runs(30),
  );
  expect([...seen].toSorted()).toEqual(['AggregateOverflowError', 'an answer']);
});

it('rounds of a row give the reference answer', async () => {
  const few = scenes({ rows: fc.nat(25), values: 10 });
  await fc.assert(
    fc.asyncProperty(few, async (scene) => void (await sameAnswer(scene, tiny))),
    runs(40),
  );
});

it('the runs above took every way there is', () => {
  if (CLUSTER_URLS.length > 0) {
    expect([...used].toSorted()).toEqual(['exact float sums', 'map', 'select']);
    return;
  }
  expect([...used].toSorted()).toEqual([
    'counting table',
    'hash table',
    'map',
    'recut',
    'relayout',
    'spill',
    'wide hash table',
  ]);
});
