/** Fails where a case has become slower against the rivals than its floor in floors.json; raises floors. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { flags, say } from './flags.mjs';
import { below, raised } from './floors.mjs';
import { fasterRival } from './rivals/ratio.mjs';

const HELP = `npm run bench:check -- --results NAME [--raise]

  --results NAME  of bench/results, as npm run bench:rivals wrote it; default the last one whose name begins with rivals-
  --raise         raises the floors to what was measured, less a share for noise, instead of checking`;

const FLOORS = new URL('floors.json', import.meta.url);

const values = flags({ results: '' }, HELP, ['raise']);
const name = values.results === '' ? last() : values.results;
const { rows, threads, cases, load, cores } = JSON.parse(
  readFileSync(new URL(`results/${name}.json`, import.meta.url), 'utf8'),
);
const kept = JSON.parse(readFileSync(FLOORS, 'utf8'));
const ratios = Object.fromEntries(
  cases.flatMap((one) => {
    const faster = fasterRival(one);
    return faster === undefined ? [] : [[one.name, faster.ratio]];
  }),
);
for (const [what, value] of [
  ['rows', rows],
  ['threads', threads],
]) {
  if (value === kept[what]) continue;
  throw new Error(`${name}: got ${value} ${what}, wanted ${kept[what]}: floors are of that many`);
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

/** The name of the last run's results; their names have the date. */
function last() {
  const folder = new URL('results/', import.meta.url);
  const names = existsSync(folder)
    ? readdirSync(folder).filter((file) => /^rivals-.*\.json$/.test(file))
    : [];
  const newest = names.toSorted().at(-1);
  if (newest !== undefined) return newest.replace(/\.json$/, '');
  throw new Error('bench/results: got no rivals-*.json, wanted one: npm run bench:rivals -- --all');
}
