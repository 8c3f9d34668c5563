/** One contestant of one case, in a process of its own. It does what the race asks, a message at a time. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { tableFromIPC, tableToIPC } from 'apache-arrow';
import { naiveBound, requireEqual } from '../agree.mjs';
import { caseOf } from '../data/cases.mjs';
import { shared } from '../data/table.mjs';
import { warm } from '../turns.mjs';

/** A run that is shorter is repeated within its turn, for as long as this. */
const LEAST_MILLISECONDS = 20;
/** What floats are held to that are neither sums nor picked from the input: relatively, and below 1 absolutely. */
const DERIVED = 1e-9;

const { name, rows, threads, rival, path } = JSON.parse(process.argv[2]);
const one = caseOf(name);
const contestant = await (await import(new URL(`${rival}.mjs`, import.meta.url))).open(threads);
await contestant.load(one.table(rows, shared), one, dirname(path));
let repeats = 1;

const ACTIONS = {
  /** Ours: writes the answer, for the rivals to be held against. */
  async write() {
    const { table, stats } = await contestant.answer();
    writeFileSync(path, tableToIPC(table, 'file'));
    return { groups: stats.groups, strategies: stats.strategies };
  },
  async check() {
    const expected = tableFromIPC(readFileSync(path));
    const exact = one.asks.every(({ of }) => ['count', 'sum'].includes(of));
    const columns = await contestant.fetch();
    const bound = naiveBound(rows);
    if (rival === 'duckdb-unordered') {
      // in another order its values are others
      requireEqual(contestant.name, columns.slice(0, one.by.length), expected.select(one.by), 0);
    } else if (exact) requireEqual(contestant.name, columns, expected, bound);
    else requireEqual(contestant.name, columns, expected, Math.max(bound, DERIVED), 1);
    return {};
  },
  async warm() {
    const milliseconds = await warm(() => contestant.run());
    repeats = Math.max(1, Math.ceil(LEAST_MILLISECONDS / milliseconds));
    return { milliseconds };
  },
  async run() {
    const start = performance.now();
    for (let i = 0; i < repeats; i++) await contestant.run();
    return { milliseconds: (performance.now() - start) / repeats };
  },
  async close() {
    await contestant.close();
    return {};
  },
};

process.on('message', async (action) => {
  try {
    process.send(await ACTIONS[action]());
    if (action === 'close') process.disconnect();
  } catch (error) {
    process.send({ failure: error.message });
  }
});
process.send({ name: contestant.name, timed: contestant.timed });
