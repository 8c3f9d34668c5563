import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../support/cells.js';
import { runs } from '../support/runs.js';
import { askedOf, listed, type Pair, pairs } from './asked.js';
import { KINDS } from './kinds.js';
import { answerFor, conditionOf, questions } from './question.js';
import { sameAnswer } from './same-answer.js';
import { batchesOf, inputOf, queryOf, type Scene, scenes } from './scene.js';
import { closeAll, createEngines } from './settings.js';

const engines = createEngines();
afterAll(() => closeAll(engines));

const small = scenes({ rows: fc.nat(150), values: 20 });
/** Of columns with values enough for lists that are searched. */
const varied = scenes({ rows: fc.nat(150), values: 0, pool: 30 });
const large = scenes({ rows: fc.integer({ min: 2000, max: 6000 }), values: 300 });

async function sameChoice(scene: Scene, pair: Pair): Promise<void> {
  await sameAnswer(scene, engines, askedOf(scene, pair));
}

describe('conditions', () => {
  it('every setting keeps the rows of the reference, of any type', async () => {
    await fc.assert(fc.asyncProperty(small, pairs, sameChoice), runs(60));
  });

  it('every setting keeps the rows of the reference where lists are long', async () => {
    await fc.assert(fc.asyncProperty(varied, fc.oneof(pairs, listed), sameChoice), runs(25));
  });

  it('every setting keeps the rows of the reference in inputs of many blocks', async () => {
    await fc.assert(fc.asyncProperty(large, pairs, sameChoice), runs(10));
  });

  it('where is filtering before, by three-valued logic, on every engine', async () => {
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(small, questions, async (scene, question) => {
        const { columns } = scene;
        for (const { kind } of columns) kinds.add(kind.name);
        // counts and extremes have an answer whatever the rows
        const calm = {
          ...scene,
          aggregates: scene.aggregates.map((one) => ({ ...one, aggregate: one.aggregate % 3 })),
        };
        const query = queryOf(calm);
        const all = batchesOf(calm);
        const kept = batchesOf(calm, (row) => answerFor(question, columns, row) === true);
        for (const { name, engine } of engines) {
          const where = conditionOf(question, columns);
          const came = await engine.aggregate(inputOf(calm, all), { ...query, where });
          const wanted = await engine.aggregate(inputOf(calm, kept), query);
          assert.deepEqual(cellsOf(came.table), cellsOf(wanted.table), name);
        }
      }),
      runs(50),
    );
    expect(kinds.size).toBeGreaterThan(KINDS.length / 2);
  });
});
