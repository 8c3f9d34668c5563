import {
  DENSE,
  REF_RECORD,
  REF_SIZE,
  REF_TABLE,
  TABLE_GROUPS,
  TABLE_KIND,
  TABLE_LIMIT,
  TABLE_MASK,
  TABLE_RECORDS,
  TABLE_ROWS,
  TABLE_SHIFT,
  TABLE_SLOTS,
  TABLE_STRIDE,
  TABLE_WORDS,
} from './layout';

// A slot of a WORD table is 16 bytes, key word and group id together, so that a probe touches one cache line (keys
// and ids in arrays of their own took 1.8 times as long). A slot of a WORDS table is 8 bytes: 32 bits of the hash and
// the id; the words are compared in the record. An id is stored plus 1: 0 is an empty slot.

/** Fold, multiply, fold: the top bits index the slots, because they depend on every bit of the word; the low ones are the tag. */
function hashWord(word: u64): u64 {
  const folded = (word ^ (word >> 32)) * 0x9e3779b97f4a7c15;
  return folded ^ (folded >> 32);
}

/** Finds or makes the group of each row; writes record offsets (id * stride). Returns rows done: fewer than n when the table is full. */
export function probeWord(table: usize, words: usize, offsets: usize, n: i32): i32 {
  const slots = <usize>load<u32>(table, TABLE_SLOTS);
  const shift = <u64>load<u32>(table, TABLE_SHIFT);
  const mask = load<u32>(table, TABLE_MASK);
  const stride = load<u32>(table, TABLE_STRIDE);
  const records = <usize>load<u32>(table, TABLE_RECORDS);
  const limit = load<u32>(table, TABLE_LIMIT);
  let groups = load<u32>(table, TABLE_GROUPS);
  let i = 0;
  for (; i < n; i++) {
    const word = load<u64>(words + ((<usize>i) << 3));
    let at = <u32>(hashWord(word) >> shift);
    let id: u32;
    while (true) {
      const slot = slots + ((<usize>at) << 4);
      id = load<u32>(slot, 8);
      if (id == 0) {
        if (groups == limit) {
          store<u32>(table, groups, TABLE_GROUPS);
          return i;
        }
        store<u64>(slot, word);
        store<u64>(records + <usize>groups * stride, word);
        id = ++groups;
        store<u32>(slot, id, 8);
        break;
      }
      if (load<u64>(slot) == word) break;
      at = (at + 1) & mask;
    }
    store<u32>(offsets + ((<usize>i) << 2), (id - 1) * stride);
  }
  store<u32>(table, groups, TABLE_GROUPS);
  return n;
}

/** As {@link probeWord}, for keys of several words, `wordStride` bytes between the words of a row. */
export function probeWords(table: usize, words: usize, wordStride: u32, offsets: usize, n: i32): i32 {
  const slots = <usize>load<u32>(table, TABLE_SLOTS);
  const shift = <u64>load<u32>(table, TABLE_SHIFT);
  const mask = load<u32>(table, TABLE_MASK);
  const stride = load<u32>(table, TABLE_STRIDE);
  const records = <usize>load<u32>(table, TABLE_RECORDS);
  const limit = load<u32>(table, TABLE_LIMIT);
  const count = load<u32>(table, TABLE_WORDS);
  let groups = load<u32>(table, TABLE_GROUPS);
  for (let i = 0; i < n; i++) {
    const row = words + ((<usize>i) << 3);
    let hash: u64 = 0;
    for (let w: u32 = 0; w < count; w++)
      hash = hashWord(load<u64>(row + <usize>w * wordStride) + (hash ^ (hash >> 31)));
    const tag = <u32>hash;
    let at = <u32>(hash >> shift);
    let id: u32;
    while (true) {
      const slot = slots + ((<usize>at) << 3);
      id = load<u32>(slot, 4);
      if (id == 0) {
        if (groups == limit) {
          store<u32>(table, groups, TABLE_GROUPS);
          return i;
        }
        const record = records + <usize>groups * stride;
        for (let w: u32 = 0; w < count; w++) {
          store<u64>(record + ((<usize>w) << 3), load<u64>(row + <usize>w * wordStride));
        }
        store<u32>(slot, tag);
        id = ++groups;
        store<u32>(slot, id, 4);
        break;
      }
      if (load<u32>(slot) == tag) {
        const record = records + <usize>(id - 1) * stride;
        let same = true;
        for (let w: u32 = 0; w < count; w++) {
          if (load<u64>(record + ((<usize>w) << 3)) != load<u64>(row + <usize>w * wordStride)) {
            same = false;
            break;
          }
        }
        if (same) break;
      }
      at = (at + 1) & mask;
    }
    store<u32>(offsets + ((<usize>i) << 2), (id - 1) * stride);
  }
  store<u32>(table, groups, TABLE_GROUPS);
  return n;
}

/** DENSE: the word is the id. Returns the first row whose id is not below the capacity, or n. */
export function probeDense(table: usize, words: usize, offsets: usize, n: i32): i32 {
  const stride = load<u32>(table, TABLE_STRIDE);
  const limit = <u64>load<u32>(table, TABLE_LIMIT);
  for (let i = 0; i < n; i++) {
    const word = load<u64>(words + ((<usize>i) << 3));
    if (word >= limit) return i;
    store<u32>(offsets + ((<usize>i) << 2), <u32>word * stride);
  }
  return n;
}

/** Fills a fresh, zeroed slot array from the records. */
export function rehashWord(table: usize): void {
  const slots = <usize>load<u32>(table, TABLE_SLOTS);
  const shift = <u64>load<u32>(table, TABLE_SHIFT);
  const mask = load<u32>(table, TABLE_MASK);
  const stride = load<u32>(table, TABLE_STRIDE);
  const groups = load<u32>(table, TABLE_GROUPS);
  let record = <usize>load<u32>(table, TABLE_RECORDS);
  for (let id: u32 = 1; id <= groups; id++, record += stride) {
    const word = load<u64>(record);
    let at = <u32>(hashWord(word) >> shift);
    while (load<u32>(slots + ((<usize>at) << 4), 8) != 0) at = (at + 1) & mask;
    const slot = slots + ((<usize>at) << 4);
    store<u64>(slot, word);
    store<u32>(slot, id, 8);
  }
}

/** As {@link rehashWord}, for keys of several words. */
export function rehashWords(table: usize): void {
  const slots = <usize>load<u32>(table, TABLE_SLOTS);
  const shift = <u64>load<u32>(table, TABLE_SHIFT);
  const mask = load<u32>(table, TABLE_MASK);
  const stride = load<u32>(table, TABLE_STRIDE);
  const groups = load<u32>(table, TABLE_GROUPS);
  const count = load<u32>(table, TABLE_WORDS);
  let record = <usize>load<u32>(table, TABLE_RECORDS);
  for (let id: u32 = 1; id <= groups; id++, record += stride) {
    let hash: u64 = 0;
    for (let w: u32 = 0; w < count; w++) {
      hash = hashWord(load<u64>(record + ((<usize>w) << 3)) + (hash ^ (hash >> 31)));
    }
    let at = <u32>(hash >> shift);
    while (load<u32>(slots + ((<usize>at) << 3), 4) != 0) at = (at + 1) & mask;
    const slot = slots + ((<usize>at) << 3);
    store<u32>(slot, <u32>hash);
    store<u32>(slot, id, 4);
  }
}

/**
 * Counts rows. A group whose count crosses a multiple of `period` (a power of two; 0 = never) is written to `due`, at
 * most once for each crossing. Returns how many were.
 */
export function countRows(table: usize, offsets: usize, n: i32, period: u32, due: usize): i32 {
  const lane = <usize>load<u32>(table, TABLE_RECORDS) + load<u32>(table, TABLE_ROWS);
  if (period == 0) {
    for (let i = 0; i < n; i++) {
      const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
      store<u64>(slot, load<u64>(slot) + 1);
    }
    return 0;
  }
  const low = period - 1;
  let count = 0;
  for (let i = 0; i < n; i++) {
    const offset = load<u32>(offsets + ((<usize>i) << 2));
    const rows = load<u64>(lane + offset) + 1;
    store<u64>(lane + offset, rows);
    if ((<u32>rows & low) == 0) {
      store<u32>(due + ((<usize>count) << 2), offset);
      count++;
    }
  }
  return count;
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

/** Lists the groups of a table, in the order of their ids, from id `from` on: those with rows. Returns the id after the last one looked at. */
export function listGroups(table: usize, from: u32, most: i32, refs: usize, listed: usize): u32 {
  const records = <usize>load<u32>(table, TABLE_RECORDS);
  const stride = load<u32>(table, TABLE_STRIDE);
  const rows = load<u32>(table, TABLE_ROWS);
  const groups = load<u32>(table, TABLE_GROUPS);
  let count = 0;
  let id = from;
  for (; id < groups && count < most; id++) {
    const record = records + <usize>id * stride;
    if (load<u64>(record + rows) == 0) continue;
    const ref = refs + <usize>count * REF_SIZE;
    store<u32>(ref, <u32>record, REF_RECORD);
    store<u32>(ref, <u32>table, REF_TABLE);
    count++;
  }
  store<u32>(listed, count);
  return id;
}

/** Copies everything but the key words from the records of `refs` into the records at `offsets` of another table. */
export function moveStates(table: usize, offsets: usize, refs: usize, n: i32, fromWords: u32): void {
  const records = <usize>load<u32>(table, TABLE_RECORDS) + ((<usize>load<u32>(table, TABLE_WORDS)) << 3);
  const size = load<u32>(table, TABLE_STRIDE) - (load<u32>(table, TABLE_WORDS) << 3);
  for (let i = 0; i < n; i++) {
    const source = <usize>load<u32>(refs + <usize>i * REF_SIZE, REF_RECORD) + ((<usize>fromWords) << 3);
    memory.copy(records + load<u32>(offsets + ((<usize>i) << 2)), source, size);
  }
}

/** How many groups a table holds: of a counting table, the slots in use. */
export function countGroups(table: usize): u32 {
  const groups = load<u32>(table, TABLE_GROUPS);
  if (load<u32>(table, TABLE_KIND) != DENSE) return groups;
  const stride = load<u32>(table, TABLE_STRIDE);
  let rows = <usize>load<u32>(table, TABLE_RECORDS) + load<u32>(table, TABLE_ROWS);
  let count: u32 = 0;
  for (let id: u32 = 0; id < groups; id++, rows += stride) if (load<u64>(rows) != 0) count++;
  return count;
}
