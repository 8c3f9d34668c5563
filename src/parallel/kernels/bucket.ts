import {
  KIND_F16,
  KIND_F32,
  PIECE_EVERY,
  PIECE_FROM,
  PIECE_INVERSE,
  PIECE_SIZE,
  PIECE_SPAN,
  PIECE_START,
  PIECE_STEP,
  PIECE_WRONG,
} from './layout';
import { encodeFloat } from './load';

// Rows of which the type cannot hold the start are listed at `wrongs`: a u32 count, then their numbers, ascending.

/**
 * Makes words of encoded integers, from row `from` on, by the pieces that they lie in, which ascend: the piece's word, and
 * as many steps more as buckets lie between its beginning and the value. Returns the first row that lies in no piece, or n.
 */
export function bucketWords(
  words: usize,
  validity: usize,
  bit: u32,
  from: i32,
  n: i32,
  pieces: usize,
  count: i32,
  out: usize,
  wrongs: usize,
): i32 {
  if (count == 0) return from;
  let piece = pieces;
  let first = load<u64>(piece, PIECE_FROM);
  let span = load<u64>(piece, PIECE_SPAN);
  let every = load<u64>(piece, PIECE_EVERY);
  let inverse = load<f64>(piece, PIECE_INVERSE);
  let start = load<u64>(piece, PIECE_START);
  let step = load<u64>(piece, PIECE_STEP);
  for (let i = from; i < n; i++) {
    const slot = out + ((<usize>i) << 3);
    if (validity != 0) {
      const at = bit + i;
      if (((load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1) == 0) {
        store<u64>(slot, 0);
        continue;
      }
    }
    const word = load<u64>(words + ((<usize>i) << 3));
    let into = word - first;
    if (into > span) {
      piece = pieceOf(pieces, count, word);
      first = load<u64>(piece, PIECE_FROM);
      span = load<u64>(piece, PIECE_SPAN);
      every = load<u64>(piece, PIECE_EVERY);
      inverse = load<f64>(piece, PIECE_INVERSE);
      start = load<u64>(piece, PIECE_START);
      step = load<u64>(piece, PIECE_STEP);
      into = word - first;
      if (into > span) return i;
    }
    if (every == 0) {
      store<u64>(slot, start);
      if (load<u32>(piece, PIECE_WRONG)) list(wrongs, i);
    } else {
      store<u64>(slot, start + quotient(into, every, inverse) * step);
    }
  }
  return n;
}

/** x / every. Below 2^52 the product with the inverse is less than 1 off, so that its whole part is off by one at most. */
function quotient(x: u64, every: u64, inverse: f64): u64 {
  if (x >= 0x10000000000000) return x / every;
  // (signed conversions are one instruction, unsigned ones several)
  const near = <i64>(<f64>(<i64>x) * inverse);
  const rest = <i64>x - near * <i64>every;
  if (rest < 0) return <u64>near - 1;
  return <u64>rest >= every ? <u64>near + 1 : <u64>near;
}

/** Makes encoded values of `n` numbers of steps: `zero` where they are null. */
export function takeSteps(words: usize, validity: usize, n: i32, first: u64, step: u64, zero: u64): void {
  for (let i = 0; i < n; i++) {
    const slot = words + ((<usize>i) << 3);
    const valid = (load<u8>(validity + (i >> 3)) >> <u8>(i & 7)) & 1;
    store<u64>(slot, valid ? first + load<u64>(slot) * step : zero);
  }
}

/** The last piece that does not begin above a word; the first where all do. Without a branch, since rows may come in any order. */
function pieceOf(pieces: usize, count: i32, word: u64): usize {
  let piece = pieces;
  for (let left = count; left > 1; ) {
    const half = left >> 1;
    const middle = piece + <usize>half * PIECE_SIZE;
    piece = select<usize>(middle, piece, load<u64>(middle, PIECE_FROM) <= word);
    left -= half;
  }
  return piece;
}

function list(wrongs: usize, row: i32): void {
  const count = load<u32>(wrongs);
  store<u32>(wrongs + ((<usize>count) << 2), row, 4);
  store<u32>(wrongs, count + 1);
}

/** Replaces floats, as doubles, by the encoded starts of their buckets: each step in doubles, the last in the type of `kind`. */
export function bucketFloats(
  kind: i32,
  values: usize,
  validity: usize,
  bit: u32,
  n: i32,
  width: f64,
  offset: f64,
  out: usize,
  wrongs: usize,
): void {
  for (let i = 0; i < n; i++) {
    const value = load<f64>(values + ((<usize>i) << 3));
    let start = floor((value - offset) / width) * width + offset;
    if (kind == KIND_F32) start = <f64>(<f32>start);
    else if (kind == KIND_F16) start = roundHalf(start);
    store<u64>(out + ((<usize>i) << 3), encodeFloat(start));
    if (isReal(start) || !isReal(value)) continue;
    if (validity != 0) {
      const at = bit + i;
      if (((load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1) == 0) continue;
    }
    list(wrongs, i);
  }
}

/** The half float nearest to a double, ties to even; beyond the range an infinity. */
function roundHalf(x: f64): f64 {
  if (x == 0 || !isReal(x)) return x;
  const size = abs(x);
  const exponent = max(-14, <i32>(reinterpret<u64>(size) >> 52) - 1023);
  if (exponent > 15) return copysign(Infinity, x);
  const step = reinterpret<f64>((<u64>(exponent - 10 + 1023)) << 52);
  // adding and taking away 2^52 rounds a number below it to a whole one, ties to even
  const rounded = (size / step + 4503599627370496.0 - 4503599627370496.0) * step;
  return copysign(rounded > 65504 ? Infinity : rounded, x);
}

function isReal(x: f64): bool {
  return x - x == 0;
}
