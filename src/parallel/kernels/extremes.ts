import { ENTRY_SIZE, POOL_ENTRIES } from './layout';
import { compareEntries } from './text';

/**
 * Keeps the greatest encoded word of each group; with `flip` all ones the least, kept complemented. 0 is the identity
 * in both cases: a null row's word is 0 by then, and whether a group has any value is known from its counts.
 */
export function maxWord(
  lane: usize,
  offsets: usize,
  words: usize,
  flip: u64,
  validity: usize,
  bit: u32,
  n: i32,
): void {
  for (let i = 0; i < n; i++) {
    if (validity != 0) {
      const at = bit + i;
      if (((load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1) == 0) continue;
    }
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    const word = load<u64>(words + ((<usize>i) << 3)) ^ flip;
    if (word > load<u64>(slot)) store<u64>(slot, word);
  }
}

/**
 * Keeps the greatest (or with `least` the least) text of each group: its code in the pool (id + 1) and the table it
 * belongs to. A null row has code 0.
 */
export function maxText(
  lane: usize,
  offsets: usize,
  codes: usize,
  table: usize,
  pool: usize,
  least: bool,
  n: i32,
): void {
  const entries = <usize>load<u32>(pool, POOL_ENTRIES);
  for (let i = 0; i < n; i++) {
    const code = <u32>load<u64>(codes + ((<usize>i) << 3));
    if (code == 0) continue;
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    const kept = load<u32>(slot);
    if (kept == code) continue;
    if (kept != 0) {
      const order = compareEntries(
        entries + <usize>(code - 1) * ENTRY_SIZE,
        entries + <usize>(kept - 1) * ENTRY_SIZE,
      );
      if (least ? order >= 0 : order <= 0) continue;
    }
    store<u32>(slot, code);
    store<u32>(slot, <u32>table, 4);
  }
}
