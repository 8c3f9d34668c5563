import { compareRefs, orderWordOf } from './compare';
import { heed } from './heed';
import {
  REF_RECORD,
  REF_SIZE,
  REF_TABLE,
  REF_WORD,
  TABLE_GROUPS,
  TABLE_RECORDS,
  TABLE_ROWS,
  TABLE_STRIDE,
} from './layout';

/** Writes refs, with their first order words, of `samples` groups of a table: one from every nth, at a place in each stretch that a fixed generator picks. Returns how many. */
export function sample(table: usize, segments: usize, samples: u32, refs: usize): i32 {
  const groups = load<u32>(table, TABLE_GROUPS);
  const stride = load<u32>(table, TABLE_STRIDE);
  const records = <usize>load<u32>(table, TABLE_RECORDS);
  const rows = load<u32>(table, TABLE_ROWS);
  let state: u32 = 0x2545f491;
  let count = 0;
  for (let s: u32 = 0; s < samples; s++) {
    const from = <u32>((<u64>s * groups) / samples);
    const to = <u32>(((<u64>s + 1) * groups) / samples);
    if (to == from) continue;
    state = state * 1664525 + 1013904223;
    const pick = from + ((state >> 8) % (to - from));
    // of a counting table the next slot in use
    for (let id = pick; id < to; id++) {
      heed(<i32>id);
      const record = records + <usize>id * stride;
      if (load<u64>(record + rows) == 0) continue;
      const ref = refs + <usize>count * REF_SIZE;
      store<u64>(ref, orderWordOf(segments, 0, table, record), REF_WORD);
      store<u32>(ref, <u32>record, REF_RECORD);
      store<u32>(ref, <u32>table, REF_TABLE);
      count++;
      break;
    }
  }
  return count;
}

/**
 * Assigns every group of a table to a range: the number of pivots (sorted refs) that are not above it. Writes the
 * group's ref to `refs` and its range to `ranges` (u16), and counts the ranges in `counts` (u32 each, zeroed).
 * Returns how many groups there are.
 */
export function assign(
  table: usize,
  segments: usize,
  segmentCount: i32,
  pivots: usize,
  pivotCount: i32,
  refs: usize,
  ranges: usize,
  counts: usize,
): i32 {
  const groups = load<u32>(table, TABLE_GROUPS);
  const stride = load<u32>(table, TABLE_STRIDE);
  const rows = load<u32>(table, TABLE_ROWS);
  let record = <usize>load<u32>(table, TABLE_RECORDS);
  let count = 0;
  for (let id: u32 = 0; id < groups; id++, record += stride) {
    heed(<i32>id);
    if (load<u64>(record + rows) == 0) continue;
    const ref = refs + ((<usize>count) << 4);
    const word = orderWordOf(segments, 0, table, record);
    store<u64>(ref, word, REF_WORD);
    store<u32>(ref, <u32>record, REF_RECORD);
    store<u32>(ref, <u32>table, REF_TABLE);
    let low = 0;
    let high = pivotCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      const pivot = pivots + ((<usize>middle) << 4);
      const other = load<u64>(pivot, REF_WORD);
      const above = word != other ? word < other : compareRefs(segments, segmentCount, 0, ref, pivot) < 0;
      if (above) high = middle;
      else low = middle + 1;
    }
    store<u16>(ranges + ((<usize>count) << 1), <u16>low);
    const counter = counts + ((<usize>low) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
    count++;
  }
  return count;
}

/** Lays refs out range by range: `cursors` (u32 each) hold where the next ref of each range goes. */
export function scatter(refs: usize, ranges: usize, n: i32, cursors: usize, out: usize): void {
  for (let i = 0; i < n; i++) {
    heed(i);
    const cursor = cursors + ((<usize>load<u16>(ranges + ((<usize>i) << 1))) << 2);
    const at = load<u32>(cursor);
    store<u32>(cursor, at + 1);
    v128.store(out + ((<usize>at) << 4), v128.load(refs + ((<usize>i) << 4)));
  }
}
