/** Installs the rivals and runs them beside rangefold. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { caseNames, caseOf, GROUPS } from '../data/cases.mjs';
import { flags, say, whole } from '../flags.mjs';
import { compileLimit } from '../limit/compile.mjs';
import { counted } from '../lines.mjs';
import { introduction, machine, write } from '../results.mjs';
import { estimate, inWords, left } from './estimate.mjs';
import { install } from './install.mjs';
import { chartName, page, toldSummaries } from './page.mjs';
import { race } from './race.mjs';
import { show } from './show.mjs';

const RIVALS = ['duckdb', 'polars', 'arquero', 'map', 'reference', 'limit'];

const HELP = `npm run bench:rivals -- [options]

  --all          every case, and the page and charts of docs/; else the nine shapes, and no page
  --rows N       default 10,000,000; small inputs have rows of their own
  --shapes A,B   names of cases and of groups of cases (${Object.keys(GROUPS).join(', ')}); default shapes
  --threads N    of each; default 2
  --runs N       that a median is of; default 9
  --seconds N    of runs for a rival whose run takes more than five: at most three runs, at least one; default 30
  --rivals A,B   of ${RIVALS.join(', ')}; default all
  --docs         writes the page and charts also without --all
  --name NAME    results go to bench/results/NAME.json; default rivals- and the date`;

const here = machine();
const values = flags(
  {
    rows: '10000000',
    shapes: '',
    threads: '2',
    runs: '9',
    seconds: '30',
    rivals: RIVALS.join(','),
    name: `rivals-${here.date.replaceAll(/[:.]/g, '-')}`,
  },
  HELP,
  ['all', 'docs'],
);
const rows = whole('rows', values.rows);
const threads = whole('threads', values.threads);
const turns = whole('runs', values.runs);
const seconds = whole('seconds', values.seconds);
let rivals = values.rivals.split(',');
const unknown = rivals.find((rival) => !RIVALS.includes(rival));
if (unknown !== undefined) throw new Error(`--rivals: got ${unknown}, wanted some of ${RIVALS.join(', ')}`);
const chosen = caseNames(values.shapes === '' ? (values.all ? 'all' : 'shapes') : values.shapes).map(caseOf);

install();

if (rivals.includes('limit') && !compileLimit()) {
  rivals = rivals.filter((rival) => rival !== 'limit');
  say('There is no C compiler (cc): the limit is left out.');
}

say(introduction(here));
say(
  `ordered by key; ${counted(threads, 'thread')} each; median of ${turns} warm runs, in turns; ${counted(chosen.length, 'case')}, about ${inWords(estimate(chosen, rows))}`,
);
const command = `npm run bench:rivals -- ${process.argv.slice(2).join(' ')}`.trim();
const results = { ...here, command, rows, threads, turns, seconds, cases: [], failed: [] };
const started = performance.now();
for (const [i, one] of chosen.entries()) {
  try {
    const result = await race(one, { rows: one.rows ?? rows, threads, turns, seconds, rivals });
    results.cases.push(result);
    show(result);
    for (const { name, failure } of result.contestants) {
      if (failure !== undefined) results.failed.push(`${one.name}, ${name}: ${failure}`);
    }
  } catch (error) {
    // hours of other cases are worth keeping; the end says what is missing
    results.failed.push(`${one.name}: ${error.message}`);
    say(`\n${one.name} has no times: ${error.message}`);
  }
  // after every case: a run that is ended early has measured something all the same
  write(values.name, results);
  const rest = chosen.slice(i + 1);
  const pace = left(chosen.slice(0, i + 1), rest, rows, (performance.now() - started) / 1000);
  if (rest.length > 0) say(`  ${i + 1} of ${chosen.length}; about ${inWords(pace)} left`);
}
say();
for (const line of toldSummaries(results.cases)) say(line);
for (const line of results.failed) say(`FAILED ${line}`);
if (results.failed.length > 0) process.exitCode = 1;
say(`\n${write(values.name, results)}`);
if (values.all || values.docs) say(await writePage());

/** The page and its charts; gives the page's path. */
async function writePage() {
  // what draws is there only once the rivals are installed
  const { chart } = await import('./chart.mjs');
  const docs = new URL('../../docs/', import.meta.url);
  mkdirSync(docs, { recursive: true });
  for (const group of Object.keys(GROUPS)) {
    const cases = results.cases.filter((one) => one.group === group);
    if (cases.length > 0) writeFileSync(new URL(chartName(group), docs), await chart(group, cases));
  }
  const path = fileURLToPath(new URL('benchmarks.md', docs));
  writeFileSync(path, page(results));
  return path;
}
