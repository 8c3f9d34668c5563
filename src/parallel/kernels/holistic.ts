import { setBit } from './bits';
import { heed, heedNow } from './heed';
import { QUANTILE_BETWEEN, QUANTILE_HIGHER, QUANTILE_NEAREST } from './layout';
import { least, selectWord, sortWords, tally } from './words';

// Aggregates over all values of a group. The words of group i of a range stand at words + 8 * starts[i], up to those of
// the next one; `starts` (u32 each) has one entry more than there are groups. The words of a group may be reordered.

function startOf(starts: usize, i: i32): u32 {
  return load<u32>(starts + ((<usize>i) << 2));
}

/** Validity of aggregates that are null where a group has no value. Returns how many are null. */
export function validGroups(starts: usize, n: i32, validity: usize): i32 {
  memory.fill(validity, 0, (n + 7) >> 3);
  let nulls = 0;
  for (let i = 0; i < n; i++) {
    if (startOf(starts, i) == startOf(starts, i + 1)) {
      nulls++;
      continue;
    }
    setBit(validity, i);
  }
  return nulls;
}

/** How many different words each group has. */
export function countDistinct(
  words: usize,
  starts: usize,
  n: i32,
  out: usize,
  spare: usize,
  histogram: usize,
): void {
  for (let i = 0; i < n; i++) {
    heedNow();
    const own = words + ((<usize>startOf(starts, i)) << 3);
    const count = <i32>(startOf(starts, i + 1) - startOf(starts, i));
    const span = tally(own, count, histogram);
    let distinct: i64 = 0;
    for (let step: u32 = 0; step < span; step++) {
      distinct += <i64>(load<u32>(histogram + ((<usize>step) << 2)) != 0);
    }
    if (span == 0) distinct = countRuns(own, count, spare, histogram);
    store<i64>(out + ((<usize>i) << 3), distinct);
  }
}

function countRuns(words: usize, n: i32, spare: usize, histogram: usize): i64 {
  sortWords(words, spare, n, histogram);
  let runs: i64 = n > 0 ? 1 : 0;
  for (let j = 1; j < n; j++) {
    heed(j);
    const at = words + ((<usize>j) << 3);
    if (load<u64>(at) != load<u64>(at - 8)) runs++;
  }
  return runs;
}

/** The most frequent word of each group, of several the least; `none` where there is none. */
export function modes(
  words: usize,
  starts: usize,
  n: i32,
  none: u64,
  out: usize,
  spare: usize,
  histogram: usize,
): void {
  for (let i = 0; i < n; i++) {
    heedNow();
    const own = words + ((<usize>startOf(starts, i)) << 3);
    const count = <i32>(startOf(starts, i + 1) - startOf(starts, i));
    const span = tally(own, count, histogram);
    let mode = none;
    let most: u32 = 0;
    for (let step: u32 = 0; step < span; step++) {
      const times = load<u32>(histogram + ((<usize>step) << 2));
      if (times <= most) continue;
      most = times;
      mode = least + step;
    }
    if (span == 0 && count > 0) mode = longestRun(own, count, spare, histogram);
    store<u64>(out + ((<usize>i) << 3), mode);
  }
}

/** The word of the longest run of sorted words, of several the first. */
function longestRun(words: usize, n: i32, spare: usize, histogram: usize): u64 {
  sortWords(words, spare, n, histogram);
  let mode = load<u64>(words);
  let most = 0;
  let run = 0;
  let last: u64 = 0;
  for (let j = 0; j < n; j++) {
    heed(j);
    const word = load<u64>(words + ((<usize>j) << 3));
    run = j > 0 && word == last ? run + 1 : 1;
    last = word;
    if (run <= most) continue;
    most = run;
    mode = word;
  }
  return mode;
}

/**
 * What stands at p * (count - 1) among the words of each group, `none` where there is none. QUANTILE_BETWEEN writes the word below to `out`, that above to
 * `above` and the fraction to `fractions`; the others write one word to `out`.
 */
export function quantiles(
  words: usize,
  starts: usize,
  n: i32,
  p: f64,
  which: i32,
  none: u64,
  out: usize,
  above: usize,
  fractions: usize,
  spare: usize,
  histogram: usize,
): void {
  for (let i = 0; i < n; i++) {
    heedNow();
    const slot = (<usize>i) << 3;
    const own = words + ((<usize>startOf(starts, i)) << 3);
    const count = <i32>(startOf(starts, i + 1) - startOf(starts, i));
    if (count == 0) {
      store<u64>(out + slot, none);
      if (which == QUANTILE_BETWEEN) {
        store<u64>(above + slot, none);
        store<f64>(fractions + slot, 0);
      }
      continue;
    }
    const position = p * <f64>(count - 1);
    let low = <i32>floor(position);
    const fraction = position - floor(position);
    if (which == QUANTILE_HIGHER) low = <i32>ceil(position);
    else if (which == QUANTILE_NEAREST && (fraction > 0.5 || (fraction == 0.5 && (low & 1) != 0))) low++;
    const word = selectWord(own, count, low, spare, histogram);
    store<u64>(out + slot, word);
    if (which != QUANTILE_BETWEEN) continue;
    let next = word;
    if (fraction > 0) {
      // the words behind are not below: the least of them stands next
      next = u64.MAX_VALUE;
      for (let j = low + 1; j < count; j++) {
        heed(j);
        next = min(next, load<u64>(own + ((<usize>j) << 3)));
      }
    }
    store<u64>(above + slot, next);
    store<f64>(fractions + slot, fraction);
  }
}

/**
 * The `most` greatest or least words of each group, best first, one after the other from the first group on; `ends` (u32 each) takes
 * where each group's end. Returns how many there are.
 */
export function bestWords(
  words: usize,
  starts: usize,
  n: i32,
  most: u32,
  greatest: bool,
  out: usize,
  ends: usize,
  spare: usize,
  histogram: usize,
): u32 {
  let to: u32 = 0;
  for (let i = 0; i < n; i++) {
    heedNow();
    const own = words + ((<usize>startOf(starts, i)) << 3);
    const count = startOf(starts, i + 1) - startOf(starts, i);
    const taken = min(most, count);
    if (most <= FEW_BEST) {
      keepBest(own, count, taken, greatest, out + ((<usize>to) << 3));
      to += taken;
      store<u32>(ends + ((<usize>i) << 2), to);
      continue;
    }
    // descending order is ascending order of the complements
    if (greatest) complement(own, count);
    if (taken < count && taken > 0) selectWord(own, <i32>count, <i32>taken - 1, spare, histogram);
    sortWords(own, spare, <i32>taken, histogram);
    // all of them, since other aggregates may look at the same words
    if (greatest) complement(own, count);
    memory.copy(out + ((<usize>to) << 3), own, (<usize>taken) << 3);
    to += taken;
    store<u32>(ends + ((<usize>i) << 2), to);
  }
  return to;
}

/** As many are kept in order while the words are looked at once; more are selected and sorted. */
const FEW_BEST: u32 = 16;

/** The `taken` best words, best first. */
function keepBest(words: usize, n: u32, taken: u32, greatest: bool, out: usize): void {
  const flip: u64 = greatest ? u64.MAX_VALUE : 0;
  const last = out + ((<usize>taken) << 3) - 8;
  let kept: u32 = 0;
  for (let j: u32 = 0; j < n; j++) {
    heed(<i32>j);
    const word = load<u64>(words + ((<usize>j) << 3));
    const key = word ^ flip;
    if (kept == taken && key >= (load<u64>(last) ^ flip)) continue;
    if (kept < taken) kept++;
    let slot = out + ((<usize>kept) << 3) - 8;
    while (slot > out && (load<u64>(slot - 8) ^ flip) > key) {
      store<u64>(slot, load<u64>(slot - 8));
      slot -= 8;
    }
    store<u64>(slot, word);
  }
}

function complement(words: usize, n: u32): void {
  for (let j: u32 = 0; j < n; j++) {
    heed(<i32>j);
    const at = words + ((<usize>j) << 3);
    store<u64>(at, ~load<u64>(at));
  }
}
