import { heed } from './heed';
import {
  NEAR,
  TABLE_GROUPS,
  TABLE_LIMIT,
  TABLE_MASK,
  TABLE_RECORDS,
  TABLE_SHIFT,
  TABLE_SLOTS,
  TABLE_STRIDE,
  TABLE_WORDS,
} from './layout';
import { after, named, twinOf } from './slots';
import { touch, touchRecords } from './touch';

// The upper half of a slot is the offset of the group's record plus 1. The key words stand in the record, beside the states that the
// row is folded into. (Slots of 16 bytes with the word in them took as long, 103 against 109 ms for 10,000,000 rows of 100,000
// int64 keys, and twice the memory.)

/** Fold, multiply, fold: the top bits index the slots, because they depend on every bit of the word; the low ones are the tag. */
function hashWord(word: u64): u64 {
  const folded = (word ^ (word >> 32)) * 0x9e3779b97f4a7c15;
  return folded ^ (folded >> 32);
}

/**
 * Finds or makes the group of each row by its key, of TABLE_WORDS words that lie `wordStride` bytes apart; writes record offsets. Returns
 * rows done: fewer than n when the table is full. Three passes, none with a branch, so that the loads of many rows wait for memory at the
 * same time: each row's slot; the record that the slot or its twin names; and whether it has the row's key. Then those that have not
 * are searched for: new groups, and keys that are further from their slot. `room` holds 4 bytes a row: tags, then rows that are
 * searched for. (Of six keys in four words a row took 69 ns in one pass with branches, 38 in these.)
 */
export function probe(table: usize, words: usize, wordStride: u32, offsets: usize, n: i32, room: usize): i32 {
  const groups = load<u32>(table, TABLE_GROUPS);
  const stride = load<u32>(table, TABLE_STRIDE);
  if (groups == 0) {
    for (let i = 0; i < n; i++) store<u32>(room + ((<usize>i) << 2), i);
    return search(table, words, wordStride, offsets, n, room, n);
  }
  const isFar = groups * stride > <u32>NEAR;
  const isOne = load<u32>(table, TABLE_WORDS) == 1;
  if (isOne) homesOfWord(table, words, offsets, n, room);
  else homesOfWords(table, words, wordStride, offsets, n, room);
  if (isFar) touch(offsets, n, 0);
  recordsOf(table, offsets, n, room);
  if (isFar) touchRecords(offsets, n, 0, stride);
  const missed = isOne
    ? missesOfWord(table, words, offsets, n, room)
    : missesOfWords(table, words, wordStride, offsets, n, room);
  return search(table, words, wordStride, offsets, n, room, missed);
}

/** Writes the address of each row's slot, and its tag. */
function homesOfWord(table: usize, words: usize, slots: usize, n: i32, tags: usize): void {
  const first = load<u32>(table, TABLE_SLOTS);
  const shift = <u64>load<u32>(table, TABLE_SHIFT);
  for (let i = 0; i < n; i++) {
    const hash = hashWord(load<u64>(words + ((<usize>i) << 3)));
    store<u32>(slots + ((<usize>i) << 2), first + ((<u32>(hash >> shift)) << 3));
    store<u32>(tags + ((<usize>i) << 2), <u32>hash);
  }
}

function homesOfWords(table: usize, words: usize, wordStride: u32, slots: usize, n: i32, tags: usize): void {
  const first = load<u32>(table, TABLE_SLOTS);
  const shift = <u64>load<u32>(table, TABLE_SHIFT);
  const count = load<u32>(table, TABLE_WORDS);
  for (let i = 0; i < n; i++) {
    const hash = hashWords(words + ((<usize>i) << 3), wordStride, count);
    store<u32>(slots + ((<usize>i) << 2), first + ((<u32>(hash >> shift)) << 3));
    store<u32>(tags + ((<usize>i) << 2), <u32>hash);
  }
}

/** Puts the address of the record that a row's slot or its twin names in the place of the slot's. */
function recordsOf(table: usize, addresses: usize, n: i32, tags: usize): void {
  const records = load<u32>(table, TABLE_RECORDS);
  for (let i = 0; i < n; i++) {
    const place = addresses + ((<usize>i) << 2);
    const slot = <usize>load<u32>(place);
    const next = named(load<u64>(slot), load<u64>(twinOf(slot)), load<u32>(tags + ((<usize>i) << 2)));
    // an empty slot leads to the first record, whose key is not the row's, or is by right
    store<u32>(place, records + next - <u32>(next != 0));
  }
}

/** Makes offsets of the records' addresses, and lists the rows whose key they have not. Returns how many. */
function missesOfWord(table: usize, words: usize, records: usize, n: i32, misses: usize): i32 {
  const first = load<u32>(table, TABLE_RECORDS);
  let missed = 0;
  for (let i = 0; i < n; i++) {
    const record = load<u32>(records + ((<usize>i) << 2));
    store<u32>(records + ((<usize>i) << 2), record - first);
    store<u32>(misses + ((<usize>missed) << 2), i);
    missed += <i32>(load<u64>(record) != load<u64>(words + ((<usize>i) << 3)));
  }
  return missed;
}

function missesOfWords(
  table: usize,
  words: usize,
  wordStride: u32,
  records: usize,
  n: i32,
  misses: usize,
): i32 {
  const first = load<u32>(table, TABLE_RECORDS);
  const count = load<u32>(table, TABLE_WORDS);
  let missed = 0;
  for (let i = 0; i < n; i++) {
    const record = load<u32>(records + ((<usize>i) << 2));
    store<u32>(records + ((<usize>i) << 2), record - first);
    store<u32>(misses + ((<usize>missed) << 2), i);
    missed += <i32>!isSame(<usize>record, words + ((<usize>i) << 3), wordStride, count);
  }
  return missed;
}

function hashWords(row: usize, wordStride: u32, count: u32): u64 {
  let hash: u64 = 0;
  for (let w: u32 = 0; w < count; w++) {
    hash = hashWord(load<u64>(row + <usize>w * wordStride) + (hash ^ (hash >> 31)));
  }
  return hash;
}

/** Whether a record has the key of a row. */
function isSame(record: usize, row: usize, wordStride: u32, count: u32): bool {
  let differs: u64 = 0;
  for (let w: u32 = 0; w < count; w++) {
    differs |= load<u64>(record + ((<usize>w) << 3)) ^ load<u64>(row + <usize>w * wordStride);
  }
  return differs == 0;
}

/** Finds or makes the groups of the rows that are listed at `rows`, in order; returns n, or the row for which the table has no room. */
function search(
  table: usize,
  words: usize,
  wordStride: u32,
  offsets: usize,
  n: i32,
  rows: usize,
  missed: i32,
): i32 {
  const slots = <usize>load<u32>(table, TABLE_SLOTS);
  const shift = <u64>load<u32>(table, TABLE_SHIFT);
  const mask = load<u32>(table, TABLE_MASK);
  const stride = load<u32>(table, TABLE_STRIDE);
  const records = <usize>load<u32>(table, TABLE_RECORDS);
  const end = load<u32>(table, TABLE_LIMIT) * stride;
  const count = load<u32>(table, TABLE_WORDS);
  let next = load<u32>(table, TABLE_GROUPS) * stride;
  for (let m = 0; m < missed; m++) {
    const i = load<u32>(rows + ((<usize>m) << 2));
    const row = words + ((<usize>i) << 3);
    const hash = hashWords(row, wordStride, count);
    const tag = hash & 0xffffffff;
    const home = <u32>(hash >> shift);
    let at = home;
    let offset: u32 = 0;
    while (true) {
      const slot = slots + ((<usize>at) << 3);
      const entry = load<u64>(slot);
      if (entry == 0) {
        if (next == end) {
          store<u32>(table, next / stride, TABLE_GROUPS);
          return i;
        }
        offset = next;
        next += stride;
        for (let w: u32 = 0; w < count; w++) {
          store<u64>(records + offset + ((<usize>w) << 3), load<u64>(row + <usize>w * wordStride));
        }
        store<u64>(slot, tag | ((<u64>offset + 1) << 32));
        break;
      }
      if ((entry & 0xffffffff) == tag) {
        offset = <u32>(entry >> 32) - 1;
        if (isSame(records + offset, row, wordStride, count)) break;
      }
      at = after(at, home, mask);
    }
    store<u32>(offsets + ((<usize>i) << 2), offset);
  }
  store<u32>(table, next / stride, TABLE_GROUPS);
  return n;
}

/** DENSE: the word is the id. No word is beyond the capacity, which is a power of two, all codes of the layout's bits. */
export function probeDense(table: usize, words: usize, offsets: usize, n: i32): void {
  const stride = load<u32>(table, TABLE_STRIDE);
  for (let i = 0; i < n; i++) {
    store<u32>(offsets + ((<usize>i) << 2), load<u32>(words + ((<usize>i) << 3)) * stride);
  }
  nearDense(table, offsets, n);
}

/** Brings near the records of rows, where those of a counting table are far. */
export function nearDense(table: usize, offsets: usize, n: i32): void {
  const stride = load<u32>(table, TABLE_STRIDE);
  if (load<u32>(table, TABLE_LIMIT) * stride <= <u32>NEAR) return;
  touchRecords(offsets, n, load<u32>(table, TABLE_RECORDS), stride);
}

/** Fills a fresh, zeroed slot array from the records. */
export function rehash(table: usize): void {
  const slots = <usize>load<u32>(table, TABLE_SLOTS);
  const shift = <u64>load<u32>(table, TABLE_SHIFT);
  const mask = load<u32>(table, TABLE_MASK);
  const stride = load<u32>(table, TABLE_STRIDE);
  const records = <usize>load<u32>(table, TABLE_RECORDS);
  const count = load<u32>(table, TABLE_WORDS);
  const end = load<u32>(table, TABLE_GROUPS) * stride;
  for (let offset: u32 = 0, step = 0; offset < end; offset += stride) {
    heed(step++);
    const hash = hashWords(records + offset, 8, count);
    const home = <u32>(hash >> shift);
    let at = home;
    while (load<u64>(slots + ((<usize>at) << 3)) != 0) at = after(at, home, mask);
    store<u64>(slots + ((<usize>at) << 3), (hash & 0xffffffff) | ((<u64>offset + 1) << 32));
  }
}

/** Counts the null rows of a column into a lane of their groups. */
export function countNulls(lane: usize, offsets: usize, validity: usize, bit: u32, n: i32): void {
  for (let i = 0; i < n; i++) {
    const at = bit + i;
    if ((load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1) continue;
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    store<u64>(slot, load<u64>(slot) + 1);
  }
}

/** Counts the rows whose code is 0, which stands for a null, into a lane of their groups. */
export function countZeros(lane: usize, offsets: usize, codes: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    if (load<u64>(codes + ((<usize>i) << 3)) != 0) continue;
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    store<u64>(slot, load<u64>(slot) + 1);
  }
}
