import { wideSlot } from './groups';
import { heed } from './heed';
import {
  ADD_FLOAT,
  MERGE_GRID,
  MERGE_GRIDS,
  MERGE_OFFSET,
  MERGE_OP,
  MERGE_SIZE,
  REF_RECORD,
  REF_SIZE,
  REF_TABLE,
  TABLE_RECORDS,
  TABLE_ROWS,
  TABLE_STRIDE,
  TABLE_WORDS,
} from './layout';
import { mergeRecords } from './merge';
import { wideAdd, wideOf } from './wide';

// Groups of one table are merged into the fewer groups of another, of which each takes those that agree in some of the keys.
// `offsets` are those of the records that take them, `refs` the groups that are merged, which stay as they are.

/**
 * Merges groups `from` to `n`, whose records begin with `fromWords` key words; the offsets of `merges` are counted from the
 * end of the key words. Returns the group for which the room for wide sums is used up, or n.
 *
 * No pair of floats takes more values than fit (see sum.ts): while a table is folded, a pair is emptied whenever its group's
 * rows cross a multiple of `period`, a power of two, so that it holds no more values than the rows beyond the last one, less
 * than `period`. The same is done here, and so the same holds: where the rows of two groups together cross none, neither
 * pair had more values than its rows beyond the last; where they do, the pair takes less than two periods and is emptied.
 */
export function mergeGroups(
  table: usize,
  offsets: usize,
  refs: usize,
  from: i32,
  n: i32,
  fromWords: u32,
  merges: usize,
  mergeCount: i32,
  period: u32,
): i32 {
  const records = <usize>load<u32>(table, TABLE_RECORDS);
  const words = load<u32>(table, TABLE_WORDS) << 3;
  const rows = <usize>load<u32>(table, TABLE_ROWS);
  const above = ~(<u64>period - 1);
  for (let i = from; i < n; i++) {
    const ref = refs + <usize>i * REF_SIZE;
    const record = <usize>load<u32>(ref, REF_RECORD);
    const other = <usize>load<u32>(ref, REF_TABLE);
    const into = records + load<u32>(offsets + ((<usize>i) << 2));
    const lanes = record + ((<usize>fromWords) << 3);
    const before = load<u64>(into + rows);
    // rows are counted in the first lane
    const crosses = ((before ^ (before + load<u64>(lanes))) & above) != 0;
    if (!holdWides(table, into, other, record, merges, mergeCount, crosses)) return i;
    mergeRecords(into + words, table, lanes, other, merges, mergeCount);
    if (crosses) empty(table, into, words, merges, mergeCount);
  }
  return n;
}

/** Makes the wide sums that a record will need: one of its own for each that is merged, so that none is shared. */
function holdWides(
  table: usize,
  into: usize,
  other: usize,
  record: usize,
  merges: usize,
  mergeCount: i32,
  crosses: bool,
): bool {
  for (let m = 0; m < mergeCount; m++) {
    const merge = merges + <usize>m * MERGE_SIZE;
    if (load<u32>(merge, MERGE_OP) != ADD_FLOAT) continue;
    const grid = load<u32>(merge, MERGE_GRID);
    const grids = load<u32>(merge, MERGE_GRIDS);
    const slot = wideSlot(other, record, grid, grids);
    if (!crosses && (slot == 0 || load<u32>(slot) == 0)) continue;
    if (wideOf(table, into, grid, grids) == 0) return false;
  }
  return true;
}

/** Empties a record's pairs into its wide sums. */
function empty(table: usize, record: usize, words: u32, merges: usize, mergeCount: i32): void {
  for (let m = 0; m < mergeCount; m++) {
    const merge = merges + <usize>m * MERGE_SIZE;
    if (load<u32>(merge, MERGE_OP) != ADD_FLOAT) continue;
    const pair = record + words + load<u32>(merge, MERGE_OFFSET);
    const wide = wideOf(table, record, load<u32>(merge, MERGE_GRID), load<u32>(merge, MERGE_GRIDS));
    wideAdd(wide, load<f64>(pair));
    wideAdd(wide, load<f64>(pair, 8));
    store<f64>(pair, 0);
    store<f64>(pair, 0, 8);
  }
}

/** Writes the id of the group that took each group of `refs` to the place of that group's id in `map` (u32 each). */
export function mapGroups(table: usize, offsets: usize, refs: usize, n: i32, map: usize): void {
  const stride = load<u32>(table, TABLE_STRIDE);
  for (let i = 0; i < n; i++) {
    const ref = refs + <usize>i * REF_SIZE;
    const other = <usize>load<u32>(ref, REF_TABLE);
    const id =
      (load<u32>(ref, REF_RECORD) - load<u32>(other, TABLE_RECORDS)) / load<u32>(other, TABLE_STRIDE);
    store<u32>(map + ((<usize>id) << 2), load<u32>(offsets + ((<usize>i) << 2)) / stride);
  }
}

/** Replaces `n` ids by those that `map` leads them to. */
export function followMap(ids: usize, map: usize, n: i32, out: usize): void {
  for (let i = 0; i < n; i++) {
    heed(i);
    const id = load<u32>(ids + ((<usize>i) << 2));
    store<u32>(out + ((<usize>i) << 2), load<u32>(map + ((<usize>id) << 2)));
  }
}
