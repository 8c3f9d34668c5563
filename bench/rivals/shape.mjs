/** One shape, in a process of its own: ours and the rivals on the same rows, in turns. */
import { createParallel } from '../../dist/index.js';
import { naiveBound, requireEqual } from '../agree.mjs';
import { shapeOf } from '../data/shapes.mjs';
import { shared, tableOf } from '../data/table.mjs';
import { answer } from '../fresh.mjs';
import { held } from '../held.mjs';
import { queryOf } from '../query.mjs';
import { inTurns, warm } from '../turns.mjs';

await answer(async ({ name, rows, threads, turns, rivals }) => {
  const shape = shapeOf(name);
  const query = queryOf(shape);
  const table = tableOf(shape, rows, shared);
  const engine = createParallel({ workers: threads });
  const input = await held(engine, table);
  const ours = await engine.aggregate(input, query);
  const opened = await Promise.all(rivals.map((rival) => open(rival, threads)));
  for (const rival of opened) {
    await rival.load(table, query.by);
    requireEqual(rival.name, await rival.fetch(), ours.table, naiveBound(rows));
  }
  const aggregate = { name: 'rangefold', run: async () => void (await engine.aggregate(input, query)) };
  const contestants = [aggregate, ...opened.map(({ name, run }) => ({ name, run }))];
  const times = await race(contestants, turns);
  const fetched = await race(
    [aggregate, ...opened.map(({ name, fetch }) => ({ name, run: async () => void (await fetch()) }))],
    Math.min(turns, 3),
  );
  for (const rival of opened) await rival.close();
  await engine.close();
  return {
    name,
    title: shape.title,
    rows,
    groups: ours.stats.groups,
    threads,
    contestants: contestants.map(({ name }, i) => ({
      name,
      timed: opened[i - 1]?.timed ?? 'aggregate() to an Arrow table',
      milliseconds: times[i],
      fetched: fetched[i],
    })),
  };
});

/** A rival is a file of this folder, by its name. */
async function open(rival, threads) {
  const module = await import(new URL(`${rival}.mjs`, import.meta.url));
  return module.open(threads);
}

async function race(contestants, turns) {
  for (const { run } of contestants) await warm(run);
  return inTurns(contestants, turns);
}
