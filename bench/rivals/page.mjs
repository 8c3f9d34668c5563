import { GROUPS } from '../data/cases.mjs';
import { counted, short } from '../lines.mjs';
import { LABELS } from './labels.mjs';
import { fasterRival, summaries, told } from './ratio.mjs';

/** Medians of fewer runs than this are marked. */
const MANY = 7;

/** The name of a group's chart, beside the page. */
export function chartName(group) {
  return `benchmarks-${group}.svg`;
}

/** The whole page of a run: its machine, a table and a chart for each group of cases, what the ratios come to. */
export function page(results) {
  const { node, cpu, cores, load, date, command, rows, threads, turns, cases } = results;
  const groups = Object.keys(GROUPS).filter((group) => cases.some((one) => one.group === group));
  const versions = [...new Set(cases.flatMap(({ contestants }) => contestants.map(({ name }) => name)))];
  return [
    '# Benchmarks',
    `Written by \`${command}\` on ${date.slice(0, 10)}. Node ${node}, ${cpu}, ${counted(cores, 'core')}; load before the run ${load.toFixed(1)}. ${counted(threads, 'thread')} each for rangefold, DuckDB and Polars; Arquero and the Map loop have one. ${counted(rows, 'row')}, where the case names no number.`,
    `Contestants: ${versions.filter((name) => !/any order/.test(name)).join(', ')}. Medians of ${turns} warm runs in turns, in milliseconds; an asterisk marks those of fewer than ${Math.min(MANY, turns)}. Rows are in each one's own memory before; every answer is ordered and was held against ours by value. Ours are exact, also in float sums; theirs are not. [How to read it](../bench/README.md).`,
    toldSummaries(cases)
      .map((line) => `- ${line}`)
      .join('\n'),
    ...groups.flatMap((group) => [
      `## ${GROUPS[group]}`,
      `![${GROUPS[group]}: milliseconds by contestant](${chartName(group)})`,
      tableOf(
        cases.filter((one) => one.group === group),
        Math.min(MANY, turns),
      ),
    ]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** What the ratios come to, a sentence each. */
export function toldSummaries(cases) {
  const { engines, aggregates } = summaries(cases);
  return [
    ...(engines === undefined ? [] : [told('shapes and questions', engines)]),
    ...(aggregates === undefined ? [] : [told('single aggregates', aggregates)]),
  ];
}

function tableOf(cases, many) {
  const present = Object.keys(LABELS).filter((rival) =>
    cases.some(({ contestants }) => contestants.some((one) => one.rival === rival)),
  );
  const head = [
    'case',
    'what',
    'groups',
    ...present.map((rival) => LABELS[rival].label),
    'faster rival / ours',
  ];
  const body = cases.map((one) => [
    `\`${one.name}\``,
    one.title,
    one.groups.toLocaleString('en'),
    ...present.map((rival) =>
      cellOf(
        one.contestants.find((each) => each.rival === rival),
        many,
      ),
    ),
    short(fasterRival(one)?.ratio ?? Number.NaN),
  ]);
  const rule = head.map((_, c) => (c < 2 ? '---' : '---:'));
  return [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellOf(contestant, many) {
  if (contestant === undefined) return '';
  if (contestant.failure !== undefined) return 'failed';
  const { median, runs } = contestant.milliseconds;
  return `${short(median)}${runs.length < many ? '\\*' : ''}`;
}
