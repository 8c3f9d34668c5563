import { compareRefs, goesOn, orderWordOf, SAME, tableOf } from './compare';
import { heed, heedNow } from './heed';
import { REF_RECORD, REF_TABLE, REF_WORD, SEGMENT_SIZE } from './layout';

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
    heed(i);
    const word = load<u64>(refs + ((<usize>i) << 4), REF_WORD);
    let end = i + 1;
    while (end < n && load<u64>(refs + ((<usize>end) << 4), REF_WORD) == word) heed(end++);
    if (end - i > 1) {
      const run = refs + ((<usize>i) << 4);
      const length = end - i;
      const segment = segments + <usize>at * SEGMENT_SIZE;
      const more = goesOn(segment, word);
      const next = more ? at : at + 1;
      if (next == count) {
        for (let j = 1; j < length; j++) {
          heed(j);
          mark(run + ((<usize>j) << 4));
        }
      } else if (length <= SMALL || (more && chunk + 1 >= DEEP)) {
        sortByCompare(run, spare, length, segments, count, next);
      } else {
        const place = segments + <usize>next * SEGMENT_SIZE;
        const nextChunk = more ? chunk + 1 : 0;
        for (let j = 0; j < length; j++) {
          heed(j);
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
    heed(i / SMALL);
    insertByCompare(source + ((<usize>i) << 4), min(SMALL, n - i), segments, count, from);
  }
  for (let width = SMALL; width < n; width <<= 1) {
    for (let i = 0; i < n; i += width << 1) {
      let a = i;
      const middle = min(i + width, n);
      let b = middle;
      const end = min(i + (width << 1), n);
      for (let out = i; out < end; out++) {
        heed(out);
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
    heed(i);
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
    heedNow();
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
    heedNow();
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
