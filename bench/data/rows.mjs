import { unit } from './random.mjs';

const EXPONENT = 1.1;

/**
 * The rows of a shape before they are columns: a group number and a value each. Values of int64 columns come as
 * Int32Array.
 */
export function rowsOf({ groups, order, value }, rows, next) {
  const group = order === 'zipf' ? zipf(groups, rows, next) : even(groups, rows);
  const values = value === 'int64' ? integers(rows, next) : decimals(rows, next);
  if (order === 'shuffled') shuffle([group, values], next);
  return { group, values };
}

/** Ascending, and no group has two rows more than another; where there are fewer rows than groups, spread over all. */
function even(groups, rows) {
  const group = new Int32Array(rows);
  for (let row = 0; row < rows; row++) group[row] = Math.floor((row * groups) / rows);
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

/** Fisher-Yates, all columns alike. */
function shuffle(columns, next) {
  for (let row = columns[0].length - 1; row > 0; row--) {
    const other = Math.floor(unit(next) * (row + 1));
    for (const column of columns) {
      const value = column[row];
      column[row] = column[other];
      column[other] = value;
    }
  }
}
