import { createParallel } from '../../dist/index.js';
import { queryOfAsks } from '../ask.mjs';
import { held } from '../held.mjs';

/** Ours, as the rivals are. */
export async function open(threads) {
  return contestant(createParallel({ workers: threads }), 'rangefold');
}

/** An engine of ours as a contestant, which besides answers with an Arrow table. */
export function contestant(engine, name) {
  let input;
  let query;
  const run = () => engine.aggregate(input, query);
  return {
    name,
    timed: 'aggregate() to an Arrow table',
    async load(table, one) {
      input = await held(engine, table);
      query = queryOfAsks(one);
    },
    async run() {
      await run();
    },
    async answer() {
      return run();
    },
    async fetch() {
      const { table } = await run();
      return table.schema.fields.map((_, i) => table.getChildAt(i));
    },
    close: () => engine.close(),
  };
}
