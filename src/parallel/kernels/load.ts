import {
  KIND_BIT,
  KIND_F16,
  KIND_F32,
  KIND_I8,
  KIND_I16,
  KIND_I32,
  KIND_I64,
  KIND_U8,
  KIND_U16,
  KIND_U32,
  KIND_U64,
} from './layout';

/**
 * Widens `n` values of a column to 8 bytes each: integers and bits to i64, floats to f64.
 * Values of 8 bytes are copied as they are.
 */
export function widen(kind: i32, source: usize, bit: u32, out: usize, n: i32): void {
  if (kind == KIND_I8) {
    for (let i = 0; i < n; i++) store<i64>(out + ((<usize>i) << 3), load<i8>(source + i));
  } else if (kind == KIND_I16) {
    for (let i = 0; i < n; i++) store<i64>(out + ((<usize>i) << 3), load<i16>(source + ((<usize>i) << 1)));
  } else if (kind == KIND_I32) {
    const whole = n & ~3;
    for (let i = 0; i < whole; i += 4) {
      const four = v128.load(source + ((<usize>i) << 2));
      v128.store(out + ((<usize>i) << 3), i64x2.extend_low_i32x4_s(four));
      v128.store(out + ((<usize>i) << 3), i64x2.extend_high_i32x4_s(four), 16);
    }
    for (let i = whole; i < n; i++) {
      store<i64>(out + ((<usize>i) << 3), load<i32>(source + ((<usize>i) << 2)));
    }
  } else if (kind == KIND_U8) {
    for (let i = 0; i < n; i++) store<i64>(out + ((<usize>i) << 3), load<u8>(source + i));
  } else if (kind == KIND_U16) {
    for (let i = 0; i < n; i++) store<i64>(out + ((<usize>i) << 3), load<u16>(source + ((<usize>i) << 1)));
  } else if (kind == KIND_U32) {
    for (let i = 0; i < n; i++) store<i64>(out + ((<usize>i) << 3), load<u32>(source + ((<usize>i) << 2)));
  } else if (kind == KIND_F32) {
    for (let i = 0; i < n; i++) store<f64>(out + ((<usize>i) << 3), load<f32>(source + ((<usize>i) << 2)));
  } else if (kind == KIND_F16) {
    for (let i = 0; i < n; i++)
      store<f64>(out + ((<usize>i) << 3), widenHalf(load<u16>(source + ((<usize>i) << 1))));
  } else if (kind == KIND_BIT) {
    for (let i = 0; i < n; i++) {
      const at = bit + i;
      store<i64>(out + ((<usize>i) << 3), (load<u8>(source + (at >> 3)) >> <u8>(at & 7)) & 1);
    }
  } else {
    memory.copy(out, source, (<usize>n) << 3);
  }
}

/** Sets the slots of null rows to 0, which every state takes as "nothing". Returns how many rows are null. */
export function zeroNulls(values: usize, validity: usize, bit: u32, n: i32): i32 {
  let nulls = 0;
  for (let i = 0; i < n; i++) {
    const at = bit + i;
    const valid = (load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1;
    const slot = values + ((<usize>i) << 3);
    store<i64>(slot, load<i64>(slot) & -(<i64>valid));
    nulls += 1 - <i32>valid;
  }
  return nulls;
}

/**
 * Encodes widened values so that the unsigned order of the words is the order of keys.
 * Signed integers: the sign bit flipped. Floats: negative ones complemented, others with the sign bit set, after -0
 * became +0 and every NaN the positive quiet one, which thus stands above +Infinity.
 */
export function encode(kind: i32, wide: usize, out: usize, n: i32): void {
  if (kind <= KIND_I64) {
    const sign = i64x2.splat(i64.MIN_VALUE);
    let i = 0;
    for (; i + 2 <= n; i += 2)
      v128.store(out + ((<usize>i) << 3), v128.xor(v128.load(wide + ((<usize>i) << 3)), sign));
    for (; i < n; i++)
      store<i64>(out + ((<usize>i) << 3), load<i64>(wide + ((<usize>i) << 3)) ^ i64.MIN_VALUE);
  } else if (kind < KIND_F32 || kind == KIND_BIT) {
    if (out != wide) memory.copy(out, wide, (<usize>n) << 3);
  } else {
    for (let i = 0; i < n; i++) {
      const x = load<f64>(wide + ((<usize>i) << 3));
      store<u64>(out + ((<usize>i) << 3), encodeFloat(x));
    }
  }
}

/** As {@link encode}, of floats, but -0 stays -0: its word is that of +0 less 1. */
export function encodeExact(wide: usize, out: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const x = load<f64>(wide + ((<usize>i) << 3));
    const bits = reinterpret<i64>(x);
    store<u64>(
      out + ((<usize>i) << 3),
      x != x ? 0xfff8000000000000 : <u64>(bits ^ ((bits >> 63) | i64.MIN_VALUE)),
    );
  }
}

export function encodeFloat(x: f64): u64 {
  if (x != x) return 0xfff8000000000000;
  const bits = reinterpret<i64>(x + 0.0);
  return <u64>(bits ^ ((bits >> 63) | i64.MIN_VALUE));
}

/** Turns encoded words back into values of the column's own width. The inverse of {@link widen} and {@link encode}. */
export function decode(kind: i32, words: usize, out: usize, n: i32): void {
  if (kind == KIND_I8 || kind == KIND_U8) {
    for (let i = 0; i < n; i++) store<u8>(out + i, <u8>load<u64>(words + ((<usize>i) << 3)));
  } else if (kind == KIND_I16 || kind == KIND_U16) {
    for (let i = 0; i < n; i++)
      store<u16>(out + ((<usize>i) << 1), <u16>load<u64>(words + ((<usize>i) << 3)));
  } else if (kind == KIND_I32 || kind == KIND_U32) {
    for (let i = 0; i < n; i++)
      store<u32>(out + ((<usize>i) << 2), <u32>load<u64>(words + ((<usize>i) << 3)));
  } else if (kind == KIND_I64) {
    for (let i = 0; i < n; i++) {
      store<i64>(out + ((<usize>i) << 3), load<i64>(words + ((<usize>i) << 3)) ^ i64.MIN_VALUE);
    }
  } else if (kind == KIND_F32) {
    for (let i = 0; i < n; i++)
      store<f32>(out + ((<usize>i) << 2), <f32>decodeFloat(load<u64>(words + ((<usize>i) << 3))));
  } else if (kind == KIND_F16) {
    for (let i = 0; i < n; i++) {
      store<u16>(out + ((<usize>i) << 1), narrowHalf(decodeFloat(load<u64>(words + ((<usize>i) << 3)))));
    }
  } else if (kind == KIND_BIT) {
    memory.fill(out, 0, (n + 7) >> 3);
    for (let i = 0; i < n; i++) {
      const byte = out + (i >> 3);
      store<u8>(byte, load<u8>(byte) | ((<u8>load<u64>(words + ((<usize>i) << 3))) << (<u8>(i & 7))));
    }
  } else if (kind == KIND_U64) {
    if (out != words) memory.copy(out, words, (<usize>n) << 3);
  } else {
    for (let i = 0; i < n; i++)
      store<f64>(out + ((<usize>i) << 3), decodeFloat(load<u64>(words + ((<usize>i) << 3))));
  }
}

export function decodeFloat(word: u64): f64 {
  const bits = <i64>word;
  return reinterpret<f64>(bits ^ (~(bits >> 63) | i64.MIN_VALUE));
}

/** The least and the greatest of `n` words where the row is valid; writes both to `out`. Returns the rows that are valid. */
export function extent(words: usize, validity: usize, bit: u32, n: i32, out: usize): i32 {
  let least = u64.MAX_VALUE;
  let most: u64 = 0;
  let valid = 0;
  for (let i = 0; i < n; i++) {
    if (validity != 0) {
      const at = bit + i;
      if (((load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1) == 0) continue;
    }
    const word = load<u64>(words + ((<usize>i) << 3));
    if (word < least) least = word;
    if (word > most) most = word;
    valid++;
  }
  store<u64>(out, least);
  store<u64>(out, most, 8);
  return valid;
}

/** `out[i] = table[codes[i]]`; null rows give 0. */
export function gather(codes: usize, validity: usize, bit: u32, table: usize, out: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const slot = out + ((<usize>i) << 3);
    if (validity != 0) {
      const at = bit + i;
      if (((load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1) == 0) {
        store<u64>(slot, 0);
        continue;
      }
    }
    store<u64>(slot, load<u64>(table + (load<usize>(codes + ((<usize>i) << 3)) << 3)));
  }
}

/** A half float as a double, exactly. */
function widenHalf(half: u16): f64 {
  const sign = (<u64>(half >> 15)) << 63;
  const exponent = <u64>(half >> 10) & 31;
  const fraction = <u64>half & 0x3ff;
  if (exponent == 0) {
    const size = <f64>fraction * 5.960464477539063e-8; // 2^-24
    return sign == 0 ? size : -size;
  }
  const wide = exponent == 31 ? <u64>0x7ff : exponent + 1008;
  return reinterpret<f64>(sign | (wide << 52) | (fraction << 42));
}

/** A double that was a half float as a half float again. */
function narrowHalf(x: f64): u16 {
  if (x != x) return 0x7e00;
  const bits = reinterpret<u64>(x);
  const sign = <u16>((bits >> 48) & 0x8000);
  const exponent = <i32>((bits >> 52) & 0x7ff) - 1008;
  if (exponent >= 31) return sign | 0x7c00;
  if (exponent > 0) return sign | <u16>((exponent << 10) | <i32>((bits >> 42) & 0x3ff));
  return sign | <u16>(abs(x) * 16777216); // 2^24
}

/** Turns little-endian two's complement numbers of `width` bytes into bytes that sort as they do: big-endian, the sign bit flipped. */
export function toOrderBytes(source: usize, width: u32, out: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const from = source + <usize>i * width;
    const to = out + <usize>i * width;
    for (let b: u32 = 0; b < width; b += 8) store<u64>(to + b, bswap<u64>(load<u64>(from + width - 8 - b)));
    store<u8>(to, load<u8>(to) ^ 0x80);
  }
}

/**
 * Looks dictionary codes up: copies the entry of each row, `width` bytes (0: bits), and writes the row's validity to
 * `outBits`. A row is null where its code's bit or its entry's bit says so.
 */
export function lookUp(
  codes: usize,
  validity: usize,
  bit: u32,
  entries: usize,
  width: u32,
  entryBit: u32,
  entryValidity: usize,
  entryValidityBit: u32,
  out: usize,
  outBits: usize,
  n: i32,
): void {
  memory.fill(outBits, 0, (n + 7) >> 3);
  memory.fill(out, 0, width == 0 ? <usize>((n + 7) >> 3) : <usize>n * width);
  for (let i = 0; i < n; i++) {
    if (validity != 0) {
      const at = bit + i;
      if (((load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1) == 0) continue;
    }
    const code = load<u64>(codes + ((<usize>i) << 3));
    if (entryValidity != 0) {
      const at = entryValidityBit + <u32>code;
      if (((load<u8>(entryValidity + (at >> 3)) >> <u8>(at & 7)) & 1) == 0) continue;
    }
    setBit(outBits, i, 1);
    if (width == 0) {
      const at = entryBit + <u32>code;
      setBit(out, i, (load<u8>(entries + (at >> 3)) >> <u8>(at & 7)) & 1);
    } else {
      memory.copy(out + <usize>i * width, entries + <usize>code * width, width);
    }
  }
}

function setBit(bits: usize, i: i32, value: u8): void {
  const byte = bits + (i >> 3);
  store<u8>(byte, load<u8>(byte) | (value << (<u8>(i & 7))));
}
