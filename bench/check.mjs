/** Fails where a case has become slower against the rivals than its floor in floors.json; raises floors. */
import { readFileSync, writeFileSync } from 'node:fs';
import { flags, say } from './flags.mjs';
import { below, raised } from './floors.mjs';
import { fasterRival } from './rivals/ratio.mjs';

const HELP = `npm run bench:check -- --results NAME [--raise]

  --results NAME  of bench/results, as npm run bench:rivals wrote it
  --raise         raises the floors to what was measured, less a share for noise, instead of checking`;

const FLOORS = new URL('floors.json', import.meta.url);

const values = flags({ results: '' }, HELP, ['raise']);
if (values.results === '') throw new Error('--results: got none, wanted the name of a file in bench/results');
const path = new URL(`results/${values.results.replace(/\.json$/, '')}.json`, import.meta.url);
const { rows, threads, cases, load, cores } = JSON.parse(readFileSync(path, 'utf8'));
const kept = JSON.parse(readFileSync(FLOORS, 'utf8'));
const ratios = Object.fromEntries(
  cases.flatMap((one) => {
    const faster = fasterRival(one);
    return faster === undefined ? [] : [[one.name, faster.ratio]];
  }),
);
for (const [name, value] of [
  ['rows', rows],
  ['threads', threads],
]) {
  if (value === kept[name]) continue;
  throw new Error(`${values.results}: got ${value} ${name}, wanted ${kept[name]}: floors are of that many`);
}

if (values.raise) {
  const floors = raised(kept.floors, ratios);
  writeFileSync(FLOORS, `${JSON.stringify({ ...kept, floors }, null, 2)}\n`);
  say(
    `${Object.keys(floors).length} floors, from ${cases.length} cases; load before the run ${load.toFixed(1)} of ${cores} cores`,
  );
} else {
  const wrong = below(kept.floors, ratios);
  for (const line of wrong) say(`below its floor: ${line}`);
  say(`${wrong.length} of ${Object.keys(kept.floors).length} floors do not hold`);
  if (wrong.length > 0) process.exitCode = 1;
}
