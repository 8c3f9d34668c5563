/**
 * Streams two million groups from a server to a file, and says how many bytes were held outside of the heap at most:
 * `node --expose-gc stream-groups.mjs URL PATH`.
 */

import { statSync } from 'node:fs';
import { createClient } from '@clickhouse/client';
import { count, mean } from 'rangefold';
import { createClickHouse } from 'rangefold/clickhouse';
import { writeFile } from '../../../dist/io/write.js';

const [url, path] = process.argv.slice(2);
const client = createClient({ url });
await client.command({
  query:
    'CREATE OR REPLACE VIEW two_million AS SELECT number AS id, intDiv(number, 2) AS half, number / 3 AS x FROM numbers(2000000)',
});
const engine = createClickHouse({ client });
const query = { by: ['id', 'half'], aggregates: { n: count(), m: mean('x') } };
const { schema, batches, stats } = await engine.stream('two_million', query);
// At most until eight batches have passed, and in all.
let early = 0;
let most = 0;
let batch = 0;
async function* watched() {
  for await (const one of batches) {
    globalThis.gc();
    const { external } = process.memoryUsage();
    most = Math.max(most, external);
    if (batch++ < 8) early = most;
    yield one;
  }
}
await writeFile({ schema, batches: watched() }, 'arrow', path);
const { groups } = await stats;
process.stdout.write(JSON.stringify({ groups, bytes: statSync(path).size, early, most }));
await client.command({ query: 'DROP VIEW two_million' });
await client.close();
