import { setPair } from './pair';

// Whole numbers of WIDE limbs of 32 bits: a product of two sums of 128 bits has 8, n times a sum of squares 9, and one more is for
// what a sum carries.

const WIDE: i32 = 10;

/** The size of a number of `words` words of 64 bits, as limbs. Returns whether it is below 0. */
export function sizeOf(from: usize, words: i32, out: usize): bool {
  const negative = load<i64>(from + ((<usize>(words - 1)) << 3)) < 0;
  const flip: u64 = negative ? u64.MAX_VALUE : 0;
  let carry = <u64>negative;
  for (let w = 0; w < words; w++) {
    const word = (load<u64>(from + ((<usize>w) << 3)) ^ flip) + carry;
    if (word != 0) carry = 0;
    store<u64>(out + ((<usize>w) << 3), word);
  }
  return negative;
}

/** out = a * b; a and b have at most na and nb limbs, out na + nb, the rest of WIDE zeros. */
export function multiply(a: usize, na: i32, b: usize, nb: i32, out: usize): void {
  for (let i = 0; i < WIDE; i += 2) store<u64>(out + ((<usize>i) << 2), 0);
  // most numbers are far shorter than the longest
  while (na > 0 && load<u32>(a + ((<usize>(na - 1)) << 2)) == 0) na--;
  while (nb > 0 && load<u32>(b + ((<usize>(nb - 1)) << 2)) == 0) nb--;
  for (let i = 0; i < na; i++) {
    const factor = <u64>load<u32>(a + ((<usize>i) << 2));
    let carry: u64 = 0;
    let at = out + ((<usize>i) << 2);
    for (let j = 0; j < nb; j++, at += 4) {
      const total = factor * <u64>load<u32>(b + ((<usize>j) << 2)) + <u64>load<u32>(at) + carry;
      store<u32>(at, <u32>total);
      carry = total >> 32;
    }
    store<u32>(at, <u32>carry);
  }
}

/** out = |a - b|, or a + b where the signs differ. Returns whether a - b is below 0, for a and b of these signs. */
export function difference(a: usize, aNegative: bool, b: usize, bNegative: bool, out: usize): bool {
  if (aNegative != bNegative) {
    let carry: u64 = 0;
    for (let i = 0; i < WIDE; i++) {
      const at = (<usize>i) << 2;
      const total = <u64>load<u32>(a + at) + <u64>load<u32>(b + at) + carry;
      store<u32>(out + at, <u32>total);
      carry = total >> 32;
    }
    return aNegative;
  }
  let top = WIDE - 1;
  while (top > 0 && load<u32>(a + ((<usize>top) << 2)) == load<u32>(b + ((<usize>top) << 2))) top--;
  const less = load<u32>(a + ((<usize>top) << 2)) < load<u32>(b + ((<usize>top) << 2));
  const more = less ? b : a;
  const fewer = less ? a : b;
  let borrow: i64 = 0;
  for (let i = 0; i < WIDE; i++) {
    const at = (<usize>i) << 2;
    const total = <i64>load<u32>(more + at) - <i64>load<u32>(fewer + at) + borrow;
    store<u32>(out + at, <u32>total);
    borrow = total >> 32;
  }
  return less != aNegative;
}

function powerOfTwo(exponent: i32): f64 {
  return reinterpret<f64>((<u64>(exponent + 1023)) << 52);
}

/** The first 106 bits of limbs as a pair; 0 where all are 0. */
export function toPair(limbs: usize): void {
  let top = WIDE - 1;
  while (top > 0 && load<u32>(limbs + ((<usize>top) << 2)) == 0) top--;
  const head = load<u32>(limbs + ((<usize>top) << 2));
  if (head == 0) {
    setPair(0, 0);
    return;
  }
  const up = <u64>clz(head);
  // 128 bits from the highest set one on
  let first = ((<u64>head) << 32) | limb(limbs, top - 1);
  let second = (limb(limbs, top - 2) << 32) | limb(limbs, top - 3);
  if (up != 0) {
    first = (first << up) | (second >> (64 - up));
    second = (second << up) | (limb(limbs, top - 4) >> (32 - up));
  }
  const exponent = ((top + 1) << 5) - <i32>up;
  setPair(
    <f64>(first >> 11) * powerOfTwo(exponent - 53),
    <f64>(((first & 0x7ff) << 42) | (second >> 22)) * powerOfTwo(exponent - 106),
  );
}

function limb(limbs: usize, index: i32): u64 {
  return index < 0 ? 0 : <u64>load<u32>(limbs + ((<usize>index) << 2));
}
