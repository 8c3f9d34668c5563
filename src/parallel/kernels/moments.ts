import { copyBits, joinBits, setBit } from './bits';
import {
  MOMENT_FLOAT,
  MOMENT_SIGNED,
  MOMENT_SIZE,
  MOMENT_SQUARES,
  NARROW_PRODUCTS,
  NARROW_SIZE,
  NARROW_SQUARES,
  PAIR_PRODUCTS,
} from './layout';
import { addProduct, addSum, negative, shift, size, take } from './units';

// Moments are sums of integers: every value of a column is a whole multiple of one unit, so that its sum, the sum of the
// squares and the sum of the products with another such column are exact in fixed words, whatever the order of rows.
// The unit is 2^-32 of `step`, a power of two that is 1 for integers and chosen for the run for floats. A value that is a
// whole number of steps below 2^63, as nearly all are, is converted as one and added 32 bits up in the sum, 64 in squares and
// products. Others are taken apart: they may reach down to the unit and up to 2^71 steps. What fits neither, or is not
// finite, is listed in `escaped`, and collected by group elsewhere.
// With fewer than 2^32 rows sums stay below 2^135 units and squares and products below 2^238: 20 and 32 bytes hold them.

/** What stands for a value that is no whole number of steps, or too many. */
const NOT_WHOLE = i64.MAX_VALUE;

/** A value in steps, if it is a whole number of them below 2^63; else, or where that is NOT_WHOLE itself, NOT_WHOLE. */
function stepsOf(bits: u64, form: u32, step: f64, perStep: f64): i64 {
  if (form == MOMENT_FLOAT) {
    const x = reinterpret<f64>(bits);
    const steps = <i64>(x * perStep); // saturates, at NOT_WHOLE; NaN is 0
    // exact, and never so for what was not finite, no whole number, or too small to be told from 0
    return <f64>steps * step == x ? steps : NOT_WHOLE;
  }
  return form == MOMENT_SIGNED || <i64>bits >= 0 ? <i64>bits : NOT_WHOLE;
}

/** Adds a whole number of steps to a sum. */
function addSteps(slot: usize, x: i64): void {
  const a = load<u64>(slot, 4);
  const sum = a + <u64>x;
  store<u64>(slot, sum, 4);
  store<i64>(slot, load<i64>(slot, 12) + (x >> 63) + <i64>(sum < a), 12);
}

/** Adds x * x, 64 bits up in four words; x is at most 2^63. */
function addStepSquare(slot: usize, x: u64): void {
  const xLow = x & 0xffffffff;
  const xHigh = x >> 32;
  const cross = xLow * xHigh;
  const lows = xLow * xLow;
  const low = lows + (cross << 33);
  const a = load<u64>(slot, 8);
  const sum = a + low;
  store<u64>(slot, sum, 8);
  const high = xHigh * xHigh + (cross >> 31) + <u64>(low < lows) + <u64>(sum < a);
  const b = load<u64>(slot, 16);
  const next = b + high;
  store<u64>(slot, next, 16);
  if (next < b) store<u64>(slot, load<u64>(slot, 24) + 1, 24);
}

/** Adds x * y, 64 bits up in four words. (The high half of a signed product as in Warren, Hacker's Delight, mulhs.) */
function addStepProduct(slot: usize, x: i64, y: i64): void {
  const xLow = x & 0xffffffff;
  const xHigh = x >> 32;
  const yLow = y & 0xffffffff;
  const yHigh = y >> 32;
  const lows = <u64>xLow * <u64>yLow;
  const cross = xHigh * yLow + <i64>(lows >> 32);
  const middle = xLow * yHigh + (cross & 0xffffffff);
  const low = ((<u64>middle) << 32) | (lows & 0xffffffff);
  const high = xHigh * yHigh + (cross >> 32) + (middle >> 32);
  const a = load<u64>(slot, 8);
  const sum = a + low;
  store<u64>(slot, sum, 8);
  const b = load<u64>(slot, 16);
  const next = b + <u64>high;
  const total = next + <u64>(sum < a);
  store<u64>(slot, total, 16);
  const carry = <i64>(next < b) + <i64>(total < next);
  store<i64>(slot, load<i64>(slot, 24) + (high >> 63) + carry, 24);
}

function sizeOf(x: i64): u64 {
  const sign = x >> 63;
  return <u64>((x ^ sign) - sign);
}

/** Adds values to the moments of their groups. A null is 0. Returns how many rows are listed in `escaped` (u32 each). */
export function addMoments(
  lane: usize,
  offsets: usize,
  values: usize,
  form: u32,
  step: f64,
  low: i32,
  n: i32,
  escaped: usize,
): i32 {
  const perStep = 1 / step;
  let escapes = 0;
  for (let i = 0; i < n; i++) {
    const bits = load<u64>(values + ((<usize>i) << 3));
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    const x = stepsOf(bits, form, step, perStep);
    if (x != NOT_WHOLE) {
      addSteps(slot, x);
      addStepSquare(slot + MOMENT_SQUARES, sizeOf(x));
    } else if (take(bits, form, low)) {
      addSum(slot, size, shift, negative);
      addProduct(slot + MOMENT_SQUARES, size, size, shift << 1, 0);
    } else {
      store<u32>(escaped + ((<usize>escapes) << 2), i);
      escapes++;
    }
  }
  return escapes;
}

/** As {@link addMoments}, of pairs: both are 0 where one is null, and both escape where one does. Without `squares` those stay 0. */
export function addPairs(
  lane: usize,
  offsets: usize,
  x: usize,
  xForm: u32,
  xStep: f64,
  xLow: i32,
  y: usize,
  yForm: u32,
  yStep: f64,
  yLow: i32,
  squares: bool,
  n: i32,
  escaped: usize,
): i32 {
  const perX = 1 / xStep;
  const perY = 1 / yStep;
  let escapes = 0;
  for (let i = 0; i < n; i++) {
    const xBits = load<u64>(x + ((<usize>i) << 3));
    const yBits = load<u64>(y + ((<usize>i) << 3));
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    const xSteps = stepsOf(xBits, xForm, xStep, perX);
    const ySteps = stepsOf(yBits, yForm, yStep, perY);
    if (xSteps != NOT_WHOLE && ySteps != NOT_WHOLE) {
      addSteps(slot, xSteps);
      addSteps(slot + MOMENT_SIZE, ySteps);
      if (squares) {
        addStepSquare(slot + MOMENT_SQUARES, sizeOf(xSteps));
        addStepSquare(slot + MOMENT_SIZE + MOMENT_SQUARES, sizeOf(ySteps));
      }
      addStepProduct(slot + PAIR_PRODUCTS, xSteps, ySteps);
      continue;
    }
    const fits = take(xBits, xForm, xLow);
    const xSize = size;
    const xShift = shift;
    const xNegative = negative;
    if (!fits || !take(yBits, yForm, yLow)) {
      store<u32>(escaped + ((<usize>escapes) << 2), i);
      escapes++;
      continue;
    }
    addSum(slot, xSize, xShift, xNegative);
    addSum(slot + MOMENT_SIZE, size, shift, negative);
    if (squares) {
      addProduct(slot + MOMENT_SQUARES, xSize, xSize, xShift << 1, 0);
      addProduct(slot + MOMENT_SIZE + MOMENT_SQUARES, size, size, shift << 1, 0);
    }
    addProduct(slot + PAIR_PRODUCTS, xSize, size, xShift + shift, xNegative ^ negative);
  }
  return escapes;
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
