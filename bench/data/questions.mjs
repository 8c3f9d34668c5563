import { Float64, makeData } from 'apache-arrow';
import { int32Column, texts } from './columns.mjs';
import { random32, unit } from './random.mjs';
import { tableFrom } from './table.mjs';

/** Groups of the small ids; the large ones have this many times fewer than there are rows. */
const K = 100;

const sums = (...columns) => columns.map((column) => ({ as: column, of: 'sum', columns: [column] }));
const means = (...columns) => columns.map((column) => ({ as: column, of: 'mean', columns: [column] }));
const ask = (as, of, ...columns) => ({ as, of, columns });

/**
 * The ten questions of the db-benchmark group-by task (h2oai/db-benchmark). The range of q7 is a difference of two
 * outputs, and of q9 the square is taken of the output, by everyone alike.
 */
export const QUESTIONS = [
  question('q1', ['id1'], sums('v1')),
  question('q2', ['id1', 'id2'], sums('v1')),
  question('q3', ['id3'], [...sums('v1'), ...means('v3')]),
  question('q4', ['id4'], means('v1', 'v2', 'v3')),
  question('q5', ['id6'], sums('v1', 'v2', 'v3')),
  question('q6', ['id4', 'id5'], [ask('median_v3', 'median', 'v3'), ask('sd_v3', 'stddev', 'v3')]),
  question('q7', ['id3'], [ask('max_v1', 'max', 'v1'), ask('min_v2', 'min', 'v2')]),
  question('q8', ['id6'], [{ ...ask('largest2_v3', 'top', 'v3'), n: 2 }]),
  question('q9', ['id2', 'id4'], [ask('r', 'correlation', 'v1', 'v2')]),
  question('q10', ['id1', 'id2', 'id3', 'id4', 'id5', 'id6'], [...sums('v3'), ask('count', 'count')]),
];

function question(name, by, asks) {
  const list = asks.map(({ of, columns }) => `${of}(${columns.join(', ')})`).join(', ');
  return {
    name,
    title: `${list} by ${by.length > 3 ? `${by[0]} to ${by.at(-1)}` : by.join(', ')}`,
    by,
    asks,
  };
}

/** How each column of db-benchmark is made, of so many rows. */
const COLUMNS = {
  id1: () => ({ entries: K, digits: 3 }),
  id2: () => ({ entries: K, digits: 3 }),
  id3: (rows) => ({ entries: Math.ceil(rows / K), digits: 10 }),
  id4: () => ({ entries: K }),
  id5: () => ({ entries: K }),
  id6: (rows) => ({ entries: Math.ceil(rows / K) }),
  v1: () => ({ entries: 5 }),
  v2: () => ({ entries: 15 }),
  v3: () => undefined,
};
const NAMES = Object.keys(COLUMNS);

/** The columns that a question names: id1 to id3 texts, the others int32, v3 below 100 with six decimals. */
export function questionTable({ by, asks }, rows, allocate) {
  const named = new Set([...by, ...asks.flatMap(({ columns }) => columns)]);
  return tableFrom(
    NAMES.filter((name) => named.has(name)).map((name) => [name, column(name, rows, allocate)]),
  );
}

function column(name, rows, allocate) {
  // from a seed of its own, so that a column is the same in every question
  const next = random32(NAMES.indexOf(name) + 1);
  const kind = COLUMNS[name](rows);
  if (kind === undefined) {
    const data = new Float64Array(allocate(8 * rows));
    for (let row = 0; row < rows; row++) data[row] = Math.floor(unit(next) * 1e8) / 1e6;
    return makeData({ type: new Float64(), length: rows, nullCount: 0, data });
  }
  const drawn = new Int32Array(rows);
  for (let row = 0; row < rows; row++) drawn[row] = Math.floor(unit(next) * kind.entries);
  return kind.digits === undefined
    ? int32Column((number) => number + 1, drawn, allocate)
    : texts({ ...kind, first: 1 }, (number) => number, drawn, allocate);
}
