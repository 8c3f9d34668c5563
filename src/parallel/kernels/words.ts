import { heed, heedNow } from './heed';
import { TALLIED } from './layout';

// Selecting and sorting the words of a group, where the values of each group of a range lie together.

const FEW = 24; // below this many, insertion
const MANY = 2048; // from this many on, passes over all of them

function at(words: usize, i: i32): u64 {
  return load<u64>(words + ((<usize>i) << 3));
}

function put(words: usize, i: i32, word: u64): void {
  store<u64>(words + ((<usize>i) << 3), word);
}

function insertionSort(words: usize, from: i32, to: i32): void {
  for (let i = from + 1; i < to; i++) {
    const word = at(words, i);
    let j = i;
    while (j > from && at(words, j - 1) > word) {
      put(words, j, at(words, j - 1));
      j--;
    }
    put(words, j, word);
  }
}

/** The middle one of the first, the middle and the last word. */
function middleOf(words: usize, from: i32, to: i32): u64 {
  const a = at(words, from);
  const b = at(words, from + ((to - from) >> 1));
  const c = at(words, to - 1);
  return max(min(a, b), min(max(a, b), c));
}

let lower: i32 = 0;
let upper: i32 = 0;

/** Parts words in three: below the pivot, up to `lower`; equal, up to `upper`; above. */
function partition(words: usize, from: i32, to: i32, pivot: u64): void {
  let less = from;
  let i = from;
  let more = to;
  while (i < more) {
    heed(i);
    const word = at(words, i);
    if (word < pivot) {
      put(words, i++, at(words, less));
      put(words, less++, word);
    } else if (word > pivot) {
      put(words, i, at(words, --more));
      put(words, more, word);
    } else {
      i++;
    }
  }
  lower = less;
  upper = more;
}

/** Steps of halving after which the pivots are taken to be poor, and radix passes are made. */
function mostSteps(n: i32): i32 {
  return 2 * (32 - clz(n)) + 8;
}

/** Brings the word that stands at `k` in ascending order to its place, none below it behind it, none above it before it. */
export function selectWord(words: usize, n: i32, k: i32, spare: usize, histogram: usize): u64 {
  let from = 0;
  let to = n;
  let steps = mostSteps(n);
  while (to - from > FEW) {
    if (steps-- == 0) {
      radixSort(words + ((<usize>from) << 3), spare, to - from, histogram);
      return at(words, k);
    }
    partition(words, from, to, middleOf(words, from, to));
    if (k < lower) to = lower;
    else if (k >= upper) from = upper;
    else return at(words, k);
  }
  insertionSort(words, from, to);
  return at(words, k);
}

/** Sorts words, ascending. `spare` is as large; `histogram` is of 4 * TALLIED bytes. */
export function sortWords(words: usize, spare: usize, n: i32, histogram: usize): void {
  if (n >= MANY) radixSort(words, spare, n, histogram);
  else quickSort(words, spare, 0, n, mostSteps(n), histogram);
}

function quickSort(words: usize, spare: usize, first: i32, last: i32, steps: i32, histogram: usize): void {
  let from = first;
  let to = last;
  while (to - from > FEW) {
    if (steps-- == 0) {
      radixSort(words + ((<usize>from) << 3), spare, to - from, histogram);
      return;
    }
    partition(words, from, to, middleOf(words, from, to));
    const low = lower;
    const high = upper;
    // the smaller part first: so the stack stays below log2(n) calls
    if (low - from < to - high) {
      quickSort(words, spare, from, low, steps, histogram);
      from = high;
    } else {
      quickSort(words, spare, high, to, steps, histogram);
      to = low;
    }
  }
  insertionSort(words, from, to);
}

/** The least of the words that were tallied last. */
export let least: u64 = 0;

/**
 * Counts how often each word comes, from the least on (u32 each, at `counts`), where the words are many and lie close together. Returns
 * how many counts there are; 0: nothing was counted.
 */
export function tally(words: usize, n: i32, counts: usize): u32 {
  if (n < MANY) return 0;
  least = at(words, 0);
  let most = least;
  for (let i = 1; i < n; i++) {
    const word = at(words, i);
    least = min(least, word);
    most = max(most, word);
  }
  if (most - least >= <u64>TALLIED || most - least >= (<u64>n) << 2) return 0;
  const span = <u32>(most - least) + 1;
  memory.fill(counts, 0, (<usize>span) << 2);
  heedNow();
  for (let i = 0; i < n; i++) {
    const counter = counts + ((<usize>(at(words, i) - least)) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  return span;
}

/** Sorts words by counting them, or by radix passes. */
function radixSort(words: usize, spare: usize, n: i32, histogram: usize): void {
  const span = tally(words, n, histogram);
  if (span == 0) {
    byteSort(words, spare, n, histogram);
    return;
  }
  let to = 0;
  for (let step: u32 = 0; step < span; step++) {
    const end = to + <i32>load<u32>(histogram + ((<usize>step) << 2));
    const word = least + step;
    while (to < end) put(words, to++, word);
  }
}

/** Radix passes of 8 bits over the bytes that differ. */
function byteSort(words: usize, spare: usize, n: i32, histogram: usize): void {
  const first = at(words, 0);
  let differ: u64 = 0;
  for (let i = 1; i < n; i++) differ |= at(words, i) ^ first;
  let source = words;
  let target = spare;
  for (let shift: u64 = 0; shift < 64; shift += 8) {
    if (((differ >> shift) & 0xff) == 0) continue;
    memory.fill(histogram, 0, 1024);
    heedNow();
    for (let i = 0; i < n; i++) {
      const counter = histogram + ((<usize>((at(source, i) >> shift) & 0xff)) << 2);
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
      const word = at(source, i);
      const counter = histogram + ((<usize>((word >> shift) & 0xff)) << 2);
      const place = load<u32>(counter);
      store<u32>(counter, place + 1);
      put(target, <i32>place, word);
    }
    const swap = source;
    source = target;
    target = swap;
  }
  if (source != words) memory.copy(words, source, (<usize>n) << 3);
}
