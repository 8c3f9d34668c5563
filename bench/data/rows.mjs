import { unit } from './random.mjs';
import { RUN } from './shapes.mjs';

const EXPONENT = 1.1;

/**
 * The rows of a shape before they are columns: a group number and a value each. Values of int64 columns come as
 * Int32Array.
 */
export function rowsOf({ groups, order, value }, rows, next) {
  const group = GROUPS[order](groups, rows, next);
  const values = VALUES[value](rows, next);
  if (order === 'shuffled' || order === 'heavy') shuffle([group, values], next);
  return { group, values };
}

const GROUPS = { shuffled: even, sorted: even, zipf, runs, heavy };
const VALUES = { int64: integers, float64: decimals, exponents };

/** Ascending, and no group has two rows more than another; where there are fewer rows than groups, spread over all. */
function even(groups, rows) {
  const group = new Int32Array(rows);
  for (let row = 0; row < rows; row++) group[row] = Math.floor((row * groups) / rows);
  return group;
}

/** A run of rows for each group, then for each again. */
function runs(groups, rows, next) {
  const groupOf = Int32Array.from({ length: groups }, (_, k) => k);
  shuffle([groupOf], next);
  return Int32Array.from({ length: rows }, (_, row) => groupOf[Math.floor(row / RUN) % groups]);
}

/** Half of the rows are of a group in the middle; the other half are even over all. */
function heavy(groups, rows) {
  const others = even(groups, Math.floor(rows / 2));
  const group = new Int32Array(rows).fill(groups >> 1);
  group.set(others);
  return group;
}

function zipf(groups, rows, next) {
  const cumulated = new Float64Array(groups);
  let sum = 0;
  for (let k = 0; k < groups; k++) {
    sum += (k + 1) ** -EXPONENT;
    cumulated[k] = sum;
  }
  // or the heavy keys would be the least ones
  const groupOf = Int32Array.from({ length: groups }, (_, k) => k);
  shuffle([groupOf], next);
  const group = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    const drawn = unit(next) * sum;
    let [low, high] = [0, groups - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulated[middle] > drawn) high = middle;
      else low = middle + 1;
    }
    group[row] = groupOf[low];
  }
  return group;
}

function integers(rows, next) {
  const values = new Int32Array(rows);
  for (let row = 0; row < rows; row++) values[row] = Math.floor(unit(next) * 1000);
  return values;
}

function decimals(rows, next) {
  const values = new Float64Array(rows);
  for (let row = 0; row < rows; row++) values[row] = Math.round(unit(next) * 1e8) / 1e6;
  return values;
}

/** Of every exponent alike, and positive, so that the error of a naive sum has a bound relative to the sum. */
function exponents(rows, next) {
  const values = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const exponent = Math.floor(unit(next) * 2022) - 1022;
    values[row] = (1 + unit(next)) * 2 ** exponent;
  }
  return values;
}

/** Fisher-Yates, all columns alike. */
export function shuffle(columns, next) {
  for (let row = columns[0].length - 1; row > 0; row--) {
    const other = Math.floor(unit(next) * (row + 1));
    for (const column of columns) {
      const value = column[row];
      column[row] = column[other];
      column[other] = value;
    }
  }
}
