import { orderWordOf, SAME, tableOf } from './compare';
import { heed } from './heed';
import { REF_RECORD, REF_SIZE, REF_TABLE, REF_WORD } from './layout';

// Groups that are finished are sorted by records of their own: a word (and where there are nulls, one more before it) for
// each column to sort by. Refs lead to them as they do to groups, so that the order is that of compare.ts.

/** Writes a word of `n` records, `stride` bytes apart: encoded values, complemented where `flip` is all ones. Under nulls all are the same. */
export function putWords(words: usize, flip: u64, records: usize, stride: u32, n: i32): void {
  for (let i = 0; i < n; i++) {
    store<u64>(records + <usize>i * stride, load<u64>(words + ((<usize>i) << 3)) ^ flip);
  }
}

/** Writes a word of `n` records: which rows are null, so that nulls stand `first` or last. */
export function putNulls(validity: usize, bit: u32, first: u32, records: usize, stride: u32, n: i32): void {
  for (let i = 0; i < n; i++) {
    const at = bit + i;
    const valid: u32 = validity == 0 ? 1 : (load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1;
    // nulls first: null 0, value 1; nulls last: value 0, null 1
    store<u64>(records + <usize>i * stride, valid ^ first ^ 1);
  }
}

/** Refs of those of `n` records whose first order word is at most `most`. Returns how many. */
export function listRefs(
  records: usize,
  stride: u32,
  n: i32,
  table: usize,
  segment: usize,
  most: u64,
  refs: usize,
): i32 {
  let count = 0;
  for (let i = 0; i < n; i++) {
    const record = records + <usize>i * stride;
    const word = orderWordOf(segment, 0, table, record);
    // written in any case, and written over by the next where it does not count
    const ref = refs + <usize>count * REF_SIZE;
    store<u64>(ref, word, REF_WORD);
    store<u32>(ref, <u32>record, REF_RECORD);
    store<u32>(ref, <u32>table, REF_TABLE);
    count += <i32>(word <= most);
  }
  return count;
}

/** Gives refs that were sorted the words again that they began with. Returns the word of the last. */
export function renewRefs(refs: usize, n: i32, segment: usize): u64 {
  let word: u64 = 0;
  for (let i = 0; i < n; i++) {
    heed(i);
    const ref = refs + <usize>i * REF_SIZE;
    const table = tableOf(ref);
    word = orderWordOf(segment, 0, table, <usize>load<u32>(ref, REF_RECORD));
    store<u64>(ref, word, REF_WORD);
    store<u32>(ref, load<u32>(ref, REF_TABLE) & ~SAME, REF_TABLE);
  }
  return word;
}

/** The numbers (u32) of the records that refs lead to. */
export function listRecords(refs: usize, n: i32, records: usize, stride: u32, out: usize): void {
  for (let i = 0; i < n; i++) {
    heed(i);
    const record = <usize>load<u32>(refs + <usize>i * REF_SIZE, REF_RECORD);
    store<u32>(out + ((<usize>i) << 2), <u32>(record - records) / stride);
  }
}
