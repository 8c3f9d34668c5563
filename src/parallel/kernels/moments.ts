import { MOMENT_FLOAT, MOMENT_SIGNED, MOMENT_SIZE, MOMENT_SQUARES, PAIR_PRODUCTS } from './layout';

// Moments are sums of integers: every value of a column is a whole multiple of one unit, below 2^95 units in size, so
// that its sum, the sum of the squares and the sum of the products with another such column are exact in fixed words,
// whatever the order of rows. Integers are their own units. The unit of floats is 2^(low - 1074), chosen for the run:
// what is no multiple of it, too large, or not finite, is listed in `escaped`, and collected by group elsewhere.

/** A value taken apart: it is size * 2^shift units, below 0 where negative is all ones. */
let size: u64 = 0;
let shift: u64 = 0;
let negative: u64 = 0;

/** The most that a mantissa of 53 bits is shifted: 2^95. */
const MOST_SHIFT = 42;

/** Takes a value apart. False where it does not fit. */
function take(bits: u64, form: u32, low: i32): bool {
  if (form == MOMENT_FLOAT) {
    const exponent = <i32>((bits >> 52) & 0x7ff);
    if (exponent == 0x7ff) return false;
    let mantissa = bits & 0xfffffffffffff;
    let position = 0;
    if (exponent != 0) {
      mantissa |= 0x10000000000000;
      position = exponent - 1;
    }
    let up = position - low;
    if (mantissa == 0) {
      up = 0;
    } else if (up < 0) {
      if (<i32>ctz(mantissa) < -up) return false;
      mantissa >>= <u64>-up;
      up = 0;
    } else if (up > MOST_SHIFT) {
      return false;
    }
    size = mantissa;
    shift = <u64>up;
    negative = <u64>(<i64>bits >> 63);
    return true;
  }
  shift = 0;
  negative = form == MOMENT_SIGNED ? <u64>(<i64>bits >> 63) : 0;
  size = (bits ^ negative) - negative;
  return true;
}

/** Adds a value to three words. */
function addSum(slot: usize, value: u64, up: u64, sign: u64): void {
  const low = (value << up) ^ sign;
  const middle = (up == 0 ? 0 : value >> (64 - up)) ^ sign;
  // two's complement: all bits turned over, and 1 added
  const a = load<u64>(slot);
  const sum = a + low;
  const total = sum + (sign & 1);
  let carry = <u64>(sum < a) | <u64>(total < sum);
  store<u64>(slot, total);
  const b = load<u64>(slot, 8);
  const sum8 = b + middle;
  const total8 = sum8 + carry;
  carry = <u64>(sum8 < b) | <u64>(total8 < sum8);
  store<u64>(slot, total8, 8);
  store<u64>(slot, load<u64>(slot, 16) + sign + carry, 16);
}

/** Adds x * y * 2^up, or takes it away, from four words. */
function addProduct(slot: usize, x: u64, y: u64, up: u64, sign: u64): void {
  const xLow = x & 0xffffffff;
  const xHigh = x >> 32;
  const yLow = y & 0xffffffff;
  const yHigh = y >> 32;
  const lows = xLow * yLow;
  const cross = xHigh * yLow + (lows >> 32); // below 2^64
  const middle = xLow * yHigh + (cross & 0xffffffff);
  let low = (middle << 32) | (lows & 0xffffffff);
  let high = xHigh * yHigh + (cross >> 32) + (middle >> 32);
  let top: u64 = 0;
  if (up >= 64) {
    const rest = up - 64;
    top = rest == 0 ? high : (high << rest) | (low >> (64 - rest));
    high = low << rest;
    low = 0;
  } else if (up != 0) {
    top = high >> (64 - up);
    high = (high << up) | (low >> (64 - up));
    low <<= up;
  }
  const a = load<u64>(slot);
  let sum = a + (low ^ sign);
  let total = sum + (sign & 1);
  let carry = <u64>(sum < a) | <u64>(total < sum);
  store<u64>(slot, total);
  const b = load<u64>(slot, 8);
  sum = b + (high ^ sign);
  total = sum + carry;
  carry = <u64>(sum < b) | <u64>(total < sum);
  store<u64>(slot, total, 8);
  const c = load<u64>(slot, 16);
  sum = c + (top ^ sign);
  total = sum + carry;
  carry = <u64>(sum < c) | <u64>(total < sum);
  store<u64>(slot, total, 16);
  store<u64>(slot, load<u64>(slot, 24) + sign + carry, 24);
}

/** Adds values to the moments of their groups. A null is 0. Returns how many rows are listed in `escaped` (u32 each). */
export function addMoments(
  lane: usize,
  offsets: usize,
  values: usize,
  form: u32,
  low: i32,
  n: i32,
  escaped: usize,
): i32 {
  let escapes = 0;
  for (let i = 0; i < n; i++) {
    if (!take(load<u64>(values + ((<usize>i) << 3)), form, low)) {
      store<u32>(escaped + ((<usize>escapes) << 2), i);
      escapes++;
      continue;
    }
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    addSum(slot, size, shift, negative);
    addProduct(slot + MOMENT_SQUARES, size, size, shift << 1, 0);
  }
  return escapes;
}

/** As {@link addMoments}, of pairs: both are 0 where one is null, and both escape where one does. */
export function addPairs(
  lane: usize,
  offsets: usize,
  x: usize,
  xForm: u32,
  xLow: i32,
  y: usize,
  yForm: u32,
  yLow: i32,
  n: i32,
  escaped: usize,
): i32 {
  let escapes = 0;
  for (let i = 0; i < n; i++) {
    const fits = take(load<u64>(x + ((<usize>i) << 3)), xForm, xLow);
    const xSize = size;
    const xShift = shift;
    const xNegative = negative;
    if (!fits || !take(load<u64>(y + ((<usize>i) << 3)), yForm, yLow)) {
      store<u32>(escaped + ((<usize>escapes) << 2), i);
      escapes++;
      continue;
    }
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    addSum(slot, xSize, xShift, xNegative);
    addProduct(slot + MOMENT_SQUARES, xSize, xSize, xShift << 1, 0);
    addSum(slot + MOMENT_SIZE, size, shift, negative);
    addProduct(slot + MOMENT_SIZE + MOMENT_SQUARES, size, size, shift << 1, 0);
    addProduct(slot + PAIR_PRODUCTS, xSize, size, xShift + shift, xNegative ^ negative);
  }
  return escapes;
}

/** The rows that have both of two values, as bits. */
export function bothValid(a: usize, aBit: u32, b: usize, bBit: u32, n: i32, out: usize): void {
  memory.fill(out, 0, (n + 7) >> 3);
  for (let i = 0; i < n; i++) {
    const one = aBit + i;
    const other = bBit + i;
    const first = a == 0 ? 1 : (load<u8>(a + (one >> 3)) >> <u8>(one & 7)) & 1;
    const second = b == 0 ? 1 : (load<u8>(b + (other >> 3)) >> <u8>(other & 7)) & 1;
    const byte = out + (i >> 3);
    store<u8>(byte, load<u8>(byte) | ((first & second) << (<u8>(i & 7))));
  }
}

/** The rows that have a text, as bits: those whose code is not 0. */
export function validCodes(codes: usize, n: i32, out: usize): void {
  memory.fill(out, 0, (n + 7) >> 3);
  for (let i = 0; i < n; i++) {
    const byte = out + (i >> 3);
    const there = <u8>(load<u64>(codes + ((<usize>i) << 3)) != 0);
    store<u8>(byte, load<u8>(byte) | (there << (<u8>(i & 7))));
  }
}
