/** One shape, in a process of its own: checks the answers, then times everyone. */
import { createParallel, createReference } from 'rangefold';
import { naiveBound, requireEqual, requireSame } from './agree.mjs';
import { groupsAt, shapeOf } from './data/shapes.mjs';
import { ordinary, shared, tableOf } from './data/table.mjs';
import { answer } from './fresh.mjs';
import { held } from './held.mjs';
import { columnsOf, mapLoop } from './map-loop.mjs';
import { queryOf } from './query.mjs';
import { inTurns, summaryOf, warm } from './turns.mjs';

await answer(async ({ name, rows, baselineRows, workers, turns }) => {
  const shape = shapeOf(name);
  const query = queryOf(shape);
  const reference = createReference();
  const engines = workers.map((count) => ({ workers: count, engine: createParallel({ workers: count }) }));
  await check(shape, query, baselineRows, reference, engines);
  const parallel = await timeParallel(shape, query, rows, engines, turns);
  await Promise.all(engines.map(({ engine }) => engine.close()));
  const baselines = await timeBaselines(shape, query, baselineRows, reference, turns);
  await reference.close();
  return { name, title: shape.title, rows, baselineRows, parallel, ...baselines };
});

/** Parallel against reference, bit for bit; the Map loop by value. */
async function check(shape, query, rows, reference, engines) {
  const { table } = await reference.aggregate(tableOf(shape, rows, ordinary), query);
  const input = tableOf(shape, rows, shared);
  for (const { workers, engine } of engines) {
    const { table: came } = await engine.aggregate(input, query);
    await requireSame(`parallel with ${workers} workers`, came, 'reference', table);
  }
  requireEqual('Map loop', columnsOf(mapLoop(input, query.by), query.by.length), table, naiveBound(rows));
}

async function timeParallel(shape, query, rows, engines, turns) {
  const table = tableOf(shape, rows, shared);
  const contestants = [];
  let first;
  for (const { workers, engine } of engines) {
    const input = await held(engine, table);
    const { table: came, stats } = await engine.aggregate(input, query);
    first ??= came;
    await requireSame(`parallel with ${workers} workers`, came, `with ${engines[0].workers}`, first);
    const groups = groupsAt(shape, rows) ?? stats.groups;
    if (stats.rows !== rows || stats.groups !== groups) {
      throw new Error(
        `${shape.name}: got ${stats.groups} groups of ${stats.rows} rows, wanted ${groups} of ${rows}`,
      );
    }
    await warm(() => engine.aggregate(input, query));
    const phases = [];
    const run = async () => {
      const { stats } = await engine.aggregate(input, query);
      phases.push(stats.milliseconds);
    };
    contestants.push({ name: `${workers} workers`, run, workers, phases, stats });
  }
  const times = await inTurns(contestants, turns);
  return contestants.map(({ workers, phases, stats }, i) => ({
    workers,
    strategies: stats.strategies,
    groups: stats.groups,
    milliseconds: times[i],
    tail: summaryOf(phases.map(({ split, order }) => split + order)).median,
    phases: mediansOf(phases),
  }));
}

function mediansOf(phases) {
  return Object.fromEntries(
    Object.keys(phases[0]).map((phase) => [phase, summaryOf(phases.map((one) => one[phase])).median]),
  );
}

/** The two that are timed on fewer rows. */
async function timeBaselines(shape, query, rows, reference, turns) {
  const table = tableOf(shape, rows, ordinary);
  const contestants = [
    { name: 'Map loop', run: async () => void mapLoop(table, query.by) },
    { name: 'reference', run: async () => void (await reference.aggregate(table, query)) },
  ];
  const times = [];
  // one after the other: what one leaves to the garbage collector the other would pay
  for (const contestant of contestants) {
    await warm(contestant.run);
    times.push(...(await inTurns([contestant], turns)));
  }
  return { mapLoop: times[0], reference: times[1] };
}
