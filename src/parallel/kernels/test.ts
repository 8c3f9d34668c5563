import { rowsFrom } from './bits';
import {
  BOUND_ABOVE,
  BOUND_BELOW,
  BOUND_EQUAL,
  ENTRY_BYTES,
  ENTRY_HEAD,
  ENTRY_LENGTH,
  ENTRY_SIZE,
  KIND_BIT,
  KIND_F32,
  KIND_I64,
  RANGE_LEAST,
  RANGE_SIZE,
  RANGE_SPAN,
} from './layout';
import { encodeFloat } from './load';
import { compareBytes, orderWord } from './text';

/**
 * Sets the bits (see bits.ts) of the rows whose value, widened, lies in one of `count` ranges of encoded words. The ranges
 * ascend and do not touch. Null rows are as their slots are.
 */
export function testWords(kind: i32, wide: usize, ranges: usize, count: i32, out: usize, n: i32): void {
  const float = kind >= KIND_F32 && kind != KIND_BIT;
  const flip: u64 = kind <= KIND_I64 ? <u64>i64.MIN_VALUE : 0;
  if (count > FEW) {
    for (let i = 0; i < n; i += 64) {
      const end = min(64, n - i);
      let word: u64 = 0;
      for (let j = 0; j < end; j++) {
        const at = wide + ((<usize>(i + j)) << 3);
        const value = float ? encodeFloat(load<f64>(at)) : load<u64>(at) ^ flip;
        word |= (<u64>isWithin(value, ranges, count)) << j;
      }
      store<u64>(out + (i >> 3), word);
    }
    return;
  }
  for (let r = 0; r < count; r++) {
    const range = ranges + <usize>r * RANGE_SIZE;
    const least = load<u64>(range, RANGE_LEAST) ^ flip;
    const span = load<u64>(range, RANGE_SPAN);
    if (float) testFloats(wide, least, span, r > 0, out, n);
    else testIntegers(wide, least, span, r > 0, out, n);
  }
}

/** Up to so many ranges are tried one after the other: a pass takes 0.44 ns a row, a search among 8 takes 3.7. */
const FEW = 8;

/** Whether a word lies in the last range that does not begin above it. */
function isWithin(word: u64, ranges: usize, count: i32): bool {
  let below = 0;
  let end = count;
  while (end - below > 1) {
    const middle = (below + end) >> 1;
    if (load<u64>(ranges + <usize>middle * RANGE_SIZE, RANGE_LEAST) <= word) below = middle;
    else end = middle;
  }
  const range = ranges + <usize>below * RANGE_SIZE;
  return word - load<u64>(range, RANGE_LEAST) <= load<u64>(range, RANGE_SPAN);
}

// A word lies in a range where word - least <= span, unsigned and modulo 2^64: so the least word may be given encoded or as
// the values lie. There is a signed comparison of two words only, so both sides are moved by 2^63.

function testIntegers(wide: usize, least: u64, span: u64, adds: bool, out: usize, n: i32): void {
  const base = i64x2.splat(<i64>least ^ i64.MIN_VALUE);
  const limit = i64x2.splat(<i64>span ^ i64.MIN_VALUE);
  for (let i = 0; i < n; i += 64) {
    const end = min(64, n - i);
    let beyond: u64 = 0;
    for (let j = 0; j < end; j += 2) {
      const x = v128.load(wide + ((<usize>(i + j)) << 3));
      beyond |= (<u64>i64x2.bitmask(i64x2.gt_s(i64x2.sub(x, base), limit))) << j;
    }
    put(out, i, ~beyond, adds, n);
  }
}

function testFloats(wide: usize, least: u64, span: u64, adds: bool, out: usize, n: i32): void {
  const base = i64x2.splat(<i64>least ^ i64.MIN_VALUE);
  const limit = i64x2.splat(<i64>span ^ i64.MIN_VALUE);
  const sign = i64x2.splat(i64.MIN_VALUE);
  const zeros = f64x2.splat(0);
  const nan = i64x2.splat(<i64>encodeFloat(NaN));
  for (let i = 0; i < n; i += 64) {
    const end = min(64, n - i);
    let beyond: u64 = 0;
    for (let j = 0; j < end; j += 2) {
      // two values encoded at once; see encodeFloat
      const x = v128.load(wide + ((<usize>(i + j)) << 3));
      const bits = f64x2.add(x, zeros);
      const ordered = v128.xor(bits, v128.or(i64x2.shr_s(bits, 63), sign));
      const word = v128.bitselect(nan, ordered, f64x2.ne(x, x));
      beyond |= (<u64>i64x2.bitmask(i64x2.gt_s(i64x2.sub(word, base), limit))) << j;
    }
    put(out, i, ~beyond, adds, n);
  }
}

function put(out: usize, i: i32, word: u64, adds: bool, n: i32): void {
  const at = out + (i >> 3);
  const rows = word & rowsFrom(i, n);
  store<u64>(at, adds ? load<u64>(at) | rows : rows);
}

/**
 * Sets the bits of the rows whose text (where `spans` say) stands to `count` ascending bounds, laid out as a pool's entries,
 * as `wanted` says: BOUND_EQUAL to one of them, BOUND_BELOW all that are not, or BOUND_ABOVE the first. Null rows are not set.
 */
export function testTexts(spans: usize, bounds: usize, count: i32, wanted: u32, out: usize, n: i32): void {
  for (let i = 0; i < n; i += 64) {
    const end = min(64, n - i);
    let word: u64 = 0;
    for (let j = 0; j < end; j++) {
      const span = load<u64>(spans + ((<usize>(i + j)) << 3));
      const bytes = <usize>(span & 0xffffffff);
      if (bytes == 0) continue;
      const place = placeOf(bytes, <u32>(span >> 32), bounds, count);
      word |= (<u64>((wanted & place) != 0)) << j;
    }
    store<u64>(out + (i >> 3), word);
  }
}

function placeOf(bytes: usize, length: u32, bounds: usize, count: i32): u32 {
  const head = orderWord(bytes, length);
  let above = 0;
  let end = count;
  // without a branch for the two sides, which no processor can foretell
  while (above < end) {
    const middle = (above + end) >> 1;
    const bound = bounds + <usize>middle * ENTRY_SIZE;
    const other = load<u64>(bound, ENTRY_HEAD);
    let isBelow = head < other;
    if (head == other) {
      const order = compareBytes(
        head,
        bytes,
        length,
        <usize>load<u32>(bound, ENTRY_BYTES),
        load<u32>(bound, ENTRY_LENGTH),
      );
      if (order == 0) return BOUND_EQUAL;
      isBelow = order < 0;
    }
    above = select<i32>(above, middle + 1, isBelow);
    end = select<i32>(middle, end, isBelow);
  }
  return select<u32>(BOUND_BELOW, BOUND_ABOVE, above == 0);
}

/** Sets the bits of the rows whose dictionary code (8 bytes) has its bit in `entries`, and of null rows those that `nulls` says. */
export function testCodes(
  codes: usize,
  validity: usize,
  bit: u32,
  entries: usize,
  nulls: u64,
  out: usize,
  n: i32,
): void {
  for (let i = 0; i < n; i += 64) {
    const end = min(64, n - i);
    let word: u64 = 0;
    for (let j = 0; j < end; j++) {
      const at = bit + i + j;
      if (validity != 0 && ((load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1) == 0) {
        word |= nulls << j;
        continue;
      }
      const code = load<u32>(codes + ((<usize>(i + j)) << 3));
      word |= (<u64>((load<u8>(entries + (code >> 3)) >> <u8>(code & 7)) & 1)) << j;
    }
    store<u64>(out + (i >> 3), word);
  }
}

/** The first row whose code (8 bytes) is not below `size`, null rows aside; -1 where there is none. */
export function checkCodes(codes: usize, validity: usize, bit: u32, size: u64, n: i32): i32 {
  if (n % 2 == 0 && areBelow(codes, size, n)) return -1;
  for (let i = 0; i < n; i++) {
    if (load<u64>(codes + ((<usize>i) << 3)) < size) continue;
    const at = bit + i;
    if (validity == 0 || (load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1) return i;
  }
  return -1;
}

/** Whether all of an even number of codes are from 0 to size - 1: neither they nor what is missing to the last has the sign bit. */
function areBelow(codes: usize, size: u64, n: i32): bool {
  const last = i64x2.splat(<i64>size - 1);
  let signs = i64x2.splat(0);
  for (let i = 0; i < n; i += 2) {
    const pair = v128.load(codes + ((<usize>i) << 3));
    signs = v128.or(signs, v128.or(pair, i64x2.sub(last, pair)));
  }
  return !v128.any_true(i64x2.shr_u(signs, 63));
}
