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

const LIMB: u64 = 0xffffffff;

/** Adds a value to a sum. */
export function addSum(limbs: usize, rest: usize, value: u64, up: u64, sign: u64): void {
  const low = ((value << up) ^ sign) - sign;
  const carry = sign & <u64>(low == 0);
  const high = ((up == 0 ? 0 : value >> (64 - up)) ^ sign) + (carry & 1);
  store<u64>(rest, load<u64>(rest) + (low & LIMB));
  store<u64>(limbs, load<u64>(limbs) + (low >> 32));
  store<u64>(limbs, load<u64>(limbs, 8) + (high & LIMB), 8);
  store<i64>(rest, load<i64>(rest, 8) + (<i64>high >> 32), 8);
}

/** Adds x * y * 2^up to a sum of products, or takes it away. */
export function addProduct(limbs: usize, rest: usize, x: u64, y: u64, up: u64, sign: u64): void {
  const xLow = x & LIMB;
  const xHigh = x >> 32;
  const yLow = y & LIMB;
  const yHigh = y >> 32;
  const lows = xLow * yLow;
  const cross = xHigh * yLow + (lows >> 32); // below 2^64
  const middle = xLow * yHigh + (cross & LIMB);
  let low = (middle << 32) | (lows & LIMB);
  let high = xHigh * yHigh + (cross >> 32) + (middle >> 32);
  let top: u64 = 0;
  let over: u64 = 0;
  if (up >= 64) {
    const by = up - 64;
    over = by == 0 ? 0 : high >> (64 - by);
    top = by == 0 ? high : (high << by) | (low >> (64 - by));
    high = low << by;
    low = 0;
  } else if (up != 0) {
    top = high >> (64 - up);
    high = (high << up) | (low >> (64 - up));
    low <<= up;
  }
  if (sign) {
    low = 0 - low;
    let carry = <u64>(low == 0);
    high = ~high + carry;
    carry &= <u64>(high == 0);
    top = ~top + carry;
    carry &= <u64>(top == 0);
    over = ~over + carry;
  }
  const fraction = load<u64>(rest);
  const total = fraction + low;
  store<u64>(rest, total);
  store<u64>(limbs, load<u64>(limbs) + (high & LIMB) + <u64>(total < fraction));
  store<u64>(limbs, load<u64>(limbs, 8) + (high >> 32), 8);
  store<u64>(limbs, load<u64>(limbs, 16) + (top & LIMB), 16);
  store<u64>(limbs, load<u64>(limbs, 24) + (top >> 32), 24);
  store<u64>(rest, load<u64>(rest, 8) + over, 8);
}
