import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { runs } from '../support/runs.js';
import { exactCoarseSums } from './coarse-sum-law.js';
import { asked, BUCKET_KINDS, queryAsked } from './keys-asked.js';
import { sameAnswer } from './same-answer.js';
import { scenes } from './scene.js';
import { closeAll, createEngines } from './settings.js';

const engines = createEngines();
afterAll(() => closeAll(engines));

it('every setting gives the reference answer, or its error, to buckets of every type', async () => {
  const small = scenes({ rows: fc.nat(80), values: 40, kinds: BUCKET_KINDS });
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(small, asked(3), async (scene, given) => {
      const query = queryAsked(scene, { ...given, sets: 'none' });
      const { error } = await sameAnswer(scene, engines, query);
      seen.add(error === undefined ? 'an answer' : error.replace(/:.*/, ''));
    }),
    runs(60),
  );
  expect([...seen].toSorted()).toEqual(['AggregateOverflowError', 'an answer']);
});

it('every setting gives the reference answer to buckets of many blocks', async () => {
  const large = scenes({ rows: fc.integer({ min: 2000, max: 6000 }), values: 5000, kinds: BUCKET_KINDS });
  await fc.assert(
    fc.asyncProperty(large, asked(3), async (scene, given) => {
      await sameAnswer(scene, engines, queryAsked(scene, { ...given, sets: 'none' }));
    }),
    runs(6),
  );
});

it('every setting gives the reference answer, or its error, to grouping sets of keys of every type', async () => {
  const small = scenes({ rows: fc.nat(80), values: 40 });
  await fc.assert(
    fc.asyncProperty(small, asked(4), async (scene, given) => {
      await sameAnswer(scene, engines, queryAsked(scene, given));
    }),
    runs(40),
  );
});

it('every setting gives the reference answer, or its error, to grouping sets of buckets', async () => {
  const small = scenes({ rows: fc.nat(60), values: 20, kinds: BUCKET_KINDS });
  await fc.assert(
    fc.asyncProperty(small, asked(4), async (scene, given) => {
      await sameAnswer(scene, engines, queryAsked(scene, given));
    }),
    runs(30),
  );
});

it('every setting gives the reference answer to grouping sets of many blocks and groups', async () => {
  const large = scenes({ rows: fc.integer({ min: 2000, max: 6000 }), values: 5000 });
  await fc.assert(
    fc.asyncProperty(large, asked(3), async (scene, given) => {
      await sameAnswer(scene, engines, queryAsked(scene, given));
    }),
    runs(5),
  );
});

it('float sums of many small groups that are merged into sets are rounded once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), (seed) =>
      exactCoarseSums(
        engines.map(({ engine }) => engine),
        seed,
      ),
    ),
    runs(1),
  );
});
