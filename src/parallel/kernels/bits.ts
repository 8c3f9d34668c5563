// Bitmaps of rows: row i is bit i, least significant first, in words of 64; the bits of a last word that stand for no row
// are 0, so that words can be taken whole.

/** Bits for all `n` rows: those at `bits` from bit `bit` on, or their complements where `flip`; 0: all ones. */
export function copyBits(bits: usize, bit: u32, flip: bool, out: usize, n: i32): void {
  const from = bits + (bit >> 3);
  const shift = <u64>(bit & 7);
  const mask: u64 = flip ? u64.MAX_VALUE : 0;
  for (let i = 0; i < n; i += 64) {
    let word = u64.MAX_VALUE;
    if (bits != 0) {
      // reads a few bytes behind the bitmap, which are there, and which no row stands for
      const at = from + (i >> 3);
      word = load<u64>(at) >> shift;
      if (shift != 0) word |= (<u64>load<u8>(at, 8)) << (64 - shift);
    }
    store<u64>(out + (i >> 3), (word ^ mask) & rowsFrom(i, n));
  }
}

/** Sets the bit of row `i`. */
export function setBit(bits: usize, i: i32): void {
  const byte = bits + (i >> 3);
  store<u8>(byte, load<u8>(byte) | (1 << (<u8>(i & 7))));
}

/** Whether the bit of a row is set, `at` bits behind the first. */
export function hasBit(bits: usize, at: u32): bool {
  return ((load<u8>(bits + (at >> 3)) >> <u8>(at & 7)) & 1) != 0;
}

/** The bits of a word of rows from `i` on that stand for rows below `n`. */
export function rowsFrom(i: i32, n: i32): u64 {
  return n - i >= 64 ? u64.MAX_VALUE : ((<u64>1) << (n - i)) - 1;
}

/** Where both are set; with `either` where one is. */
export function joinBits(into: usize, from: usize, either: bool, n: i32): void {
  for (let at = 0; at < n; at += 64) {
    const a = load<u64>(into + (at >> 3));
    const b = load<u64>(from + (at >> 3));
    store<u64>(into + (at >> 3), either ? a | b : a & b);
  }
}

/** Lists the rows whose bit is set, u32 each, ascending. Returns how many. */
export function listBits(bits: usize, n: i32, out: usize): i32 {
  let to = out;
  for (let i = 0; i < n; i += 64) {
    let word = load<u64>(bits + (i >> 3));
    if (word == u64.MAX_VALUE) {
      for (let j = 0; j < 64; j++) store<u32>(to + (j << 2), i + j);
      to += 256;
      continue;
    }
    for (; word != 0; word &= word - 1) {
      store<u32>(to, i + <i32>ctz(word));
      to += 4;
    }
  }
  return <i32>((to - out) >> 2);
}

/** The bits of the `count` listed rows, one behind the other. */
export function pickBits(bits: usize, bit: u32, picks: usize, count: i32, out: usize): void {
  for (let i = 0; i < count; i += 64) {
    const end = min(64, count - i);
    let word: u64 = 0;
    for (let j = 0; j < end; j++) {
      const at = bit + load<u32>(picks + ((<usize>(i + j)) << 2));
      word |= (<u64>((load<u8>(bits + (at >> 3)) >> <u8>(at & 7)) & 1)) << j;
    }
    store<u64>(out + (i >> 3), word);
  }
}
