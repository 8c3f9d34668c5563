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
import { hasTag, named, slotOf } from './slots';
import { touch, touchRecords } from './touch';

// Slots hold the numbers of groups. The key words stand in a group's record, beside the states that the row is folded into. (Slots
// of 16 bytes with the word in them took as long as slots of 8 without, and twice the memory.)

/** Fold, multiply, fold: the top bits index the slots, because they depend on every bit of the word; the low ones are the tag. */
function hashWord(word: u64): u64 {
  const folded = (word ^ (word >> 32)) * 0x9e3779b97f4a7c15;
  return folded ^ (folded >> 32);
}

/**
 * Finds or makes the group of each row by its key, of TABLE_WORDS words that lie `wordStride` bytes apart; writes record offsets. Returns
 * rows done: fewer than n when the table is full. First each row is looked for at its home; then those that are not there are
 * searched for: new groups, and keys that are further away. `room` holds 4 bytes a row.
 */
export function probe(table: usize, words: usize, wordStride: u32, offsets: usize, n: i32, room: usize): i32 {
  const groups = load<u32>(table, TABLE_GROUPS);
  const isFar = groups * load<u32>(table, TABLE_STRIDE) > <u32>NEAR;
  const isOne = load<u32>(table, TABLE_WORDS) == 1;
  let missed = n;
  if (groups == 0) for (let i = 0; i < n; i++) store<u32>(room + ((<usize>i) << 2), i);
  else if (isOne && !isFar) missed = lookUpNear(table, words, offsets, n, room);
  else missed = lookUp(table, words, wordStride, offsets, n, room, isOne, isFar);
  return search(table, words, wordStride, offsets, n, room, missed);
}

/**
 * Looks at the homes of one word, in one pass: writes the offset of what is there, and lists the rows at `misses` whose key that has
 * not. Returns how many. (2,000,000 rows of 12 groups, CPU of the fold by turns, three passes and one:
 * 17.7 and 15.1 ms.)
 */
function lookUpNear(table: usize, words: usize, offsets: usize, n: i32, misses: usize): i32 {
  const homes = load<u32>(table, TABLE_SLOTS);
  const shift = <u64>load<u32>(table, TABLE_SHIFT);
  const mask = load<u32>(table, TABLE_MASK);
  const stride = load<u32>(table, TABLE_STRIDE);
  const records = load<u32>(table, TABLE_RECORDS);
  let missed = 0;
  for (let i = 0; i < n; i++) {
    const word = load<u64>(words + ((<usize>i) << 3));
    const hash = hashWord(word);
    const number = named(load<u64>(<usize>(homes + ((<u32>(hash >> shift)) << 3))), <u32>hash, mask);
    const offset = offsetOf(number, stride);
    store<u32>(offsets + ((<usize>i) << 2), offset);
    store<u32>(misses + ((<usize>missed) << 2), i);
    missed += <i32>(load<u64>(<usize>(records + offset)) != word);
  }
  return missed;
}

/** Where the record of a group is: of none, the first record, whose key is not the row's, or is by right. */
function offsetOf(number: u32, stride: u32): u32 {
  return (number - <u32>(number != 0)) * stride;
}

/**
 * As {@link lookUpNear}, in three passes, none with a branch, so that the loads of many rows wait for memory at the same time: each row's home;
 * the record that it names; and whether that has the row's key. (Of six keys in four words a row took 69 ns in one pass with
 * branches, 38 in these.)
 */
function lookUp(
  table: usize,
  words: usize,
  wordStride: u32,
  offsets: usize,
  n: i32,
  room: usize,
  isOne: bool,
  isFar: bool,
): i32 {
  if (isOne) homesOfWord(table, words, offsets, n, room);
  else homesOfWords(table, words, wordStride, offsets, n, room);
  if (isFar) touch(offsets, n, 0);
  recordsOf(table, offsets, n, room);
  if (isFar) touchRecords(offsets, n, 0, load<u32>(table, TABLE_STRIDE));
  return isOne
    ? missesOfWord(table, words, offsets, n, room)
    : missesOfWords(table, words, wordStride, offsets, n, room);
}

/** Writes the address of each row's home, and the lower half of its hash, which has the tag. */
function homesOfWord(table: usize, words: usize, homes: usize, n: i32, hashes: usize): void {
  const first = load<u32>(table, TABLE_SLOTS);
  const shift = <u64>load<u32>(table, TABLE_SHIFT);
  for (let i = 0; i < n; i++) {
    const hash = hashWord(load<u64>(words + ((<usize>i) << 3)));
    store<u32>(homes + ((<usize>i) << 2), first + ((<u32>(hash >> shift)) << 3));
    store<u32>(hashes + ((<usize>i) << 2), <u32>hash);
  }
}

function homesOfWords(
  table: usize,
  words: usize,
  wordStride: u32,
  homes: usize,
  n: i32,
  hashes: usize,
): void {
  const first = load<u32>(table, TABLE_SLOTS);
  const shift = <u64>load<u32>(table, TABLE_SHIFT);
  const count = load<u32>(table, TABLE_WORDS);
  for (let i = 0; i < n; i++) {
    const hash = hashWords(words + ((<usize>i) << 3), wordStride, count);
    store<u32>(homes + ((<usize>i) << 2), first + ((<u32>(hash >> shift)) << 3));
    store<u32>(hashes + ((<usize>i) << 2), <u32>hash);
  }
}

/** Puts the address of the record that a row's home names in the place of the home's. */
function recordsOf(table: usize, addresses: usize, n: i32, hashes: usize): void {
  const records = load<u32>(table, TABLE_RECORDS);
  const mask = load<u32>(table, TABLE_MASK);
  const stride = load<u32>(table, TABLE_STRIDE);
  for (let i = 0; i < n; i++) {
    const place = addresses + ((<usize>i) << 2);
    const number = named(load<u64>(<usize>load<u32>(place)), load<u32>(hashes + ((<usize>i) << 2)), mask);
    store<u32>(place, records + offsetOf(number, stride));
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
  const limit = load<u32>(table, TABLE_LIMIT);
  const count = load<u32>(table, TABLE_WORDS);
  let groups = load<u32>(table, TABLE_GROUPS);
  for (let m = 0; m < missed; m++) {
    const i = load<u32>(rows + ((<usize>m) << 2));
    const row = words + ((<usize>i) << 3);
    const hash = hashWords(row, wordStride, count);
    let at = (<u32>(hash >> shift)) << 1;
    let offset: u32 = 0;
    while (true) {
      const slot = slots + ((<usize>at) << 2);
      const entry = load<u32>(slot);
      if (entry == 0) {
        if (groups == limit) {
          store<u32>(table, groups, TABLE_GROUPS);
          return i;
        }
        offset = groups * stride;
        for (let w: u32 = 0; w < count; w++) {
          store<u64>(records + offset + ((<usize>w) << 3), load<u64>(row + <usize>w * wordStride));
        }
        store<u32>(slot, slotOf(++groups, <u32>hash, mask));
        break;
      }
      if (hasTag(entry, <u32>hash, mask)) {
        offset = ((entry & mask) - 1) * stride;
        if (isSame(records + offset, row, wordStride, count)) break;
      }
      at = (at + 1) & mask;
    }
    store<u32>(offsets + ((<usize>i) << 2), offset);
  }
  store<u32>(table, groups, TABLE_GROUPS);
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
  const count = load<u32>(table, TABLE_WORDS);
  const groups = load<u32>(table, TABLE_GROUPS);
  let record = <usize>load<u32>(table, TABLE_RECORDS);
  for (let number: u32 = 1; number <= groups; number++, record += stride) {
    heed(<i32>number);
    const hash = hashWords(record, 8, count);
    let at = (<u32>(hash >> shift)) << 1;
    while (load<u32>(slots + ((<usize>at) << 2)) != 0) at = (at + 1) & mask;
    store<u32>(slots + ((<usize>at) << 2), slotOf(number, <u32>hash, mask));
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
