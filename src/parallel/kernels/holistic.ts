import { selectWord, sortWords } from './words';

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
    const byte = validity + (i >> 3);
    store<u8>(byte, load<u8>(byte) | (1 << (<u8>(i & 7))));
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
    const own = words + ((<usize>startOf(starts, i)) << 3);
    const count = <i32>(startOf(starts, i + 1) - startOf(starts, i));
    sortWords(own, spare, count, histogram);
    let distinct: i64 = count > 0 ? 1 : 0;
    for (let j = 1; j < count; j++) {
      const at = own + ((<usize>j) << 3);
      if (load<u64>(at) != load<u64>(at - 8)) distinct++;
    }
    store<i64>(out + ((<usize>i) << 3), distinct);
  }
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
    const own = words + ((<usize>startOf(starts, i)) << 3);
    const count = <i32>(startOf(starts, i + 1) - startOf(starts, i));
    sortWords(own, spare, count, histogram);
    let mode = none;
    let most = 0;
    let run = 0;
    let last: u64 = 0;
    for (let j = 0; j < count; j++) {
      const word = load<u64>(own + ((<usize>j) << 3));
      run = j > 0 && word == last ? run + 1 : 1;
      last = word;
      if (run <= most) continue;
      most = run;
      mode = word;
    }
    store<u64>(out + ((<usize>i) << 3), mode);
  }
}

/** What stands at p * (count - 1) among the words of each group: the words below and above, and how far it is between them. */
export const BETWEEN: i32 = 0;
export const LOWER: i32 = 1;
export const HIGHER: i32 = 2;
export const NEAREST: i32 = 3;

/**
 * The words at the quantile `p` of each group, `none` where there is none. BETWEEN writes the word below to `out`, that above to
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
    const slot = (<usize>i) << 3;
    const own = words + ((<usize>startOf(starts, i)) << 3);
    const count = <i32>(startOf(starts, i + 1) - startOf(starts, i));
    if (count == 0) {
      store<u64>(out + slot, none);
      if (which == BETWEEN) {
        store<u64>(above + slot, none);
        store<f64>(fractions + slot, 0);
      }
      continue;
    }
    const position = p * <f64>(count - 1);
    let low = <i32>floor(position);
    const fraction = position - floor(position);
    if (which == HIGHER) low = <i32>ceil(position);
    else if (which == NEAREST && (fraction > 0.5 || (fraction == 0.5 && (low & 1) != 0))) low++;
    const word = selectWord(own, count, low, spare, histogram);
    store<u64>(out + slot, word);
    if (which != BETWEEN) continue;
    let next = word;
    if (fraction > 0) {
      // the words behind are not below: the least of them stands next
      next = u64.MAX_VALUE;
      for (let j = low + 1; j < count; j++) next = min(next, load<u64>(own + ((<usize>j) << 3)));
    }
    store<u64>(above + slot, next);
    store<f64>(fractions + slot, fraction);
  }
}

/**
 * The `most` greatest or least words of each group, best first, one after the other from the first group on; `ends` (u32 each) takes
 * where each group's end. Returns how many there are. `out` may be `words`.
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
    const own = words + ((<usize>startOf(starts, i)) << 3);
    const count = startOf(starts, i + 1) - startOf(starts, i);
    const taken = min(most, count);
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

function complement(words: usize, n: u32): void {
  for (let j: u32 = 0; j < n; j++) {
    const at = words + ((<usize>j) << 3);
    store<u64>(at, ~load<u64>(at));
  }
}
