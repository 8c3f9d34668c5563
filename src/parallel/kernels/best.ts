import { REF_RECORD } from './layout';

// The `most` greatest words of a group, in descending order, and zeros where there are fewer: 0 is the least word there is, so that
// a group's first words are right whether one of them is a value or not. What is asked for the least is held complemented.

/** Keeps the words of rows, xor `flip`, in the lanes of their groups. */
export function keepBest(
  lane: usize,
  offsets: usize,
  words: usize,
  flip: u64,
  validity: usize,
  bit: u32,
  most: u32,
  n: i32,
): void {
  for (let i = 0; i < n; i++) {
    if (validity != 0) {
      const at = bit + i;
      if (((load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1) == 0) continue;
    }
    const best = lane + load<u32>(offsets + ((<usize>i) << 2));
    keepWord(best, load<u64>(words + ((<usize>i) << 3)) ^ flip, most);
  }
}

/** Puts a word where it belongs; the least falls out. Returns whether it was greater than that. */
function keepWord(best: usize, word: u64, most: u32): bool {
  let at = best + (most << 3) - 8;
  if (word <= load<u64>(at)) return false;
  for (; at > best; at -= 8) {
    const before = load<u64>(at - 8);
    if (before >= word) break;
    store<u64>(at, before);
  }
  store<u64>(at, word);
  return true;
}

/** Puts the words of one group among those of another. */
export function mergeBest(into: usize, from: usize, most: u32): void {
  for (let w: u32 = 0; w < most; w++) {
    if (!keepWord(into, load<u64>(from + (w << 3)), most)) return;
  }
}

/**
 * Writes the words of `n` groups to `out`, one behind the other, as many of each as it has values, at most `most`; where each group's end to
 * `ends`. Returns how many there are.
 */
export function finishBest(
  refs: usize,
  n: i32,
  lane: u32,
  rows: u32,
  nulls: u32,
  most: u32,
  flip: u64,
  out: usize,
  ends: usize,
): u32 {
  let to: u32 = 0;
  for (let i = 0; i < n; i++) {
    const record = <usize>load<u32>(refs + ((<usize>i) << 4), REF_RECORD);
    const taken = <u32>min<u64>(load<u64>(record + rows) - load<u64>(record + nulls), most);
    for (let w: u32 = 0; w < taken; w++, to++) {
      store<u64>(out + ((<usize>to) << 3), load<u64>(record + lane + (w << 3)) ^ flip);
    }
    store<u32>(ends + ((<usize>i) << 2), to);
  }
  return to;
}
