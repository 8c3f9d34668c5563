import { copyBits, joinBits, setBit } from './bits';
import { settleProducts, settleSum } from './carries';
import { heed } from './heed';
import {
  MOMENT_REST,
  MOMENT_SQUARES,
  NARROW_PRODUCTS,
  NARROW_SIZE,
  NARROW_SQUARES,
  PAIR_PRODUCTS,
  PAIR_REST,
  PAIR_SQUARES,
  PRODUCT_REST,
  TABLE_GROUPS,
  TABLE_RECORDS,
  TABLE_STRIDE,
} from './layout';
import { addProduct, addSum, negative, shift, size, take } from './units';

// Moments are sums of integers: every value of a column is a whole multiple of one unit, so that its sum, the sum of the
// squares and the sum of the products with another such column are exact in fixed words, whatever the order of rows.
// The unit is 2^-32 of `step`, a power of two that is 1 for integers and chosen for the run for floats. A value that is a
// whole number of steps in -2^62..2^62, as nearly all are, is added as one. Others are listed and taken apart: they may reach
// down to the unit and up to 2^71 steps. What fits neither, or is not finite, escapes, and is collected by group elsewhere.
// With fewer than 2^32 rows sums stay below 2^103 steps and squares and products below 2^174: their limbs and rests hold them.

const LIMB: i64 = 0xffffffff;

/** Steps are below, and not below its negative: so twice the product of two halves, 2^32 and 2^30 in size, is below 2^63. */
const MOST: i64 = 1 << 62;

/** What stands for a value that is no whole number of steps, or too many. */
const NOT_WHOLE = i64.MAX_VALUE;

/** Doubles from 2^84 on are whole multiples of 2^32, those from 2^52 on of 1: their bits count them. */
const HIGH: f64 = 1.5 * 19342813113834066795298816.0;
const LOW: f64 = 1.5 * 4503599627370496.0;

/**
 * Doubles in steps, two at a time: NOT_WHOLE where a value is no whole number of them, or not below MOST in size. Adding HIGH rounds a
 * number of steps to a multiple of 2^32, what is left is below 2^31 in size, and adding LOW rounds that to a whole number.
 */
export function floatSteps(values: usize, step: f64, n: i32, out: usize): void {
  const steps = f64x2.splat(step);
  const perStep = f64x2.splat(1 / step);
  const most = f64x2.splat(<f64>MOST);
  const high = f64x2.splat(HIGH);
  const low = f64x2.splat(LOW);
  const notWhole = i64x2.splat(NOT_WHOLE);
  for (let i = 0; i < n; i += 2) {
    const at = values + ((<usize>i) << 3);
    const x = i + 1 < n ? v128.load(at) : v128.load64_zero(at);
    const count = f64x2.mul(x, perStep);
    const upper = f64x2.add(count, high);
    const rest = f64x2.sub(count, f64x2.sub(upper, high));
    const lower = f64x2.add(rest, low);
    const isWhole = v128.and(
      f64x2.eq(f64x2.sub(lower, low), rest),
      // false also for what is not finite, and the second for what is too small to be told from 0
      v128.and(f64x2.lt(f64x2.abs(count), most), f64x2.eq(f64x2.mul(count, steps), x)),
    );
    const whole = i64x2.add(i64x2.shl(i64x2.sub(upper, high), 32), i64x2.sub(lower, low));
    v128.store(out + ((<usize>i) << 3), v128.bitselect(whole, notWhole, isWhole));
  }
}

/** Unsigned integers in steps of 1, as {@link floatSteps}. */
export function unsignedSteps(values: usize, n: i32, out: usize): void {
  for (let i = 0; i < n; i++) {
    const x = load<i64>(values + ((<usize>i) << 3));
    store<i64>(out + ((<usize>i) << 3), x < 0 ? NOT_WHOLE : x);
  }
}

function pair(a: i64, b: i64): v128 {
  return i64x2.replace_lane(i64x2.splat(a), 1, b);
}

/** Adds low + middle * 2^32 + high * 2^64 to a sum of products. */
function addParts(limbs: usize, low: u64, middle: i64, high: i64): void {
  const first = pair(<i64>(low & LIMB), <i64>(low >> 32) + (middle & LIMB));
  v128.store(limbs, i64x2.add(v128.load(limbs), first));
  const second = pair((middle >> 32) + (high & LIMB), high >> 32);
  v128.store(limbs, i64x2.add(v128.load(limbs, 16), second), 16);
}

/**
 * Adds values in steps to the moments of their groups. A null is 0. Returns how many rows were not added and are listed in `listed`
 * (u32 each), for {@link addMomentsApart}.
 */
export function addMoments(lane: usize, offsets: usize, steps: usize, n: i32, listed: usize): i32 {
  let count = 0;
  for (let i = 0; i < n; i++) {
    const x = load<i64>(steps + ((<usize>i) << 3));
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    if (x + MOST < 0) {
      store<u32>(listed + ((<usize>count) << 2), i);
      count++;
      continue;
    }
    const low = x & LIMB;
    const high = x >> 32;
    v128.store(slot, i64x2.add(v128.load(slot), pair(low, high)));
    addParts(slot + MOMENT_SQUARES, low * low, (low * high) << 1, high * high);
  }
  return count;
}

/** As {@link addMoments}, of pairs: both are 0 where one is null, and both are listed where one is. Without `squares` there are none. */
export function addPairs(
  lane: usize,
  offsets: usize,
  xs: usize,
  ys: usize,
  squares: bool,
  n: i32,
  listed: usize,
): i32 {
  let count = 0;
  for (let i = 0; i < n; i++) {
    const x = load<i64>(xs + ((<usize>i) << 3));
    const y = load<i64>(ys + ((<usize>i) << 3));
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    if (((x + MOST) | (y + MOST)) < 0) {
      store<u32>(listed + ((<usize>count) << 2), i);
      count++;
      continue;
    }
    const xLow = x & LIMB;
    const xHigh = x >> 32;
    const yLow = y & LIMB;
    const yHigh = y >> 32;
    v128.store(slot, i64x2.add(v128.load(slot), pair(xLow, xHigh)));
    v128.store(slot, i64x2.add(v128.load(slot, 16), pair(yLow, yHigh)), 16);
    addParts(slot + PAIR_PRODUCTS, xLow * yLow, xHigh * yLow + xLow * yHigh, xHigh * yHigh);
    if (!squares) continue;
    addParts(slot + PAIR_SQUARES, xLow * xLow, (xLow * xHigh) << 1, xHigh * xHigh);
    addParts(slot + PAIR_SQUARES + 32, yLow * yLow, (yLow * yHigh) << 1, yHigh * yHigh);
  }
  return count;
}

/** Adds the values, as they are, of the `count` rows of `listed`. Returns how many of them escape: they are left in `listed`. */
export function addMomentsApart(
  lane: usize,
  offsets: usize,
  values: usize,
  form: u32,
  low: i32,
  listed: usize,
  count: i32,
): i32 {
  let escapes = 0;
  for (let l = 0; l < count; l++) {
    const i = load<u32>(listed + ((<usize>l) << 2));
    if (!take(load<u64>(values + ((<usize>i) << 3)), form, low)) {
      store<u32>(listed + ((<usize>escapes) << 2), i);
      escapes++;
      continue;
    }
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    const rest = slot + MOMENT_REST;
    addSum(slot, rest, size, shift, negative);
    addProduct(slot + MOMENT_SQUARES, rest + 16, size, size, shift << 1, 0);
  }
  return escapes;
}

/** As {@link addMomentsApart}, of pairs, both of which escape where one does. */
export function addPairsApart(
  lane: usize,
  offsets: usize,
  xs: usize,
  xForm: u32,
  xUnit: i32,
  ys: usize,
  yForm: u32,
  yUnit: i32,
  squares: bool,
  listed: usize,
  count: i32,
): i32 {
  let escapes = 0;
  for (let l = 0; l < count; l++) {
    const i = load<u32>(listed + ((<usize>l) << 2));
    const fits = take(load<u64>(xs + ((<usize>i) << 3)), xForm, xUnit);
    const xSize = size;
    const xShift = shift;
    const xNegative = negative;
    if (!fits || !take(load<u64>(ys + ((<usize>i) << 3)), yForm, yUnit)) {
      store<u32>(listed + ((<usize>escapes) << 2), i);
      escapes++;
      continue;
    }
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    const rest = slot + (squares ? PAIR_REST : PRODUCT_REST);
    addSum(slot, rest, xSize, xShift, xNegative);
    addSum(slot + 16, rest + 16, size, shift, negative);
    addProduct(slot + PAIR_PRODUCTS, rest + 32, xSize, size, xShift + shift, xNegative ^ negative);
    if (!squares) continue;
    addProduct(slot + PAIR_SQUARES, rest + 48, xSize, xSize, xShift << 1, 0);
    addProduct(slot + PAIR_SQUARES + 32, rest + 64, size, size, shift << 1, 0);
  }
  return escapes;
}

/** Settles the moments of all groups of a table: with or without squares, of a column or of pairs. */
export function settleMoments(table: usize, lane: u32, paired: bool, squares: bool): void {
  const groups = load<u32>(table, TABLE_GROUPS);
  const stride = load<u32>(table, TABLE_STRIDE);
  let slot = <usize>load<u32>(table, TABLE_RECORDS) + lane;
  for (let id: u32 = 0; id < groups; id++, slot += stride) {
    heed(<i32>id);
    if (!paired) {
      settleSum(slot, slot + MOMENT_REST);
      settleProducts(slot + MOMENT_SQUARES, slot + MOMENT_REST + 16);
      continue;
    }
    const rest = slot + (squares ? PAIR_REST : PRODUCT_REST);
    settleSum(slot, rest);
    settleSum(slot + 16, rest + 16);
    settleProducts(slot + PAIR_PRODUCTS, rest + 32);
    if (!squares) continue;
    settleProducts(slot + PAIR_SQUARES, rest + 48);
    settleProducts(slot + PAIR_SQUARES + 32, rest + 64);
  }
}

/** Adds to a sum of 16 bytes, x below 2^63 in size. */
function addLong(slot: usize, x: i64): void {
  const a = load<u64>(slot);
  const sum = a + <u64>x;
  store<u64>(slot, sum);
  store<i64>(slot, load<i64>(slot, 8) + (x >> 63) + <i64>(sum < a), 8);
}

/** As {@link addMoments}, of integers below 2^32 in size, whose squares fit a word (unsigned ones of 32 bits just so). */
export function addNarrow(lane: usize, offsets: usize, values: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const x = load<i64>(values + ((<usize>i) << 3));
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    store<i64>(slot, load<i64>(slot) + x);
    const square = <u64>(x * x);
    const a = load<u64>(slot, NARROW_SQUARES);
    const sum = a + square;
    store<u64>(slot, sum, NARROW_SQUARES);
    store<u64>(slot, load<u64>(slot, NARROW_SQUARES + 8) + <u64>(sum < a), NARROW_SQUARES + 8);
  }
}

/** As {@link addPairs}, of integers below 2^31 in size. */
export function addNarrowPairs(lane: usize, offsets: usize, xs: usize, ys: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const x = load<i64>(xs + ((<usize>i) << 3));
    const y = load<i64>(ys + ((<usize>i) << 3));
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    store<i64>(slot, load<i64>(slot) + x);
    addLong(slot + NARROW_SQUARES, x * x);
    store<i64>(slot, load<i64>(slot, NARROW_SIZE) + y, NARROW_SIZE);
    addLong(slot + NARROW_SIZE + NARROW_SQUARES, y * y);
    addLong(slot + NARROW_PRODUCTS, x * y);
  }
}

/** The rows that have both of two values, as bits; `room` is of as many. */
export function bothValid(a: usize, aBit: u32, b: usize, bBit: u32, n: i32, out: usize, room: usize): void {
  copyBits(a, aBit, false, out, n);
  copyBits(b, bBit, false, room, n);
  joinBits(out, room, false, n);
}

/** The rows that have a text, as bits: those whose code is not 0. */
export function validCodes(codes: usize, n: i32, out: usize): void {
  memory.fill(out, 0, (n + 7) >> 3);
  for (let i = 0; i < n; i++) if (load<u64>(codes + ((<usize>i) << 3)) != 0) setBit(out, i);
}
