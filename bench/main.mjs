/** The speedup over the reference and over a plain Map loop, by shape and number of workers. */
import { shapeOf } from './data/shapes.mjs';
import { flags, say, shapeNames, whole, wholes } from './flags.mjs';
import { inFreshProcess } from './fresh.mjs';
import { counted, lines, short } from './lines.mjs';
import { introduction, machine, write } from './results.mjs';
import { span } from './span.mjs';
import { drawTimeline } from './timeline.mjs';

const HELP = `npm run bench -- [options]

  --rows N           rows of the parallel engine's runs; default 10,000,000
  --baseline-rows N  rows of the reference's and the Map loop's, and of the checks; default 1,000,000
  --shapes A,B       default all
  --workers 1,2,4    default 1, 2, doubled up to the machine's cores, and 4 in any case
  --turns N          runs that a median is of; default 7
  --span             instead of times a projection for 1, 2, 4, 8 and 16 workers, from CPU time by phase
  --timeline         draws docs/timeline.svg: when each worker was at which phase of one run; --workers has one number
  --name NAME        results go to bench/results/NAME.json; default the date`;

const here = machine();
const values = flags(
  {
    rows: '10000000',
    'baseline-rows': '1000000',
    shapes: 'all',
    workers: '',
    turns: '7',
    name: here.date.replaceAll(/[:.]/g, '-'),
  },
  HELP,
  ['span', 'timeline'],
);
const rows = whole('rows', values.rows);
const baselineRows = Math.min(rows, whole('baseline-rows', values['baseline-rows']));
const workers =
  values.workers !== ''
    ? wholes('workers', values.workers)
    : values.span
      ? [1, 2, 4, 8, 16]
      : workersFor(here.cores);
const turns = whole('turns', values.turns);
const names = shapeNames(values.shapes);

say(introduction(here));
const shapes = [];
if (values.span) await project();
else if (values.timeline) await draw();
else await time();

/** Four workers where none are said: so that there is something to see. */
async function draw() {
  if (workers.length > 1 && values.workers !== '') {
    throw new Error(`--workers: got ${values.workers}, wanted one number with --timeline`);
  }
  say(await drawTimeline(values.workers === '' ? 4 : workers[0], turns, here));
}

/** With all shapes asked for, those of the bar: few groups, many, and very many. */
async function project() {
  const chosen = values.shapes === 'all' ? ['few', 'seed', 'wide'] : names;
  const projections = await span(chosen, rows, workers, turns);
  say(`\n${write(values.name, { ...here, rows, turns, projections })}`);
}

async function time() {
  say(`key, count, sum, ordered by key; median of ${turns} warm runs each, in turns`);
  for (const name of names) {
    const result = await inFreshProcess(new URL('shape.mjs', import.meta.url), {
      name,
      rows,
      baselineRows,
      workers,
      turns,
    });
    shapes.push(result);
    show(result);
    save();
  }
  const memory = names.includes('seed') ? await peak() : undefined;
  say(`\n${save(memory)}`);
}

/** After every shape: a run that is ended early has measured something all the same. */
function save(memory) {
  return write(values.name, { ...here, rows, baselineRows, turns, shapes, memory });
}

/** 1, 2, doubled up to the cores, the cores, and 4: so that a small machine also shows what too many workers cost. */
function workersFor(cores) {
  const counts = new Set([1, 2, 4, cores]);
  for (let count = 8; count < cores; count *= 2) counts.add(count);
  return [...counts].sort((a, b) => a - b);
}

function show({ name, title, parallel, mapLoop, reference }) {
  const scale = rows / baselineRows;
  const one = parallel.find((run) => run.workers === 1);
  const over = (base, { median }) => (base === undefined ? '-' : short(base / median));
  say(`\n${name}: ${title}; ${counted(rows, 'row')}, ${counted(parallel[0].groups, 'group')}`);
  const speedups = ['x 1 worker', 'x Map loop', 'x reference'];
  const table = [['', 'runs', 'ms', 'least', 'quartiles', 'million rows/s', 'tail ms', ...speedups]];
  for (const { workers, milliseconds, tail, strategies } of parallel) {
    const note = workers > here.cores ? ', oversubscribed' : '';
    table.push([
      `parallel, ${counted(workers, 'worker')}${note} (${strategies.join(', ')})`,
      ...figures(milliseconds, 1),
      short(tail),
      over(one?.milliseconds.median, milliseconds),
      over(mapLoop.median * scale, milliseconds),
      over(reference.median * scale, milliseconds),
    ]);
  }
  const scaled = scale === 1 ? '' : `, ${counted(baselineRows, 'row')} scaled by ${short(scale)}`;
  table.push([`Map loop${scaled}`, ...figures(mapLoop, scale), '', '', '', '']);
  table.push([`reference${scaled}`, ...figures(reference, scale), '', '', '', '']);
  for (const line of lines(table)) say(`  ${line}`);
  if (scale !== 1 && shapeOf(name).groups > baselineRows / 20) {
    say('  scaled figures are indicative: groups grow with rows');
  }
}

function figures({ median, least, quartiles, runs }, scale) {
  const [low, high] = quartiles.map((ms) => short(ms * scale));
  return [
    String(runs.length),
    short(median * scale),
    short(least * scale),
    `${low}..${high}`,
    short(rows / (median * scale) / 1000),
  ];
}

async function peak() {
  const given = await inFreshProcess(new URL('peak.mjs', import.meta.url), {
    name: 'seed',
    rows,
    workers: Math.min(here.cores, Math.max(...workers)),
  });
  const { input, before } = given;
  const growth = (given.peak - before) / input;
  const megabytes = (bytes) => `${short(bytes / 1e6)} MB`;
  say(
    `\npeak memory, seed, ${counted(given.workers, 'worker')}: grew by ${megabytes(given.peak - before)} over ${megabytes(before)}` +
      ` with an input of ${megabytes(input)}, which is ${short(growth)} times the input`,
  );
  return { ...given, growth };
}
