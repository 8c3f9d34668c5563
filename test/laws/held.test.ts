import { Table } from 'apache-arrow';
import * as fc from 'fast-check';
import { createParallel, createReference, type HeldTable } from 'rangefold';
import { afterAll, it } from 'vitest';
import { runs } from '../support/runs.js';
import { sameAnswer } from './same-answer.js';
import { batchesOf, scenes } from './scene.js';

const ENGINES = [
  createParallel(),
  createParallel({ workers: 3, tuning: { groupsPerWorker: 1, samplesPerRange: 1, morselRows: 7 } }),
];
const reference = { name: 'reference', engine: createReference() };
afterAll(() => Promise.all(ENGINES.map((engine) => engine.close())));

it('a held table has the answers of the table that it was made of, whatever is held and released beside it', async () => {
  const held: HeldTable[][] = ENGINES.map(() => []);
  await fc.assert(
    fc.asyncProperty(
      scenes({ rows: fc.nat(200), values: 60 }),
      scenes({ rows: fc.nat(200), values: 60 }),
      fc.boolean(),
      async (scene, other, release) => {
        for (const [i, engine] of ENGINES.entries()) {
          const batches = batchesOf({ ...scene, apart: false });
          const mine = await engine.hold(new Table(batches));
          const theirs = await engine.hold(batchesOf({ ...other, apart: false })[0]);
          // an earlier one: what is read below must still be held
          if (release) held[i].shift()?.release();
          held[i].push(mine);
          if (!release) held[i].push(theirs);
          const reader = { name: `engine ${i}, held`, engine: heldBy(engine, mine) };
          await sameAnswer({ ...scene, apart: false }, [reference, reader]);
          if (release) theirs.release();
          await sameAnswer({ ...scene, apart: false }, [reference, reader]);
        }
      },
    ),
    runs(25),
  );
});

/** The engine, asked about a held table in place of what it is given. */
function heldBy(engine: ReturnType<typeof createParallel>, { table }: HeldTable): typeof engine {
  return { ...engine, aggregate: (_, query, options) => engine.aggregate(table, query, options) };
}
