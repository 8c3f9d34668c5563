import { aggregateTable, EACH_AGGREGATE } from './each-aggregate.mjs';
import { QUESTIONS, questionTable } from './questions.mjs';
import { MORE_SHAPES, SHAPES, shapeOf } from './shapes.mjs';
import { tableOf } from './table.mjs';
import { tenTable } from './ten.mjs';

const ask = (as, of, ...columns) => ({ as, of, columns });
const COUNT_AND_SUM = [ask('count', 'count'), ask('sum', 'sum', 'value')];
const SMALL = [1_000, 10_000, 100_000];

/** Who takes part. Arquero and the Map loop are asked for counts and sums only. */
const EVERYONE = ['duckdb', 'polars', 'arquero', 'map'];
const ENGINES = ['duckdb', 'polars'];
/** Shapes that the C program of limit/ knows. */
const LIMITED = ['seed', 'dense', 'few'];
/** Aggregates whose answer depends on the order of rows: a rival that need not keep it has less to do. */
const IN_ORDER = ['first', 'last', 'list', 'join'];

/**
 * Everything that is raced: `by` and `asks` are the query, `table(rows, allocate)` makes the rows, `rows` is there where
 * a case is about its size, `rivals` are files of rivals/. A group is drawn as one chart.
 */
export const CASES = [
  ...SHAPES.map((shape) => ofShape('shapes', shape)),
  ...MORE_SHAPES.map((shape) => ofShape('more', shape)),
  {
    ...ofShape('more', shapeOf('seed')),
    name: 'ten',
    title: 'int64 key, 100,000 groups, ten aggregates',
    asks: [
      ask('rows', 'count'),
      ask('values', 'count', 'value'),
      ...['sum', 'mean', 'min', 'max'].flatMap((of) => [
        ask(`${of}_value`, of, 'value'),
        ask(`${of}_other`, of, 'other'),
      ]),
    ],
    table: tenTable,
    rivals: ENGINES,
  },
  ...SMALL.map((rows) => small(rows)),
  ...QUESTIONS.map((question) => ({
    ...question,
    group: 'questions',
    table: (rows, allocate) => questionTable(question, rows, allocate),
    rivals: ENGINES,
  })),
  ...EACH_AGGREGATE.map((one) => ({
    ...one,
    group: 'aggregates',
    table: (rows, allocate) => aggregateTable(one, rows, allocate),
    rivals: IN_ORDER.includes(one.asks[0].of) ? ['duckdb', 'duckdb-unordered'] : ['duckdb'],
  })),
];

/** The groups, with what a chart of theirs is called. */
export const GROUPS = {
  shapes: 'Count and sum, by shape',
  more: 'Further shapes',
  small: 'Small inputs',
  questions: 'The ten questions of db-benchmark',
  aggregates: 'Each aggregate on 12 and on 100,000 groups',
};

function ofShape(group, shape) {
  return {
    name: shape.name,
    title: shape.title,
    group,
    by: shape.keys.map(({ name }) => name),
    asks: COUNT_AND_SUM,
    table: (rows, allocate) => tableOf(shape, rows, allocate),
    rivals: LIMITED.includes(shape.name) ? [...EVERYONE, 'limit', 'limit-1'] : EVERYONE,
  };
}

/** Ten rows for each group. Here the reference takes part: a pool that loses to it is not worth its threads. */
function small(rows) {
  const seed = shapeOf('seed');
  const groups = rows / 10;
  const shape = { ...seed, groups, keys: seed.keys.map((key) => ({ ...key, entries: groups })) };
  return {
    ...ofShape('small', shape),
    name: `small-${rows}`,
    title: `int64 key, ${rows.toLocaleString('en')} rows, ${groups.toLocaleString('en')} groups`,
    rows,
    rivals: [...EVERYONE, 'reference'],
  };
}

/** @throws where there is no case of that name. */
export function caseOf(name) {
  const found = CASES.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new Error(`case: got ${name}, wanted one of ${CASES.map((one) => one.name).join(', ')}`);
}

/** Names of cases and of groups of cases, as names of cases; `all` is all of them. */
export function caseNames(text) {
  if (text === 'all') return CASES.map(({ name }) => name);
  return text.split(',').flatMap((name) => {
    const ofGroup = CASES.filter(({ group }) => group === name);
    return (ofGroup.length > 0 ? ofGroup : [caseOf(name)]).map((one) => one.name);
  });
}
