import { productWords, sumWords } from './carries';
import {
  MOMENT_SQUARES,
  NARROW_PRODUCTS,
  NARROW_SIZE,
  NARROW_SQUARES,
  PAIR_PRODUCTS,
  PAIR_SQUARES,
  REF_RECORD,
} from './layout';
import { difference, multiply, sizeOf, toPair } from './limbs';
import { dividePairs, high, low, multiplyPairs, rootPair, roundPair, setPair } from './pair';

// Variance, covariance and correlation from exact moments. n Q - S S is computed in integers, exactly; what follows
// (division, root) is computed in pairs of doubles, rounded where the pair leaves no doubt, and else left open, to be
// finished in exact integers of any size.

/** Limbs of a sum of 128 bits. */
const SUM: i32 = 4;
/** Room that the finishing kernels need: sums of x and y, n Q, S S, and three differences. */
const X: usize = 0;
const Y: usize = 16;
const Q: usize = 32;
const PRODUCT: usize = 64;
const SCALED: usize = 128;
const SPREAD_X: usize = 192;
const SPREAD_Y: usize = 256;
const SPREAD_XY: usize = 320;

let below: bool = false;

/** Where the rest of a sum lies, or 0: it is narrow and has none. */
function restOf(state: usize, rest: u32): usize {
  return rest == 0 ? 0 : state + rest;
}

/** The limbs of a sum; `below` becomes whether it is below 0. False where it has more than 128 bits. */
function takeSum(sum: usize, rest: usize, room: usize, out: usize): bool {
  if (rest == 0) {
    store<i64>(room + SCALED, load<i64>(sum));
    store<i64>(room + SCALED, load<i64>(sum) >> 63, 8);
  } else if (!sumWords(sum, rest, room + SCALED)) {
    return false;
  }
  below = sizeOf(room + SCALED, 2, out);
  return true;
}

/** n Q - S S of a sum of squares and the limbs of a sum, as limbs. */
function spreadOf(squares: usize, rest: usize, count: u64, room: usize, sum: usize, out: usize): void {
  if (rest == 0) extend(squares, false, room + SPREAD_XY);
  else productWords(squares, rest, room + SPREAD_XY);
  store<u64>(room + Q, count);
  multiply(room + SPREAD_XY, 8, room + Q, 1, room + SCALED);
  multiply(sum, SUM, sum, SUM, room + PRODUCT);
  difference(room + SCALED, false, room + PRODUCT, false, out);
}

/** A number of 16 bytes as one of 32. */
function extend(from: usize, signed: bool, out: usize): void {
  const high = load<i64>(from, 8);
  const rest = signed ? high >> 63 : 0;
  store<u64>(out, load<u64>(from));
  store<i64>(out, high, 8);
  store<i64>(out, rest, 16);
  store<i64>(out, rest, 24);
}

/** value * 2^scale where that is a normal double, else NaN, as of NaN. */
function scaled(value: f64, scale: i32): f64 {
  const bits = reinterpret<u64>(value);
  const exponent = (<i32>(bits >> 52) & 0x7ff) - 1023 + scale;
  if (value != value || exponent < -1000 || exponent > 1000) return NaN;
  return reinterpret<f64>(bits + ((<u64>(<i64>scale)) << 52));
}

/** The whole number count (count - 1), or its like, as a pair. */
function setProduct(a: u64, b: u64): void {
  const product = a * b;
  const tail = product & 0xffffffff;
  setPair(<f64>(product - tail), <f64>tail);
}

function variance(
  state: usize,
  rest: u32,
  count: u64,
  population: bool,
  root: bool,
  scale: i32,
  room: usize,
): f64 {
  const least: u64 = population ? 1 : 2;
  if (count < least) return 0;
  const at = restOf(state, rest);
  if (count > 0xffffffff || !takeSum(state, at, room, room + X)) return NaN;
  const squares = state + (at == 0 ? NARROW_SQUARES : MOMENT_SQUARES);
  spreadOf(squares, at == 0 ? 0 : at + 16, count, room, room + X, room + SPREAD_X);
  toPair(room + SPREAD_X);
  if (high == 0) return 0;
  const spread = high;
  const tail = low;
  setProduct(count, population ? count : count - 1);
  dividePairs(spread, tail, high, low);
  if (root) rootPair(high, low);
  return scaled(roundPair(), root ? scale : scale << 1);
}

/** Whether there is no correlation, because a column has one value only. */
let spreadless: bool = false;

function covariance(state: usize, rest: u32, count: u64, correlation: bool, scale: i32, room: usize): f64 {
  spreadless = false;
  if (count < 2) return 0;
  if (count > 0xffffffff) return NaN;
  const at = restOf(state, rest);
  const narrow = at == 0;
  if (!takeSum(state, at, room, room + X)) return NaN;
  const xBelow = below;
  if (!takeSum(state + (narrow ? NARROW_SIZE : <u32>16), narrow ? 0 : at + 16, room, room + Y)) return NaN;
  const signed = xBelow != below;
  if (correlation) {
    const squares = state + (narrow ? NARROW_SQUARES : PAIR_SQUARES);
    spreadOf(squares, narrow ? 0 : at + 48, count, room, room + X, room + SPREAD_X);
    spreadOf(
      squares + (narrow ? NARROW_SIZE : <u32>32),
      narrow ? 0 : at + 64,
      count,
      room,
      room + Y,
      room + SPREAD_Y,
    );
  }
  // n P - Sx Sy
  if (narrow) extend(state + NARROW_PRODUCTS, true, room + PRODUCT);
  else productWords(state + PAIR_PRODUCTS, at + 32, room + PRODUCT);
  const negative = sizeOf(room + PRODUCT, 4, room + SPREAD_XY);
  store<u64>(room + Q, count);
  multiply(room + SPREAD_XY, 8, room + Q, 1, room + SCALED);
  multiply(room + X, SUM, room + Y, SUM, room + PRODUCT);
  const isBelow = difference(room + SCALED, negative, room + PRODUCT, signed, room + SPREAD_XY);
  toPair(room + SPREAD_XY);
  const both = high;
  const tail = low;
  if (correlation) {
    toPair(room + SPREAD_X);
    const x = high;
    const xTail = low;
    toPair(room + SPREAD_Y);
    spreadless = x == 0 || high == 0;
    if (both == 0) return 0;
    multiplyPairs(x, xTail, high, low);
    rootPair(high, low);
  } else {
    if (both == 0) return 0;
    setProduct(count, count - 1);
  }
  dividePairs(both, tail, high, low);
  const size = correlation ? roundPair() : scaled(roundPair(), scale);
  return isBelow ? -size : size;
}

/**
 * Variances of groups, or with `root` their deviations. `rest` is where in a state the rests of its limbs begin (0: it is narrow), `scale` log2 of its unit. Groups that are left open are
 * written to `open` (u32 each). Returns how many. `room` is of SPREAD_ROOM bytes.
 */
export function finishVariance(
  refs: usize,
  n: i32,
  lane: u32,
  rows: u32,
  nulls: u32,
  rest: u32,
  population: bool,
  root: bool,
  scale: i32,
  out: usize,
  open: usize,
  room: usize,
): i32 {
  let count = 0;
  for (let i = 0; i < n; i++) {
    const record = <usize>load<u32>(refs + ((<usize>i) << 4), REF_RECORD);
    const values = load<u64>(record + rows) - load<u64>(record + nulls);
    const result = variance(record + lane, rest, values, population, root, scale, room);
    if (result != result) {
      store<u32>(open + ((<usize>count) << 2), i);
      count++;
    }
    store<f64>(out + ((<usize>i) << 3), result);
  }
  return count;
}

/**
 * As {@link finishVariance}, covariances, or correlations. Groups that have none for want of a spread are taken out of `validity`, and
 * counted at `dropped`.
 */
export function finishCovariance(
  refs: usize,
  n: i32,
  lane: u32,
  rows: u32,
  nulls: u32,
  rest: u32,
  correlation: bool,
  scale: i32,
  out: usize,
  open: usize,
  room: usize,
  validity: usize,
  dropped: usize,
): i32 {
  let count = 0;
  let without = 0;
  for (let i = 0; i < n; i++) {
    const record = <usize>load<u32>(refs + ((<usize>i) << 4), REF_RECORD);
    const values = load<u64>(record + rows) - load<u64>(record + nulls);
    const result = covariance(record + lane, rest, values, correlation, scale, room);
    if (spreadless) {
      const byte = validity + (i >> 3);
      store<u8>(byte, load<u8>(byte) & ~(1 << (<u8>(i & 7))));
      without++;
    }
    if (result != result) {
      store<u32>(open + ((<usize>count) << 2), i);
      count++;
    }
    store<f64>(out + ((<usize>i) << 3), result);
  }
  store<u32>(dropped, without);
  return count;
}
