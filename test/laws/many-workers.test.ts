import * as fc from 'fast-check';
import { createParallel, createReference } from 'rangefold';
import { afterAll, it } from 'vitest';
import { runs } from '../support/runs.js';
import { sameAnswer } from './same-answer.js';
import { scenes } from './scene.js';
import { closeAll, LEAST } from './settings.js';

const engines = [
  { name: 'reference', engine: createReference() },
  { name: '64 workers', engine: createParallel({ workers: 64, tuning: LEAST }) },
];
afterAll(() => closeAll(engines));

it('sixty-four workers give the reference answer', async () => {
  const large = scenes({ rows: fc.integer({ min: 2000, max: 7000 }), values: 5000 });
  await fc.assert(
    fc.asyncProperty(large, async (scene) => void (await sameAnswer(scene, engines))),
    runs(3),
  );
});
