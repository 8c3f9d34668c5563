import { SAME, tableOf } from './compare';
import { heed } from './heed';
import {
  ENTRY_BYTES,
  ENTRY_HEAD,
  ENTRY_LENGTH,
  ENTRY_SIZE,
  POOL_COUNT,
  POOL_ENTRIES,
  REF_RECORD,
  REF_SIZE,
  REF_TABLE,
  REF_WORD,
  TABLE_HOMES,
} from './layout';

// Texts of several pools, as one: every text gets a rank, by which texts compare as numbers do.

/** Lists the texts of a pool: at `codes` their codes (8 bytes each), as records that refs lead to. Returns how many. */
export function listTexts(table: usize, pool: u32, codes: usize, refs: usize): u32 {
  const count = load<u32>(table + pool, POOL_COUNT);
  const entries = <usize>load<u32>(table + pool, POOL_ENTRIES);
  for (let i: u32 = 0; i < count; i++) {
    heed(<i32>i);
    const record = codes + ((<usize>i) << 3);
    store<u64>(record, <u64>(i + 1));
    const ref = refs + <usize>i * REF_SIZE;
    store<u64>(ref, load<u64>(entries + <usize>i * ENTRY_SIZE, ENTRY_HEAD), REF_WORD);
    store<u32>(ref, <u32>record, REF_RECORD);
    store<u32>(ref, <u32>table, REF_TABLE);
  }
  return count;
}

/**
 * Gives sorted texts their ranks, from 1: the rank of each code (u32) goes to the table's TABLE_HOMES, the entry of each rank to
 * `entries` (u32 each, the first for no text). Returns the greatest rank.
 */
export function rankTexts(refs: usize, n: u32, pool: u32, entries: usize): u32 {
  let rank: u32 = 0;
  store<u32>(entries, 0);
  for (let i: u32 = 0; i < n; i++) {
    heed(<i32>i);
    const ref = refs + <usize>i * REF_SIZE;
    const table = tableOf(ref);
    const code = <u32>load<u64>(<usize>load<u32>(ref, REF_RECORD));
    if ((load<u32>(ref, REF_TABLE) & SAME) == 0) {
      rank++;
      const entry = load<u32>(table + pool, POOL_ENTRIES) + (code - 1) * ENTRY_SIZE;
      store<u32>(entries + ((<usize>rank) << 2), entry);
    }
    store<u32>(<usize>load<u32>(table, TABLE_HOMES) + ((<usize>code) << 2), rank);
  }
  return rank;
}

/** The entries of words: ranks where there are `entriesOfRanks`, else entries already. Returns the bytes of all texts. */
export function entriesOf(words: usize, n: u32, entriesOfRanks: usize, out: usize): u64 {
  let total: u64 = 0;
  for (let i: u32 = 0; i < n; i++) {
    heed(<i32>i);
    const word = <u32>load<u64>(words + ((<usize>i) << 3));
    const entry = entriesOfRanks == 0 ? word : load<u32>(entriesOfRanks + ((<usize>word) << 2));
    if (entry != 0) total += load<u32>(<usize>entry, ENTRY_LENGTH);
    store<u32>(out + ((<usize>i) << 2), entry);
  }
  return total;
}

/** The bytes that joining the texts of `n` groups takes. */
export function joinedBytes(words: usize, starts: usize, n: i32, separator: u32): u64 {
  let total: u64 = 0;
  const from = load<u32>(starts);
  const to = load<u32>(starts + ((<usize>n) << 2));
  for (let i = from; i < to; i++) {
    heed(<i32>i);
    total += load<u32>(<usize>load<u64>(words + ((<usize>i) << 3)), ENTRY_LENGTH);
  }
  for (let i = 0; i < n; i++) {
    const count = load<u32>(starts + ((<usize>(i + 1)) << 2)) - load<u32>(starts + ((<usize>i) << 2));
    if (count > 1) total += <u64>(count - 1) * separator;
  }
  return total;
}

/** Joins the texts of each group with `length` bytes of a separator between; `offsets` takes n + 1 offsets of 4 bytes. */
export function joinTexts(
  words: usize,
  starts: usize,
  n: i32,
  separator: usize,
  length: u32,
  out: usize,
  offsets: usize,
): void {
  let to = out;
  store<u32>(offsets, 0);
  for (let i = 0; i < n; i++) {
    const first = load<u32>(starts + ((<usize>i) << 2));
    const last = load<u32>(starts + ((<usize>(i + 1)) << 2));
    for (let j = first; j < last; j++) {
      heed(<i32>j);
      if (j > first) {
        memory.copy(to, separator, length);
        to += length;
      }
      const entry = <usize>load<u64>(words + ((<usize>j) << 3));
      const bytes = load<u32>(entry, ENTRY_LENGTH);
      memory.copy(to, <usize>load<u32>(entry, ENTRY_BYTES), bytes);
      to += bytes;
    }
    store<u32>(offsets + ((<usize>(i + 1)) << 2), <u32>(to - out));
  }
}
