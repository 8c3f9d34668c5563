import { wideSlot } from './groups';
import {
  NEAR,
  TABLE_GROUPS,
  TABLE_RECORDS,
  TABLE_WIDES,
  WIDE_ADDED,
  WIDE_COUNT,
  WIDE_END,
  WIDE_FLAGS,
  WIDE_LIMBS,
  WIDE_NAN,
  WIDE_NEGATIVE,
  WIDE_NEXT,
  WIDE_POSITIVE,
  WIDE_SIZE,
  WIDES_NEAR,
} from './layout';
import { touch } from './touch';

// A wide sum is a fixed-point number that spans every double: limb j counts multiples of 2^(32 j - 1074). A limb holds
// 32 bits of weight in a signed 64-bit word, so 2^30 additions fit before carries must be carried on.
// The idea is Kulisch's long accumulator; limbs with head room as in Neal's superaccumulator.

/** Adds a double, exactly. */
export function wideAdd(wide: usize, x: f64): void {
  const bits = reinterpret<u64>(x);
  const exponent = <u32>(bits >> 52) & 0x7ff;
  if (exponent == 0x7ff) {
    const flag = x != x ? WIDE_NAN : x > 0 ? WIDE_POSITIVE : WIDE_NEGATIVE;
    store<u32>(wide, load<u32>(wide, WIDE_FLAGS) | flag, WIDE_FLAGS);
    return;
  }
  const mantissa = (bits & 0xfffffffffffff) | (exponent == 0 ? 0 : 0x10000000000000);
  const position = exponent == 0 ? 0 : exponent - 1;
  const limb = wide + WIDE_LIMBS + ((<usize>(position >> 5)) << 3);
  const shift = <u64>(position & 31);
  const low = (mantissa & 0xffffffff) << shift; // below 2^64
  const high = (mantissa >> 32) << shift; // below 2^53, weight 2^32
  const a = <i64>(low & 0xffffffff);
  const b = <i64>(low >> 32) + <i64>(high & 0xffffffff);
  const c = <i64>(high >> 32);
  if (<i64>bits < 0) {
    store<i64>(limb, load<i64>(limb) - a);
    store<i64>(limb, load<i64>(limb, 8) - b, 8);
    store<i64>(limb, load<i64>(limb, 16) - c, 16);
  } else {
    store<i64>(limb, load<i64>(limb) + a);
    store<i64>(limb, load<i64>(limb, 8) + b, 8);
    store<i64>(limb, load<i64>(limb, 16) + c, 16);
  }
  const added = load<u32>(wide, WIDE_ADDED) + 1;
  store<u32>(wide, added, WIDE_ADDED);
  if (added >= 0x20000000) wideCarry(wide);
}

/** Carries on: every limb but the last becomes 0 .. 2^32 - 1, the last takes the sign. */
function wideCarry(wide: usize): void {
  let carry: i64 = 0;
  const last = wide + WIDE_LIMBS + ((WIDE_COUNT - 1) << 3);
  for (let limb = wide + WIDE_LIMBS; limb < last; limb += 8) {
    const value = load<i64>(limb) + carry;
    store<i64>(limb, value & 0xffffffff);
    carry = value >> 32;
  }
  store<i64>(last, load<i64>(last) + carry);
  store<u32>(wide, 1, WIDE_ADDED);
}

/** Adds the wide sum `other` to `wide`. */
export function wideMerge(wide: usize, other: usize): void {
  wideCarry(wide);
  wideCarry(other);
  store<u32>(wide, load<u32>(wide, WIDE_FLAGS) | load<u32>(other, WIDE_FLAGS), WIDE_FLAGS);
  for (let i = 0; i < WIDE_COUNT; i++) {
    const at = <usize>WIDE_LIMBS + ((<usize>i) << 3);
    store<i64>(wide + at, load<i64>(wide + at) + load<i64>(other + at));
  }
  store<u32>(wide, 2, WIDE_ADDED);
}

/** The sum, rounded once to nearest, ties to even. Carries on, and else leaves the sum as it is. */
export function wideRound(wide: usize): f64 {
  const flags = load<u32>(wide, WIDE_FLAGS);
  if (flags != 0) {
    if (flags == WIDE_POSITIVE) return f64.POSITIVE_INFINITY;
    if (flags == WIDE_NEGATIVE) return f64.NEGATIVE_INFINITY;
    return reinterpret<f64>(<u64>0x7ff8000000000000);
  }
  wideCarry(wide);
  const limbs = wide + WIDE_LIMBS;
  const negative = load<i64>(limbs, (WIDE_COUNT - 1) << 3) < 0;
  if (negative) wideNegate(limbs);
  const rounded = roundMagnitude(limbs);
  if (negative) wideNegate(limbs);
  return negative ? -rounded : rounded;
}

function wideNegate(limbs: usize): void {
  let carry: i64 = 0;
  for (let i = 0; i < WIDE_COUNT - 1; i++) {
    const limb = limbs + ((<usize>i) << 3);
    const value = carry - load<i64>(limb);
    store<i64>(limb, value & 0xffffffff);
    carry = value >> 32;
  }
  const last = limbs + ((WIDE_COUNT - 1) << 3);
  store<i64>(last, carry - load<i64>(last));
}

/** Rounds carried, non-negative limbs. */
function roundMagnitude(limbs: usize): f64 {
  let top = WIDE_COUNT - 1;
  while (top >= 0 && load<u64>(limbs + ((<usize>top) << 3)) == 0) top--;
  if (top < 0) return 0;
  const head = load<u64>(limbs + ((<usize>top) << 3));
  const high = <i64>(63 - clz(head)) + ((<i64>top) << 5); // the highest set bit, of weight 2^(high - 1074)
  if (high <= 52) return reinterpret<f64>(bitsFrom(limbs, 0)); // below 2^53 smallest steps: the bits are the double
  const shift = high - 52;
  let mantissa = bitsFrom(limbs, shift) & 0x1fffffffffffff;
  if (bitAt(limbs, shift - 1) != 0 && ((mantissa & 1) != 0 || anyBelow(limbs, shift - 1))) mantissa++;
  const exponent = shift + 1;
  // a mantissa of 2^53 carries into the exponent by itself
  if (exponent >= 2047) return f64.POSITIVE_INFINITY;
  const bits = ((<u64>exponent) << 52) + (mantissa - 0x10000000000000);
  return reinterpret<f64>(bits);
}

/** 64 bits from bit `from` on. */
function bitsFrom(limbs: usize, from: i64): u64 {
  const index = <i32>(from >> 5);
  const shift = <u64>(from & 31);
  const low = limb(limbs, index) | (limb(limbs, index + 1) << 32);
  if (shift == 0) return low;
  return (low >> shift) | (limb(limbs, index + 2) << (64 - shift));
}

function limb(limbs: usize, index: i32): u64 {
  return index < WIDE_COUNT ? load<u64>(limbs + ((<usize>index) << 3)) : 0;
}

function bitAt(limbs: usize, bit: i64): u64 {
  return (load<u64>(limbs + ((<usize>(bit >> 5)) << 3)) >> <u64>(bit & 31)) & 1;
}

function anyBelow(limbs: usize, bit: i64): bool {
  const whole = <i32>(bit >> 5);
  for (let i = 0; i < whole; i++) if (load<u64>(limbs + ((<usize>i) << 3)) != 0) return true;
  const rest = <u64>(bit & 31);
  return (load<u64>(limbs + ((<usize>whole) << 3)) & (((<u64>1) << rest) - 1)) != 0;
}

/** Whether the wide sums of a table are too many to be near. */
export function areWidesFar(table: usize, grids: u32): bool {
  return (
    load<u32>(table, TABLE_WIDES) != 0 && load<u32>(table, TABLE_GROUPS) * grids > <u32>(NEAR / WIDE_SIZE)
  );
}

/** Brings near what wideAdd will look at of rows whose values are not between `low` and `high` in size. `room` holds 8 bytes a row. */
export function nearWides(
  table: usize,
  grid: u32,
  grids: u32,
  offsets: usize,
  values: usize,
  n: i32,
  low: f64,
  high: f64,
  room: usize,
): void {
  const records = load<u32>(table, TABLE_RECORDS);
  let count = 0;
  for (let i = 0; i < n; i++) {
    const x = load<f64>(values + ((<usize>i) << 3));
    const size = abs(x);
    const slot = wideSlot(table, records + load<u32>(offsets + ((<usize>i) << 2)), grid, grids);
    const position = max<i32>(0, (<i32>(reinterpret<u64>(x) >> 52) & 0x7ff) - 1);
    // what is not finite has no limb, and leads to one behind the last
    const limb = WIDE_LIMBS + (min<i32>(position >> 5, WIDE_COUNT - 3) << 3);
    store<u32>(room + ((<usize>count) << 2), <u32>slot);
    store<u32>(room + ((<usize>(WIDES_NEAR + count)) << 2), limb);
    count += <i32>!(size >= low && size < high);
  }
  touch(room, count, 0);
  for (let i = 0; i < count; i++) {
    const at = room + ((<usize>i) << 2);
    const wide = load<u32>(<usize>load<u32>(at));
    const limb = at + (WIDES_NEAR << 2);
    // where there is none yet, what is near already
    store<u32>(at, wide == 0 ? <u32>room : wide);
    store<u32>(limb, wide == 0 ? <u32>room : wide + load<u32>(limb));
  }
  touch(room, count, 0);
  touch(room + (WIDES_NEAR << 2), count, 0);
  touch(room + (WIDES_NEAR << 2), count, 16);
}

/**
 * The wide sum of a record, made where there is none. 0 where the worker's room for wide sums is used up, or the table
 * has no list of them yet.
 */
export function wideOf(table: usize, record: usize, grid: u32, grids: u32): usize {
  const slot = wideSlot(table, record, grid, grids);
  if (slot == 0) return 0;
  let wide = <usize>load<u32>(slot);
  if (wide != 0) return wide;
  wide = <usize>load<u32>(table, WIDE_NEXT);
  if (wide + WIDE_SIZE > <usize>load<u32>(table, WIDE_END)) return 0;
  store<u32>(table, <u32>wide + WIDE_SIZE, WIDE_NEXT);
  memory.fill(wide, 0, WIDE_SIZE);
  store<u32>(slot, <u32>wide);
  return wide;
}
