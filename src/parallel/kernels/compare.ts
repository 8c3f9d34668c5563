import { wordOf } from './keys';
import {
  ENTRY_SIZE,
  POOL_ENTRIES,
  REF_RECORD,
  REF_TABLE,
  SEGMENT_FLIP,
  SEGMENT_MASK,
  SEGMENT_NULL_FIRST,
  SEGMENT_POOL,
  SEGMENT_SHIFT,
  SEGMENT_SIZE,
  SEGMENT_TEXT,
  SEGMENT_WORD,
} from './layout';
import { compareEntries, entryWord } from './text';

// Groups of any worker are compared by a sequence of order words, first word first: a segment of bits of a key word is
// one order word, a segment of text is as many as the text is long (see text.ts). No key's sequence is the beginning of
// another's, so two groups whose words agree so far stand at the same place of their sequences: (segment, chunk).

/** In REF_TABLE, beside the table's address (which is a multiple of 8): the group before it in order has the same key. */
export const SAME: u32 = 1;

export function tableOf(ref: usize): usize {
  return <usize>(load<u32>(ref, REF_TABLE) & ~SAME);
}

/** The order word of a group at a place of its sequence. */
export function orderWordOf(segment: usize, chunk: u32, table: usize, record: usize): u64 {
  const bits =
    (wordOf(table, record, load<u32>(segment, SEGMENT_WORD)) >> <u64>load<u32>(segment, SEGMENT_SHIFT)) &
    load<u64>(segment, SEGMENT_MASK);
  if (load<u32>(segment, SEGMENT_TEXT) == 0) return bits;
  if (bits == 0) return load<u32>(segment, SEGMENT_NULL_FIRST) ? 0 : u64.MAX_VALUE;
  const entries = <usize>load<u32>(table + load<u32>(segment, SEGMENT_POOL), POOL_ENTRIES);
  const word = entryWord(entries + <usize>(bits - 1) * ENTRY_SIZE, chunk);
  return load<u32>(segment, SEGMENT_FLIP) ? ~word : word;
}

/** Whether more words of the same text follow an order word. */
export function goesOn(segment: usize, word: u64): bool {
  if (load<u32>(segment, SEGMENT_TEXT) == 0 || word == 0 || word == u64.MAX_VALUE) return false;
  const last = load<u32>(segment, SEGMENT_FLIP) ? ~word & 0xff : word & 0xff;
  return last == 9;
}

/** The order of two groups from a segment on: negative, 0 or positive. */
export function compareRefs(segments: usize, count: i32, from: i32, a: usize, b: usize): i32 {
  const tableA = tableOf(a);
  const tableB = tableOf(b);
  const recordA = <usize>load<u32>(a, REF_RECORD);
  const recordB = <usize>load<u32>(b, REF_RECORD);
  for (let s = from; s < count; s++) {
    const segment = segments + <usize>s * SEGMENT_SIZE;
    const word = load<u32>(segment, SEGMENT_WORD);
    const shift = <u64>load<u32>(segment, SEGMENT_SHIFT);
    const mask = load<u64>(segment, SEGMENT_MASK);
    const bitsA = (wordOf(tableA, recordA, word) >> shift) & mask;
    const bitsB = (wordOf(tableB, recordB, word) >> shift) & mask;
    if (load<u32>(segment, SEGMENT_TEXT) == 0) {
      if (bitsA != bitsB) return bitsA < bitsB ? -1 : 1;
      continue;
    }
    if (bitsA == 0 || bitsB == 0) {
      if (bitsA == bitsB) continue;
      return (bitsA == 0) == (load<u32>(segment, SEGMENT_NULL_FIRST) != 0) ? -1 : 1;
    }
    const pool = load<u32>(segment, SEGMENT_POOL);
    const order = compareEntries(
      <usize>load<u32>(tableA + pool, POOL_ENTRIES) + <usize>(bitsA - 1) * ENTRY_SIZE,
      <usize>load<u32>(tableB + pool, POOL_ENTRIES) + <usize>(bitsB - 1) * ENTRY_SIZE,
    );
    if (order != 0) return load<u32>(segment, SEGMENT_FLIP) ? -order : order;
  }
  return 0;
}
