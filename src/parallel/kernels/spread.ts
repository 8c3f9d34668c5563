import {
  MOMENT_SIZE,
  MOMENT_SQUARES,
  NARROW_PRODUCTS,
  NARROW_SIZE,
  NARROW_SQUARES,
  PAIR_PRODUCTS,
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

/**
 * n Q - S S of the moments at `state`, into limbs at `out` (0: it is not wanted). `sum` takes the limbs of the sum, and `below` becomes whether it is below 0.
 * False where the sum has more than 128 bits.
 */
function spreadOf(state: usize, narrow: bool, count: u64, room: usize, sum: usize, out: usize): bool {
  let squares = state + MOMENT_SQUARES;
  if (narrow) {
    store<i64>(room + SCALED, load<i64>(state));
    store<i64>(room + SCALED, load<i64>(state) >> 63, 8);
    below = sizeOf(room + SCALED, 2, sum);
    squares = room + SPREAD_XY;
    extend(state + NARROW_SQUARES, false, squares);
  } else {
    if (load<i32>(state, 16) != <i32>(load<i64>(state, 8) >> 63)) return false;
    below = sizeOf(state, 2, sum);
  }
  if (out == 0) return true;
  store<u64>(room + Q, count);
  multiply(squares, 8, room + Q, 1, room + SCALED);
  multiply(sum, SUM, sum, SUM, room + PRODUCT);
  difference(room + SCALED, false, room + PRODUCT, false, out);
  return true;
}

let below: bool = false;

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
  narrow: bool,
  count: u64,
  population: bool,
  root: bool,
  scale: i32,
  room: usize,
): f64 {
  const least: u64 = population ? 1 : 2;
  if (count < least) return 0;
  if (count > 0xffffffff || !spreadOf(state, narrow, count, room, room + X, room + SPREAD_X)) return NaN;
  toPair(room + SPREAD_X);
  if (high == 0) return 0;
  const spread = high;
  const rest = low;
  setProduct(count, population ? count : count - 1);
  dividePairs(spread, rest, high, low);
  if (root) rootPair(high, low);
  return scaled(roundPair(), root ? scale : scale << 1);
}

/** Whether there is no correlation, because a column has one value only. */
let spreadless: bool = false;

function covariance(state: usize, narrow: bool, count: u64, correlation: bool, scale: i32, room: usize): f64 {
  spreadless = false;
  if (count < 2) return 0;
  if (count > 0xffffffff) return NaN;
  const second = state + (narrow ? NARROW_SIZE : MOMENT_SIZE);
  if (!spreadOf(state, narrow, count, room, room + X, correlation ? room + SPREAD_X : 0)) return NaN;
  const xBelow = below;
  if (!spreadOf(second, narrow, count, room, room + Y, correlation ? room + SPREAD_Y : 0)) return NaN;
  const signed = xBelow != below;
  // n P - Sx Sy
  let products = state + PAIR_PRODUCTS;
  if (narrow) {
    products = room + PRODUCT;
    extend(state + NARROW_PRODUCTS, true, products);
  }
  const negative = sizeOf(products, 4, room + SPREAD_XY);
  store<u64>(room + Q, count);
  multiply(room + SPREAD_XY, 8, room + Q, 1, room + SCALED);
  multiply(room + X, SUM, room + Y, SUM, room + PRODUCT);
  const isBelow = difference(room + SCALED, negative, room + PRODUCT, signed, room + SPREAD_XY);
  toPair(room + SPREAD_XY);
  const both = high;
  const rest = low;
  if (correlation) {
    toPair(room + SPREAD_X);
    const x = high;
    const xRest = low;
    toPair(room + SPREAD_Y);
    spreadless = x == 0 || high == 0;
    if (both == 0) return 0;
    multiplyPairs(x, xRest, high, low);
    rootPair(high, low);
  } else {
    if (both == 0) return 0;
    setProduct(count, count - 1);
  }
  dividePairs(both, rest, high, low);
  const size = correlation ? roundPair() : scaled(roundPair(), scale);
  return isBelow ? -size : size;
}

/**
 * Variances of groups, or with `root` their deviations; `narrow` says how moments are held, `scale` is log2 of their unit. Groups that are left open are
 * written to `open` (u32 each). Returns how many. `room` is of SPREAD_ROOM bytes.
 */
export function finishVariance(
  refs: usize,
  n: i32,
  lane: u32,
  rows: u32,
  nulls: u32,
  narrow: bool,
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
    const result = variance(record + lane, narrow, values, population, root, scale, room);
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
  narrow: bool,
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
    const result = covariance(record + lane, narrow, values, correlation, scale, room);
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
