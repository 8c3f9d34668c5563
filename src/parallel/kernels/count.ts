import { KIND_I8, KIND_I16, KIND_I32, KIND_U8, KIND_U16, TABLE_RECORDS, TABLE_ROWS } from './layout';
import { addSigned, addToPair, onGrid } from './sum';

// Counting the rows of groups, alone or with the first sum of the query: a record that is touched for the one is at hand for the
// other. (Of 12 groups of int32 keys and values a row took 4.4 ns in four passes, 2.3 in two; see also placeDense.)
// A group whose count crosses a multiple of `period` (a power of two; 0: never) is added to the list `due`, at most once for each
// crossing: a u32 count, then record offsets.

function countRow(rows: usize, offset: u32, low: u64, due: usize): void {
  const count = load<u64>(rows) + 1;
  store<u64>(rows, count);
  if ((count & low) == 0) {
    const listed = load<u32>(due);
    store<u32>(due + ((<usize>listed) << 2), offset, 4);
    store<u32>(due, listed + 1);
  }
}

function rowsOf(table: usize): usize {
  return <usize>load<u32>(table, TABLE_RECORDS) + load<u32>(table, TABLE_ROWS);
}

export function countRows(table: usize, offsets: usize, n: i32, period: u32, due: usize): void {
  const rows = rowsOf(table);
  const low = <u64>period - 1;
  for (let i = 0; i < n; i++) {
    const offset = load<u32>(offsets + ((<usize>i) << 2));
    countRow(rows + offset, offset, low, due);
  }
}

/** Counts rows, and adds integers of at most 32 bits as they lie to the lane `lane` bytes behind the count. */
export function countNarrow(table: usize, lane: u32, offsets: usize, kind: i32, source: usize, n: i32): void {
  const rows = rowsOf(table);
  if (kind == KIND_I32) countAs<i32>(rows, lane, offsets, source, n);
  else if (kind == KIND_I16) countAs<i16>(rows, lane, offsets, source, n);
  else if (kind == KIND_I8) countAs<i8>(rows, lane, offsets, source, n);
  else if (kind == KIND_U8) countAs<u8>(rows, lane, offsets, source, n);
  else if (kind == KIND_U16) countAs<u16>(rows, lane, offsets, source, n);
  else countAs<u32>(rows, lane, offsets, source, n);
}

function countAs<T>(rows: usize, lane: u32, offsets: usize, source: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const slot = rows + load<u32>(offsets + ((<usize>i) << 2));
    store<u64>(slot, load<u64>(slot) + 1);
    store<i64>(slot + lane, load<i64>(slot + lane) + <i64>load<T>(source + <usize>i * sizeof<T>()));
  }
}

/** Counts rows, and adds 64-bit integers into 128 bits, as sumSigned does. */
export function countSigned(table: usize, lane: u32, offsets: usize, values: usize, n: i32): void {
  const rows = rowsOf(table);
  for (let i = 0; i < n; i++) {
    const slot = rows + load<u32>(offsets + ((<usize>i) << 2));
    store<u64>(slot, load<u64>(slot) + 1);
    addSigned(slot + lane, load<i64>(values + ((<usize>i) << 3)));
  }
}

/** Counts rows, and adds floats to their pairs, as sumFloat does, if all are on the grid; else does nothing, and returns false. */
export function countFloat(
  table: usize,
  lane: u32,
  offsets: usize,
  values: usize,
  n: i32,
  sigma: f64,
  low: f64,
  high: f64,
  period: u32,
  due: usize,
): bool {
  if (!onGrid(values, n, low, high)) return false;
  const rows = rowsOf(table);
  const below = <u64>period - 1;
  for (let i = 0; i < n; i++) {
    const offset = load<u32>(offsets + ((<usize>i) << 2));
    const slot = rows + offset;
    countRow(slot, offset, below, due);
    addToPair(slot + lane, load<f64>(values + ((<usize>i) << 3)), sigma);
  }
  return true;
}
