import {
  ENTRY_SIZE,
  KIND_I8,
  KIND_I16,
  KIND_I32,
  KIND_I64,
  KIND_U16,
  KIND_U32,
  KIND_U64,
  POOL_ENTRIES,
} from './layout';
import { compareEntries } from './text';

/**
 * Keeps the greatest encoded word of each group; with `flip` all ones the least, kept complemented. 0 is the identity in both cases:
 * whether a group has any value is known from its counts. Integers are encoded here, as they lie; all else comes encoded, as KIND_U64.
 */
export function maxWord(
  lane: usize,
  offsets: usize,
  kind: i32,
  values: usize,
  flip: u64,
  validity: usize,
  bit: u32,
  n: i32,
): void {
  // the order of unsigned words is that of signed numbers with the sign bit flipped
  const turn = flip ^ (kind <= KIND_I64 ? <u64>i64.MIN_VALUE : 0);
  if (kind == KIND_I64 || kind == KIND_U64) maxAs<i64>(lane, offsets, values, turn, validity, bit, n);
  else if (kind == KIND_I32) maxAs<i32>(lane, offsets, values, turn, validity, bit, n);
  else if (kind == KIND_I16) maxAs<i16>(lane, offsets, values, turn, validity, bit, n);
  else if (kind == KIND_I8) maxAs<i8>(lane, offsets, values, turn, validity, bit, n);
  else if (kind == KIND_U32) maxAs<u32>(lane, offsets, values, turn, validity, bit, n);
  else if (kind == KIND_U16) maxAs<u16>(lane, offsets, values, turn, validity, bit, n);
  else maxAs<u8>(lane, offsets, values, turn, validity, bit, n);
}

function maxAs<T>(
  lane: usize,
  offsets: usize,
  values: usize,
  turn: u64,
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
    const word = <u64>(<i64>load<T>(values + <usize>i * sizeof<T>())) ^ turn;
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
