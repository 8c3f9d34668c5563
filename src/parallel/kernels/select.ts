// Rows that a condition keeps are listed (u32 each, ascending). Rows that it does not keep are sent to a spare record behind
// the table's last one, which nobody reads: so the kernels of states know nothing of conditions.

/** Closes up the key words of `n` rows to those of the `count` listed ones, for each of `words` words, `stride` bytes apart. */
export function keepWords(words: usize, stride: u32, wordCount: u32, picks: usize, count: i32): void {
  for (let w: u32 = 0; w < wordCount; w++) {
    const base = words + <usize>w * stride;
    // picks ascend, so that no word is overwritten before it is read
    for (let i = 0; i < count; i++) {
      const row = load<u32>(picks + ((<usize>i) << 2));
      store<u64>(base + ((<usize>i) << 3), load<u64>(base + ((<usize>row) << 3)));
    }
  }
}

/** The record offsets of all `n` rows from those of the `count` listed ones, in `kept`; the others get `spare`. */
export function spreadOffsets(kept: usize, picks: usize, count: i32, spare: u32, n: i32, out: usize): void {
  for (let i = 0; i < n; i++) store<u32>(out + ((<usize>i) << 2), spare);
  for (let i = 0; i < count; i++) {
    const row = load<u32>(picks + ((<usize>i) << 2));
    store<u32>(out + ((<usize>row) << 2), load<u32>(kept + ((<usize>i) << 2)));
  }
}

/** The record offsets of `n` rows, but `spare` for those that are not listed. */
export function restrictOffsets(
  offsets: usize,
  picks: usize,
  count: i32,
  spare: u32,
  n: i32,
  out: usize,
): void {
  for (let i = 0; i < n; i++) store<u32>(out + ((<usize>i) << 2), spare);
  for (let i = 0; i < count; i++) {
    const at = (<usize>load<u32>(picks + ((<usize>i) << 2))) << 2;
    store<u32>(out + at, load<u32>(offsets + at));
  }
}

/** Counts rows into a lane of their records. */
export function countInto(lane: usize, offsets: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    store<u64>(slot, load<u64>(slot) + 1);
  }
}
