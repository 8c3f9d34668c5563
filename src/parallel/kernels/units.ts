import { MOMENT_FLOAT, MOMENT_SIGNED } from './layout';

// Values of moments that are no whole number of steps, in units; see moments.ts.

/** A value taken apart: it is size * 2^shift units, below 0 where negative is all ones. */
export let size: u64 = 0;
export let shift: u64 = 0;
export let negative: u64 = 0;

/** The most that a mantissa of 53 bits is shifted: to 2^71 steps. */
const MOST_SHIFT = 50;

/** Takes a value apart; `low` is log2 of the unit, above -1074. False where it does not fit. */
export function take(bits: u64, form: u32, low: i32): bool {
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
  shift = 32;
  negative = form == MOMENT_SIGNED ? <u64>(<i64>bits >> 63) : 0;
  size = (bits ^ negative) - negative;
  return true;
}

/** Adds a value to 20 bytes. */
export function addSum(slot: usize, value: u64, up: u64, sign: u64): void {
  const low = (value << up) ^ sign;
  const middle = (up == 0 ? 0 : value >> (64 - up)) ^ sign;
  const a = load<u64>(slot);
  const sum = a + low;
  const total = sum + (sign & 1);
  let carry = <u64>(sum < a) | <u64>(total < sum);
  store<u64>(slot, total);
  const b = load<u64>(slot, 8);
  const next = b + middle;
  const nextTotal = next + carry;
  carry = <u64>(next < b) | <u64>(nextTotal < next);
  store<u64>(slot, nextTotal, 8);
  store<u32>(slot, load<u32>(slot, 16) + <u32>sign + <u32>carry, 16);
}

/** Adds x * y * 2^up, or takes it away, from four words. */
export function addProduct(slot: usize, x: u64, y: u64, up: u64, sign: u64): void {
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
  let over: u64 = 0;
  if (up >= 64) {
    const rest = up - 64;
    over = rest == 0 ? 0 : high >> (64 - rest);
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
  store<u64>(slot, load<u64>(slot, 24) + (over ^ sign) + carry, 24);
}
