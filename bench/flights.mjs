/**
 * The main job: delays of 3,000,000 real flights, by origin, then by origin and destination on both engines, whose
 * answers are compared bit for bit. Times are from the opened file to the answer in hand.
 */
import { statSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import { count, createParallel, createReference, max, mean, open } from 'rangefold';
import { pretty } from '../dist/io/pretty.js';
import { FLIGHTS as path } from './data/flights.mjs';
import { difference } from './difference.mjs';

const aggregates = { flights: count(), mean_delay: mean('delay'), max_delay: max('delay') };
const reference = createReference();
const parallel = createParallel();

try {
  const flights = await open(path);
  const megabytes = (statSync(path).size / 1e6).toFixed(1);
  say(`${basename(path)}: ${flights.rows.toLocaleString('en')} flights, ${megabytes} MB`);
  say(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})`);

  say('\nFlights, mean and greatest delay in minutes, by origin\n');
  const byOrigin = await timed(parallel, flights, { by: ['origin'], aggregates });
  await show(byOrigin.table);

  say('\nThe same by origin and destination, on both engines\n');
  const query = { by: ['origin', 'destination'], aggregates };
  const answer = await timed(parallel, flights, query);
  const expected = await timed(reference, flights, query);
  await show(answer.table);
  const different = await difference(answer.table, expected.table);
  if (different !== undefined) throw new Error(`the engines differ: ${different}`);
  say(
    `\nThe two answers are identical: schema, values and validity of ${answer.stats.groups.toLocaleString('en')} groups.`,
  );
} finally {
  await parallel.close();
  await reference.close();
}

async function timed(engine, input, query) {
  const start = performance.now();
  const aggregation = await engine.aggregate(input, query);
  const seconds = (performance.now() - start) / 1000;
  const { workers, rows, groups } = aggregation.stats;
  const threads = `${workers} ${workers === 1 ? 'worker' : 'workers'}`;
  const speed = (rows / seconds / 1e6).toFixed(1);
  say(
    `${engine.name.padEnd(10)} ${threads.padEnd(10)} ${seconds.toFixed(3)} s  ${speed.padStart(5)} million rows/s  ${groups.toLocaleString('en')} groups`,
  );
  return aggregation;
}

async function show({ schema, batches }) {
  say('');
  for await (const text of pretty(schema, batches, 5)) say(text.trimEnd());
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
