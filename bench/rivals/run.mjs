/** Installs the rivals and runs them beside rangefold. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { flags, say, shapeNames, whole } from '../flags.mjs';
import { inFreshProcess } from '../fresh.mjs';
import { counted, lines, short } from '../lines.mjs';
import { introduction, machine, write } from '../results.mjs';
import { summaryOf } from '../turns.mjs';

const RIVALS = ['duckdb'];

const HELP = `npm run bench:rivals -- [options]

  --rows N       default 10,000,000
  --shapes A,B   default all
  --threads N    of each; default 2
  --turns N      runs that a median is of; default 9
  --rivals A,B   of ${RIVALS.join(', ')}; default all
  --name NAME    results go to bench/results/NAME.json; default rivals- and the date`;

const here = machine();
const values = flags(
  {
    rows: '10000000',
    shapes: 'all',
    threads: '2',
    turns: '9',
    rivals: RIVALS.join(','),
    name: `rivals-${here.date.replaceAll(/[:.]/g, '-')}`,
  },
  HELP,
);
const rows = whole('rows', values.rows);
const threads = whole('threads', values.threads);
const turns = whole('turns', values.turns);
const rivals = values.rivals.split(',');
const unknown = rivals.find((rival) => !RIVALS.includes(rival));
if (unknown !== undefined) throw new Error(`--rivals: got ${unknown}, wanted some of ${RIVALS.join(', ')}`);
const names = shapeNames(values.shapes);

execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], {
  cwd: fileURLToPath(new URL('.', import.meta.url)),
  stdio: 'inherit',
  // npm is a script on Windows
  shell: process.platform === 'win32',
});

say(introduction(here));
say(
  `key, count, sum, ordered by key; ${counted(threads, 'thread')} each; median of ${turns} warm runs, in turns`,
);
const shapes = [];
for (const name of names) {
  const argument = { name, rows, threads, turns, rivals };
  const result = await inFreshProcess(new URL('shape.mjs', import.meta.url), argument);
  shapes.push(result);
  show(result);
  write(values.name, { ...here, rows, threads, turns, shapes });
}
if (shapes.length > 1) showMeans();
say(`\n${write(values.name, { ...here, rows, threads, turns, shapes })}`);

function show({ name, title, groups, contestants }) {
  say(`\n${name}: ${title}; ${counted(rows, 'row')}, ${counted(groups, 'group')}; answers agree`);
  const [ours] = contestants;
  const table = [['', 'runs', 'ms', 'least', 'quartiles', '/ rangefold', 'fetched ms', '/ rangefold']];
  for (const { name, timed, milliseconds, fetched } of contestants) {
    table.push([
      `${name}, ${timed}`,
      String(milliseconds.runs.length),
      short(milliseconds.median),
      short(milliseconds.least),
      milliseconds.quartiles.map(short).join('..'),
      short(ratio(milliseconds, ours.milliseconds)),
      short(fetched.median),
      short(ratio(fetched, ours.fetched)),
    ]);
  }
  for (const line of lines(table)) say(`  ${line}`);
}

/** Turn by turn, for what slows one turn down slows both. */
function ratio(theirs, ours) {
  return summaryOf(theirs.runs.map((ms, turn) => ms / ours.runs[turn])).median;
}

function showMeans() {
  say();
  for (const [i, { name }] of shapes[0].contestants.entries()) {
    if (i === 0) continue;
    const ratios = shapes.map(({ contestants }) =>
      ratio(contestants[i].milliseconds, contestants[0].milliseconds),
    );
    const mean = Math.exp(ratios.reduce((sum, one) => sum + Math.log(one), 0) / ratios.length);
    say(
      `${name} / rangefold over ${shapes.length} shapes: geometric mean ${short(mean)}, least ${short(Math.min(...ratios))}`,
    );
  }
}
