import { mergeBest } from './best';
import { mergeProducts, mergeSum } from './carries';
import { SAME } from './compare';
import { wideSlot } from './groups';
import { heed } from './heed';
import {
  ADD_FLOAT,
  ADD_MOMENTS,
  ADD_NARROW_MOMENTS,
  ADD_NARROW_PAIRS,
  ADD_PAIRS,
  ADD_PRODUCTS,
  ADD_UNSIGNED128,
  ADD_WORDS,
  ADD64,
  ADD128,
  ENTRY_SIZE,
  MAX_BY,
  MAX_BY_TEXT,
  MAX_ROW,
  MAX_TEXT,
  MAX64,
  MERGE_BEST,
  MERGE_FLIP,
  MERGE_GRID,
  MERGE_GRIDS,
  MERGE_OFFSET,
  MERGE_OP,
  MERGE_POOL,
  MERGE_SIZE,
  MERGE_WORDS,
  MOMENT_REST,
  MOMENT_SQUARES,
  NARROW_PRODUCTS,
  NARROW_SIZE,
  NARROW_SQUARES,
  NEAR,
  PAIR_PRODUCTS,
  PAIR_REST,
  PAIR_SQUARES,
  POOL_ENTRIES,
  PRODUCT_REST,
  REF_RECORD,
  REF_TABLE,
  REF_WORD,
  TABLE_GROUPS,
  TABLE_RECORDS,
  TABLE_ROWS,
  TABLE_STRIDE,
} from './layout';
import { setHome } from './log';
import { addSums } from './sum';
import { compareEntries } from './text';
import { touchRefs } from './touch';
import { wideMerge } from './wide';

/** Records that are loaded ahead together. */
const TOUCHED = 256;

/** Closes up sorted refs to those that are not SAME: the first of each key. Returns how many are left. */
export function distinctRefs(refs: usize, n: i32): i32 {
  let kept = 0;
  for (let i = 0; i < n; i++) {
    heed(i);
    const ref = refs + ((<usize>i) << 4);
    if (load<u32>(ref, REF_TABLE) & SAME) continue;
    v128.store(refs + ((<usize>kept) << 4), v128.load(ref));
    kept++;
  }
  return kept;
}

/**
 * Merges the records of equal neighbours into the first of them and closes up the refs. REF_WORD, no longer needed,
 * takes how many records were merged. With `homes` each record's group gets its home: the number that it has in
 * the piece now. Returns how many groups are left.
 */
export function mergeRefs(refs: usize, n: i32, merges: usize, mergeCount: i32, homes: bool, piece: u32): i32 {
  const size = n == 0 ? 0 : load<u32>(<usize>(load<u32>(refs, REF_TABLE) & ~SAME), TABLE_STRIDE);
  const isFar = <u64>n * size > <u64>NEAR;
  let kept = 0;
  for (let i = 0; i < n; i++) {
    heed(i);
    const ref = refs + ((<usize>i) << 4);
    if (isFar && i % TOUCHED == 0) touchRefs(ref, min(TOUCHED, n - i), size);
    const table = load<u32>(ref, REF_TABLE);
    const record = <usize>load<u32>(ref, REF_RECORD);
    if (table & SAME) {
      const into = refs + ((<usize>(kept - 1)) << 4);
      const own = <usize>load<u32>(into, REF_RECORD);
      const ownTable = <usize>load<u32>(into, REF_TABLE);
      mergeRecords(own, ownTable, record, <usize>(table & ~SAME), merges, mergeCount);
      store<u64>(into, load<u64>(into, REF_WORD) + 1, REF_WORD);
    } else {
      const into = refs + ((<usize>kept) << 4);
      v128.store(into, v128.load(ref));
      store<u64>(into, 1, REF_WORD);
      kept++;
    }
    if (homes) setHome(<usize>(table & ~SAME), record, kept - 1, piece);
  }
  return kept;
}

/**
 * The counting tables' order: ids are codes in key order, so the groups of ids `from` to `to` (exclusive) come out in
 * order by walking the slots of all tables side by side. REF_WORD takes how many records were merged; homes as in
 * {@link mergeRefs}. Returns how many groups there are.
 */
export function mergeDense(
  tables: usize,
  tableCount: i32,
  from: u32,
  to: u32,
  refs: usize,
  merges: usize,
  mergeCount: i32,
  homes: bool,
  piece: u32,
): i32 {
  let kept = 0;
  for (let id = from; id < to; id++) {
    heed(<i32>id);
    let first: usize = 0;
    let firstTable: usize = 0;
    for (let t = 0; t < tableCount; t++) {
      const table = <usize>load<u32>(tables + ((<usize>t) << 2));
      if (id >= load<u32>(table, TABLE_GROUPS)) continue;
      const record = <usize>load<u32>(table, TABLE_RECORDS) + <usize>id * load<u32>(table, TABLE_STRIDE);
      if (load<u64>(record + load<u32>(table, TABLE_ROWS)) == 0) continue;
      const ref = refs + ((<usize>kept) << 4);
      if (homes) setHome(table, record, first == 0 ? kept : kept - 1, piece);
      if (first != 0) {
        mergeRecords(first, firstTable, record, table, merges, mergeCount);
        store<u64>(ref - 16, load<u64>(ref - 16, REF_WORD) + 1, REF_WORD);
        continue;
      }
      first = record;
      firstTable = table;
      store<u64>(ref, 1, REF_WORD);
      store<u32>(ref, <u32>record, REF_RECORD);
      store<u32>(ref, <u32>table, REF_TABLE);
      kept++;
    }
  }
  return kept;
}

/** How many records were merged into the groups of `refs`. */
export function countPartials(refs: usize, n: i32): u32 {
  let partials: u64 = 0;
  for (let i = 0; i < n; i++) {
    heed(i);
    partials += load<u64>(refs + ((<usize>i) << 4), REF_WORD);
  }
  return <u32>partials;
}

/**
 * Merges the states of record `from` into those of `into`. In any order, the result is the same to the bit. Both are
 * addresses within the records, from which the offsets of `merges` count.
 */
export function mergeRecords(
  into: usize,
  intoTable: usize,
  from: usize,
  fromTable: usize,
  merges: usize,
  count: i32,
): void {
  for (let m = 0; m < count; m++) {
    const merge = merges + <usize>m * MERGE_SIZE;
    const op = load<u32>(merge, MERGE_OP);
    const offset = <usize>load<u32>(merge, MERGE_OFFSET);
    const a = into + offset;
    const b = from + offset;
    if (op == ADD64) {
      store<i64>(a, load<i64>(a) + load<i64>(b));
    } else if (op == ADD128) {
      const low = load<i64>(a);
      const x = load<i64>(b);
      const total = low + x;
      store<i64>(a, total);
      let high = load<i64>(a, 8) + load<i64>(b, 8);
      if (((total ^ low) & (total ^ x)) < 0) high += x < 0 ? -1 : 1;
      store<i64>(a, high, 8);
    } else if (op == ADD_UNSIGNED128) {
      const low = load<u64>(a);
      const total = low + load<u64>(b);
      store<u64>(a, total);
      store<i64>(a, load<i64>(a, 8) + load<i64>(b, 8) + (total < low ? 1 : 0), 8);
    } else if (op == ADD_FLOAT) {
      // all workers share one grid, whose b allows for the additions of all of them
      v128.store(a, f64x2.add(v128.load(a), v128.load(b)));
      const grid = load<u32>(merge, MERGE_GRID);
      const grids = load<u32>(merge, MERGE_GRIDS);
      const slot = wideSlot(fromTable, from, grid, grids);
      // where one table has wide sums, all have room for them by now
      if (slot == 0 || load<u32>(slot) == 0) continue;
      const own = wideSlot(intoTable, into, grid, grids);
      if (load<u32>(own) == 0) store<u32>(own, load<u32>(slot));
      else wideMerge(<usize>load<u32>(own), <usize>load<u32>(slot));
    } else if (op == ADD_WORDS) {
      addSums(a, b, load<u32>(merge, MERGE_WORDS));
    } else if (op == MERGE_BEST) {
      mergeBest(a, b, load<u32>(merge, MERGE_WORDS));
    } else if (op == MAX64) {
      if (load<u64>(b) > load<u64>(a)) store<u64>(a, load<u64>(b));
    } else if (op == ADD_MOMENTS) {
      mergeSum(a, a + MOMENT_REST, b, b + MOMENT_REST);
      mergeProducts(a + MOMENT_SQUARES, a + MOMENT_REST + 16, b + MOMENT_SQUARES, b + MOMENT_REST + 16);
    } else if (op == ADD_PRODUCTS) {
      mergePairs(a, a + PRODUCT_REST, b, b + PRODUCT_REST);
    } else if (op == ADD_PAIRS) {
      mergePairs(a, a + PAIR_REST, b, b + PAIR_REST);
      mergeSquares(a + PAIR_SQUARES, a + PAIR_REST + 48, b + PAIR_SQUARES, b + PAIR_REST + 48);
    } else if (op == ADD_NARROW_MOMENTS || op == ADD_NARROW_PAIRS) {
      mergeNarrow(a, b);
      if (op == ADD_NARROW_MOMENTS) continue;
      mergeNarrow(a + NARROW_SIZE, b + NARROW_SIZE);
      addSums(a + NARROW_PRODUCTS, b + NARROW_PRODUCTS, 2);
    } else if (op == MAX_ROW) {
      if (load<u64>(b) > load<u64>(a)) v128.store(a, v128.load(b));
    } else if (op == MAX_BY || op == MAX_BY_TEXT) {
      const order = op == MAX_BY ? compareWords(load<u64>(a), load<u64>(b)) : compareCodes(a, b, merge);
      // of several rows with the best one, the one whose place is greatest
      if (order > 0 || (order == 0 && load<u64>(a, 8) >= load<u64>(b, 8))) continue;
      v128.store(a, v128.load(b));
      store<u64>(a, load<u64>(b, 16), 16);
    } else if (op == MAX_TEXT) {
      if (compareCodes(a, b, merge) < 0) store<u64>(a, load<u64>(b));
    }
  }
}

/** The sums of both columns, and that of their products. */
function mergePairs(a: usize, aRest: usize, b: usize, bRest: usize): void {
  mergeSum(a, aRest, b, bRest);
  mergeSum(a + 16, aRest + 16, b + 16, bRest + 16);
  mergeProducts(a + PAIR_PRODUCTS, aRest + 32, b + PAIR_PRODUCTS, bRest + 32);
}

/** The sums of the squares of both columns. */
function mergeSquares(a: usize, aRest: usize, b: usize, bRest: usize): void {
  mergeProducts(a, aRest, b, bRest);
  mergeProducts(a + 32, aRest + 16, b + 32, bRest + 16);
}

function mergeNarrow(a: usize, b: usize): void {
  store<i64>(a, load<i64>(a) + load<i64>(b));
  addSums(a + NARROW_SQUARES, b + NARROW_SQUARES, 2);
}

function compareWords(a: u64, b: u64): i32 {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The order of two texts, each a code and its table; no text is below all. */
function compareCodes(a: usize, b: usize, merge: usize): i32 {
  const own = load<u32>(a);
  const other = load<u32>(b);
  if (own == 0 || other == 0) return <i32>(own != 0) - <i32>(other != 0);
  const pool = load<u32>(merge, MERGE_POOL);
  const order = compareEntries(
    <usize>load<u32>(<usize>load<u32>(a, 4) + pool, POOL_ENTRIES) + <usize>(own - 1) * ENTRY_SIZE,
    <usize>load<u32>(<usize>load<u32>(b, 4) + pool, POOL_ENTRIES) + <usize>(other - 1) * ENTRY_SIZE,
  );
  return load<u32>(merge, MERGE_FLIP) ? -order : order;
}
