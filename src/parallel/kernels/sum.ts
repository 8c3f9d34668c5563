import {
  KIND_I8,
  KIND_I16,
  KIND_I32,
  KIND_I64,
  KIND_U8,
  KIND_U16,
  TABLE_RECORDS,
  WIDES_NEAR,
} from './layout';
import { areWidesFar, nearWides, wideAdd, wideOf } from './wide';

/** Adds integers that cannot overflow 63 bits in all (32 bits and fewer, bits): one lane. They come as they lie, or widened. */
export function sumNarrow(lane: usize, offsets: usize, kind: i32, values: usize, n: i32): void {
  if (kind == KIND_I64) sumAs<i64>(lane, offsets, values, n);
  else if (kind == KIND_I32) sumAs<i32>(lane, offsets, values, n);
  else if (kind == KIND_I16) sumAs<i16>(lane, offsets, values, n);
  else if (kind == KIND_I8) sumAs<i8>(lane, offsets, values, n);
  else if (kind == KIND_U8) sumAs<u8>(lane, offsets, values, n);
  else if (kind == KIND_U16) sumAs<u16>(lane, offsets, values, n);
  else sumAs<u32>(lane, offsets, values, n);
}

function sumAs<T>(lane: usize, offsets: usize, values: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    store<i64>(slot, load<i64>(slot) + <i64>load<T>(values + <usize>i * sizeof<T>()));
  }
}

/** Adds 64-bit integers into 128 bits: the low lane wraps, and what wraps off goes to the high one. */
export function sumSigned(lane: usize, offsets: usize, values: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    addSigned(slot, load<i64>(values + ((<usize>i) << 3)));
  }
}

export function addSigned(slot: usize, x: i64): void {
  const low = load<i64>(slot);
  const total = low + x;
  store<i64>(slot, total);
  // both have the sign that the total has not: it wrapped, by 2^64 towards the other sign
  if (((total ^ low) & (total ^ x)) < 0) store<i64>(slot, load<i64>(slot, 8) + (x < 0 ? -1 : 1), 8);
}

/** As {@link sumSigned}, unsigned. */
export function sumUnsigned(lane: usize, offsets: usize, values: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    const low = load<u64>(slot);
    const total = low + load<u64>(values + ((<usize>i) << 3));
    store<u64>(slot, total);
    if (total < low) store<i64>(slot, load<i64>(slot, 8) + 1, 8);
  }
}

/**
 * Adds integers of `words` words of 64 bits into `words + 1`: the last word takes what the sum of any number of rows
 * carries over. Null rows are passed over.
 */
export function sumWords(
  lane: usize,
  offsets: usize,
  values: usize,
  words: u32,
  validity: usize,
  bit: u32,
  n: i32,
): void {
  for (let i = 0; i < n; i++) {
    if (validity != 0) {
      const at = bit + i;
      if (((load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1) == 0) continue;
    }
    addWords(lane + load<u32>(offsets + ((<usize>i) << 2)), values + <usize>i * (words << 3), words);
  }
}

/** Adds a number of `words` words to one of `words + 1`. */
function addWords(into: usize, from: usize, words: u32): void {
  let carry: u64 = 0;
  const size = words << 3;
  for (let w: u32 = 0; w < size; w += 8) {
    const a = load<u64>(into + w);
    const b = load<u64>(from + w);
    const sum = a + b;
    const total = sum + carry;
    carry = <u64>(sum < a) | <u64>(total < sum);
    store<u64>(into + w, total);
  }
  const sign = load<i64>(from + size - 8) >> 63;
  store<i64>(into + size, load<i64>(into + size) + sign + <i64>carry);
}

/** Adds two sums of `words` words. */
export function addSums(into: usize, from: usize, words: u32): void {
  let carry: u64 = 0;
  for (let w: u32 = 0; w < words << 3; w += 8) {
    const a = load<u64>(into + w);
    const sum = a + load<u64>(from + w);
    const total = sum + carry;
    carry = <u64>(sum < a) | <u64>(total < sum);
    store<u64>(into + w, total);
  }
}

// Float sums. All values of a grid are below 2^H in size and multiples of 2^L; sigma = 1.5 * 2^(P + 52) splits each
// into hi, a multiple of 2^P, and lo, what is left, at most 2^(P - 1). While no more than 2^b values enter a group's
// pair, with P = H + b - 53 and H - L <= 107 - 2 b, every partial sum of hi and every partial sum of lo is a double, so
// no addition rounds and the order of additions cannot matter. The pair's exact sum is hi + lo.
// (Extraction as in Rump, Ogita and Oishi, AccSum; the pair as accumulator is ours.)
// What does not fit goes to the group's wide sum.

/** Whether all values are 0 or between `low` (where all bits of a double lie on the grid) and `high` in size. */
export function onGrid(values: usize, n: i32, low: f64, high: f64): bool {
  const lows = f64x2.splat(low);
  const highs = f64x2.splat(high);
  const zeros = f64x2.splat(0);
  let i = 0;
  let fits = i64x2.splat(-1);
  for (; i + 2 <= n; i += 2) {
    const x = f64x2.abs(v128.load(values + ((<usize>i) << 3)));
    const large = v128.or(f64x2.ge(x, lows), f64x2.eq(x, zeros));
    fits = v128.and(fits, v128.and(large, f64x2.lt(x, highs)));
  }
  if (!i64x2.all_true(fits)) return false;
  if (i < n) {
    const x = abs(load<f64>(values + ((<usize>i) << 3)));
    return (x >= low || x == 0) && x < high;
  }
  return true;
}

/** Adds a float that is on the grid of `sigma`. */
export function addToPair(pair: usize, x: f64, sigma: f64): void {
  const hi = x + sigma - sigma;
  const both = f64x2.replace_lane(f64x2.splat(hi), 1, x - hi);
  v128.store(pair, f64x2.add(v128.load(pair), both));
}

/**
 * Adds floats, exactly: to the pairs (two f64) at `offset` of the records, and to wide sums.
 * Returns rows done: fewer than n when the room for wide sums is used up. `room` holds 8 bytes a row.
 */
export function sumFloat(
  table: usize,
  offset: u32,
  grid: u32,
  grids: u32,
  offsets: usize,
  values: usize,
  n: i32,
  sigma: f64,
  low: f64,
  high: f64,
  fineSigma: f64,
  room: usize,
): i32 {
  const lane = <usize>load<u32>(table, TABLE_RECORDS) + offset;
  if (onGrid(values, n, low, high)) {
    for (let i = 0; i < n; i++) {
      const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
      addToPair(slot, load<f64>(values + ((<usize>i) << 3)), sigma);
    }
    return n;
  }
  const areFar = areWidesFar(table, grids);
  for (let i = 0; i < n; i++) {
    if (areFar && i % WIDES_NEAR == 0) {
      const rows = min(WIDES_NEAR, n - i);
      const first = offsets + ((<usize>i) << 2);
      nearWides(table, grid, grids, first, values + ((<usize>i) << 3), rows, low, high, room);
    }
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    const x = load<f64>(values + ((<usize>i) << 3));
    const size = abs(x);
    if (size < high) {
      const hi = x + sigma - sigma;
      const lo = x - hi;
      if (size >= low || lo + fineSigma - fineSigma == lo) {
        store<f64>(slot, load<f64>(slot) + hi);
        store<f64>(slot, load<f64>(slot, 8) + lo, 8);
        continue;
      }
    }
    const wide = wideOf(table, slot - offset, grid, grids);
    if (wide == 0) return i;
    wideAdd(wide, x);
  }
  return n;
}

/** Empties the pairs of the groups in `due` into their wide sums. Returns groups done: fewer than n when room is used up. */
export function flushFloat(table: usize, offset: u32, grid: u32, grids: u32, due: usize, n: i32): i32 {
  const lane = <usize>load<u32>(table, TABLE_RECORDS) + offset;
  for (let i = 0; i < n; i++) {
    const slot = lane + load<u32>(due + ((<usize>i) << 2));
    const wide = wideOf(table, slot - offset, grid, grids);
    if (wide == 0) return i;
    wideAdd(wide, load<f64>(slot));
    wideAdd(wide, load<f64>(slot, 8));
    store<f64>(slot, 0);
    store<f64>(slot, 0, 8);
  }
  return n;
}
