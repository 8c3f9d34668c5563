import * as fc from 'fast-check';
import { count, desc, max, type Query } from 'rangefold';
import { afterAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../support/cells.js';
import { batchOf, dataOf } from '../support/notation.js';
import { runs } from '../support/runs.js';
import { type Choice, choices, chosenOf } from './choice.js';
import { INTS } from './kinds.js';
import { sameAnswer } from './same-answer.js';
import { queryOf, type Scene, scenes } from './scene.js';
import { closeAll, createEngines } from './settings.js';

const engines = createEngines();
afterAll(() => closeAll(engines));

async function sameChoice(scene: Scene, choice: Choice): Promise<void> {
  await sameAnswer(scene, engines, chosenOf(scene, choice));
}

describe('having, sort and limit', () => {
  it('every setting takes what the reference takes, by columns of any type', async () => {
    const small = scenes({ rows: fc.nat(150), values: 40 });
    await fc.assert(fc.asyncProperty(small, choices, sameChoice), runs(50));
  });

  it('every setting takes what the reference takes of many groups', async () => {
    const large = scenes({ rows: fc.integer({ min: 2000, max: 6000 }), values: 5000 });
    await fc.assert(fc.asyncProperty(large, choices, sameChoice), runs(10));
  });

  it('every setting fails in the same words where a sum does not fit, be its group left out', async () => {
    const kinds = INTS.filter(({ width }) => width === 8);
    const wide = scenes({ rows: fc.integer({ min: 2, max: 60 }), values: 40, kinds });
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(wide, fc.nat(12), async (scene, limit) => {
        const { error } = await sameAnswer(scene, engines, { ...queryOf(scene), limit });
        seen.add(error === undefined ? 'an answer' : error.replace(/:.*/, ''));
      }),
      runs(80),
    );
    expect([...seen].toSorted()).toEqual(['AggregateOverflowError', 'an answer']);
  });

  it('the best of more groups than are kept at a time are the best of all, ties in key order', async () => {
    // 7 i modulo a prime is every number below it once
    const groups = 40_009;
    const k = Array.from({ length: groups }, (_, i) => (7 * i) % groups);
    const batch = batchOf([
      ['k', dataOf({ type: 'i32', values: k })],
      ['v', dataOf({ type: 'i32', values: k.map((key) => Math.floor(key / 3)) })],
    ]);
    const query = { by: ['k'], aggregates: { v: max('v'), n: count() } };
    const cases: readonly (readonly [NonNullable<Query['sort']>, readonly number[]])[] = [
      [['v'], [0, 1, 2, 3, 4, 5, 6, 7]],
      // every group ties with every other on the first
      [
        ['n', desc('k')],
        [40_008, 40_007, 40_006],
      ],
      [[desc('v')], [40_008, 40_005, 40_006, 40_007, 40_002, 40_003, 40_004, 39_999]],
    ];
    for (const [sort, best] of cases) {
      for (const { name, engine } of engines) {
        const { table, stats } = await engine.aggregate(batch, {
          ...query,
          sort,
          limit: best.length,
        });
        const wanted = best.map((key) => [String(key), String(Math.floor(key / 3)), '1']);
        expect(cellsOf(table).rows, name).toEqual(wanted);
        expect(stats.groups).toBe(groups);
      }
    }
  });
});
