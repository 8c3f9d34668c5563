import { wordOf } from './keys';
import {
  ENTRY_SIZE,
  POOL_ENTRIES,
  REF_RECORD,
  REF_SIZE,
  REF_TABLE,
  REF_WORD,
  SEGMENT_FLIP,
  SEGMENT_MASK,
  SEGMENT_NULL_FIRST,
  SEGMENT_POOL,
  SEGMENT_SHIFT,
  SEGMENT_SIZE,
  SEGMENT_TEXT,
  SEGMENT_WORD,
  TABLE_GROUPS,
  TABLE_RECORDS,
  TABLE_ROWS,
  TABLE_STRIDE,
} from './layout';
import { compareEntries, entryWord } from './text';

// Groups of any worker are compared by a sequence of order words, first word first: a segment of bits of a key word is
// one order word, a segment of text is as many as the text is long (see text.ts). No key's sequence is the beginning of
// another's, so two groups whose words agree so far stand at the same place of their sequences: (segment, chunk).

/** In REF_TABLE, beside the table's address (which is a multiple of 8): the group before it in order has the same key. */
export const SAME: u32 = 1;

function tableOf(ref: usize): usize {
  return <usize>(load<u32>(ref, REF_TABLE) & ~SAME);
}

/** The order word of a group at a place of its sequence. */
function orderWordOf(segment: usize, chunk: u32, table: usize, record: usize): u64 {
  const bits =
    (wordOf(table, record, load<u32>(segment, SEGMENT_WORD)) >> <u64>load<u32>(segment, SEGMENT_SHIFT)) &
    load<u64>(segment, SEGMENT_MASK);
  if (load<u32>(segment, SEGMENT_TEXT) == 0) return bits;
  if (bits == 0) return load<u32>(segment, SEGMENT_NULL_FIRST) ? 0 : u64.MAX_VALUE;
  const entries = <usize>load<u32>(table + load<u32>(segment, SEGMENT_POOL), POOL_ENTRIES);
  const word = entryWord(entries + <usize>(bits - 1) * ENTRY_SIZE, chunk);
  return load<u32>(segment, SEGMENT_FLIP) ? ~word : word;
}

/** Whether more words of the same text follow an order word. */
function goesOn(segment: usize, word: u64): bool {
  if (load<u32>(segment, SEGMENT_TEXT) == 0 || word == 0 || word == u64.MAX_VALUE) return false;
  const last = load<u32>(segment, SEGMENT_FLIP) ? ~word & 0xff : word & 0xff;
  return last == 9;
}

/** The order of two groups from a segment on: negative, 0 or positive. */
function compareRefs(segments: usize, count: i32, from: i32, a: usize, b: usize): i32 {
  const tableA = tableOf(a);
  const tableB = tableOf(b);
  const recordA = <usize>load<u32>(a, REF_RECORD);
  const recordB = <usize>load<u32>(b, REF_RECORD);
  for (let s = from; s < count; s++) {
    const segment = segments + <usize>s * SEGMENT_SIZE;
    const word = load<u32>(segment, SEGMENT_WORD);
    const shift = <u64>load<u32>(segment, SEGMENT_SHIFT);
    const mask = load<u64>(segment, SEGMENT_MASK);
    const bitsA = (wordOf(tableA, recordA, word) >> shift) & mask;
    const bitsB = (wordOf(tableB, recordB, word) >> shift) & mask;
    if (load<u32>(segment, SEGMENT_TEXT) == 0) {
      if (bitsA != bitsB) return bitsA < bitsB ? -1 : 1;
      continue;
    }
    if (bitsA == 0 || bitsB == 0) {
      if (bitsA == bitsB) continue;
      return (bitsA == 0) == (load<u32>(segment, SEGMENT_NULL_FIRST) != 0) ? -1 : 1;
    }
    const pool = load<u32>(segment, SEGMENT_POOL);
    const order = compareEntries(
      <usize>load<u32>(tableA + pool, POOL_ENTRIES) + <usize>(bitsA - 1) * ENTRY_SIZE,
      <usize>load<u32>(tableB + pool, POOL_ENTRIES) + <usize>(bitsB - 1) * ENTRY_SIZE,
    );
    if (order != 0) return load<u32>(segment, SEGMENT_FLIP) ? -order : order;
  }
  return 0;
}

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
    const cursor = cursors + ((<usize>load<u16>(ranges + ((<usize>i) << 1))) << 2);
    const at = load<u32>(cursor);
    store<u32>(cursor, at + 1);
    v128.store(out + ((<usize>at) << 4), v128.load(refs + ((<usize>i) << 4)));
  }
}

/** Sorts refs by key and marks with SAME those whose key is the one before. `spare` is as large as `refs`; `histogram` holds 2048 u32. */
export function sort(refs: usize, spare: usize, n: i32, segments: usize, count: i32, histogram: usize): void {
  sortFrom(refs, spare, n, segments, count, 0, 0, histogram);
}

const SMALL = 24; // below this many, insertion
const DEEP: u32 = 8; // text that agrees in its first 56 bytes is compared, not sorted by words

function sortFrom(
  refs: usize,
  spare: usize,
  n: i32,
  segments: usize,
  count: i32,
  at: i32,
  chunk: u32,
  histogram: usize,
): void {
  sortByWord(refs, spare, n, histogram);
  // runs of equal words go on at the next place of their sequences
  let i = 0;
  while (i < n) {
    const word = load<u64>(refs + ((<usize>i) << 4), REF_WORD);
    let end = i + 1;
    while (end < n && load<u64>(refs + ((<usize>end) << 4), REF_WORD) == word) end++;
    if (end - i > 1) {
      const run = refs + ((<usize>i) << 4);
      const length = end - i;
      const segment = segments + <usize>at * SEGMENT_SIZE;
      const more = goesOn(segment, word);
      const next = more ? at : at + 1;
      if (next == count) {
        for (let j = 1; j < length; j++) mark(run + ((<usize>j) << 4));
      } else if (length <= SMALL || (more && chunk + 1 >= DEEP)) {
        sortByCompare(run, spare, length, segments, count, next);
      } else {
        const place = segments + <usize>next * SEGMENT_SIZE;
        const nextChunk = more ? chunk + 1 : 0;
        for (let j = 0; j < length; j++) {
          const ref = run + ((<usize>j) << 4);
          store<u64>(
            ref,
            orderWordOf(place, nextChunk, tableOf(ref), <usize>load<u32>(ref, REF_RECORD)),
            REF_WORD,
          );
        }
        sortFrom(run, spare, length, segments, count, next, nextChunk, histogram);
      }
    }
    i = end;
  }
}

function mark(ref: usize): void {
  store<u32>(ref, load<u32>(ref, REF_TABLE) | SAME, REF_TABLE);
}

/** Merge sort by comparison, stable; then marks equal neighbours. */
function sortByCompare(refs: usize, spare: usize, n: i32, segments: usize, count: i32, from: i32): void {
  let source = refs;
  let target = spare;
  for (let i = 0; i < n; i += SMALL) {
    insertByCompare(source + ((<usize>i) << 4), min(SMALL, n - i), segments, count, from);
  }
  for (let width = SMALL; width < n; width <<= 1) {
    for (let i = 0; i < n; i += width << 1) {
      let a = i;
      const middle = min(i + width, n);
      let b = middle;
      const end = min(i + (width << 1), n);
      for (let out = i; out < end; out++) {
        const fromA =
          a < middle &&
          (b >= end ||
            compareRefs(segments, count, from, source + ((<usize>a) << 4), source + ((<usize>b) << 4)) <= 0);
        v128.store(target + ((<usize>out) << 4), v128.load(source + ((<usize>(fromA ? a++ : b++)) << 4)));
      }
    }
    const swap = source;
    source = target;
    target = swap;
  }
  if (source != refs) memory.copy(refs, source, (<usize>n) << 4);
  for (let i = n - 1; i > 0; i--) {
    const ref = refs + ((<usize>i) << 4);
    if (compareRefs(segments, count, from, ref - 16, ref) == 0) mark(ref);
  }
}

function insertByCompare(refs: usize, n: i32, segments: usize, count: i32, from: i32): void {
  for (let i = 1; i < n; i++) {
    const taken = v128.load(refs + ((<usize>i) << 4));
    // the ref that moves is compared from its old place, which is not overwritten before it is found
    let j = i;
    while (
      j > 0 &&
      compareRefs(segments, count, from, refs + ((<usize>(j - 1)) << 4), refs + ((<usize>i) << 4)) > 0
    )
      j--;
    if (j == i) continue;
    for (let k = i; k > j; k--)
      v128.store(refs + ((<usize>k) << 4), v128.load(refs + ((<usize>(k - 1)) << 4)));
    v128.store(refs + ((<usize>j) << 4), taken);
  }
}

/** Sorts by REF_WORD alone, stable: insertion when few, else radix passes of 8 bits over the bytes that differ. */
function sortByWord(refs: usize, spare: usize, n: i32, histogram: usize): void {
  if (n <= SMALL) {
    for (let i = 1; i < n; i++) {
      const taken = v128.load(refs + ((<usize>i) << 4));
      const word = load<u64>(refs + ((<usize>i) << 4), REF_WORD);
      let j = i;
      while (j > 0 && load<u64>(refs + ((<usize>(j - 1)) << 4), REF_WORD) > word) {
        v128.store(refs + ((<usize>j) << 4), v128.load(refs + ((<usize>(j - 1)) << 4)));
        j--;
      }
      v128.store(refs + ((<usize>j) << 4), taken);
    }
    return;
  }
  const first = load<u64>(refs, REF_WORD);
  let differ: u64 = 0;
  let last = first;
  let ascending = true;
  for (let i = 1; i < n; i++) {
    const word = load<u64>(refs + ((<usize>i) << 4), REF_WORD);
    differ |= word ^ first;
    if (word < last) ascending = false;
    last = word;
  }
  if (ascending) return;
  let source = refs;
  let target = spare;
  for (let shift: u64 = 0; shift < 64; shift += 8) {
    if (((differ >> shift) & 0xff) == 0) continue;
    memory.fill(histogram, 0, 1024);
    for (let i = 0; i < n; i++) {
      const counter =
        histogram + ((<usize>((load<u64>(source + ((<usize>i) << 4), REF_WORD) >> shift) & 0xff)) << 2);
      store<u32>(counter, load<u32>(counter) + 1);
    }
    let total: u32 = 0;
    for (let digit = 0; digit < 256; digit++) {
      const counter = histogram + ((<usize>digit) << 2);
      const here = load<u32>(counter);
      store<u32>(counter, total);
      total += here;
    }
    for (let i = 0; i < n; i++) {
      const ref = source + ((<usize>i) << 4);
      const counter = histogram + ((<usize>((load<u64>(ref, REF_WORD) >> shift) & 0xff)) << 2);
      const at = load<u32>(counter);
      store<u32>(counter, at + 1);
      v128.store(target + ((<usize>at) << 4), v128.load(ref));
    }
    const swap = source;
    source = target;
    target = swap;
  }
  if (source != refs) memory.copy(refs, source, (<usize>n) << 4);
}
