import { wideSlot } from './groups';
import { heed } from './heed';
import {
  ENTRY_BYTES,
  ENTRY_LENGTH,
  ENTRY_SIZE,
  LOGGED_NULL,
  POOL_ENTRIES,
  REF_RECORD,
  REF_SIZE,
  REF_TABLE,
  SPILLED_WIDE,
  TABLE_GROUPS,
  TABLE_RECORDS,
  TABLE_ROWS,
  TABLE_STRIDE,
  WIDE_END,
  WIDE_NEXT,
  WIDE_SIZE,
} from './layout';

// What takes groups out of a table for a file, and puts those of a file into a table. A chunk of a file knows no addresses:
// its texts have codes of its own, from 1 on, and its rows the numbers of its groups.

/** Copies `size` bytes from offset `from` of each group's record. */
export function gatherLanes(refs: usize, n: i32, from: u32, size: u32, out: usize): void {
  for (let i = 0; i < n; i++) {
    const record = <usize>load<u32>(refs + <usize>i * REF_SIZE, REF_RECORD);
    memory.copy(out + <usize>i * size, record + from, size);
  }
}

/** Copies `size` bytes to each of `n` records, `stride` bytes apart. */
export function scatterLanes(lanes: usize, n: i32, size: u32, records: usize, stride: u32): void {
  for (let i = 0; i < n; i++) memory.copy(records + <usize>i * stride, lanes + <usize>i * size, size);
}

/**
 * Replaces codes (u32, `stride` bytes apart) by numbers in the order in which they are first met, from `count` + 1 on; 0
 * stays 0. `map` (u32 a code) has the numbers, 0 for none yet, and `list` the codes of the numbers. Returns how many there are now.
 */
export function renumberCodes(at: usize, stride: u32, n: i32, map: usize, list: usize, count: u32): u32 {
  let given = count;
  for (let i = 0; i < n; i++) {
    const slot = at + <usize>i * stride;
    const code = load<u32>(slot);
    if (code == 0) continue;
    let number = load<u32>(map + ((<usize>code) << 2));
    if (number == 0) {
      store<u32>(list + ((<usize>given) << 2), code);
      number = ++given;
      store<u32>(map + ((<usize>code) << 2), number);
    }
    store<u32>(slot, number);
  }
  return given;
}

/** Makes a map of codes empty again, of which `list` has those in use. */
export function forgetCodes(map: usize, list: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    store<u32>(map + ((<usize>load<u32>(list + ((<usize>i) << 2))) << 2), 0);
  }
}

/** The bytes of the texts of a pool that `list` names. */
export function listedBytes(pool: usize, list: usize, count: u32): u64 {
  const entries = <usize>load<u32>(pool, POOL_ENTRIES);
  let total: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const code = load<u32>(list + ((<usize>i) << 2));
    total += load<u32>(entries + <usize>(code - 1) * ENTRY_SIZE, ENTRY_LENGTH);
  }
  return total;
}

/** Writes the lengths (u32 each) and the bytes of the texts of a pool that `list` names. */
export function packListed(pool: usize, list: usize, count: u32, lengths: usize, bytes: usize): void {
  const entries = <usize>load<u32>(pool, POOL_ENTRIES);
  let to = bytes;
  for (let i: u32 = 0; i < count; i++) {
    heed(<i32>i);
    const entry = entries + <usize>(load<u32>(list + ((<usize>i) << 2)) - 1) * ENTRY_SIZE;
    const length = load<u32>(entry, ENTRY_LENGTH);
    store<u32>(lengths + ((<usize>i) << 2), length);
    memory.copy(to, <usize>load<u32>(entry, ENTRY_BYTES), length);
    to += length;
  }
}

/** Writes where texts of these lengths are that lie one after the other: spans, as `intern` takes them. */
export function spansOf(lengths: usize, count: u32, bytes: usize, spans: usize): void {
  let at = bytes;
  for (let i: u32 = 0; i < count; i++) {
    const length = load<u32>(lengths + ((<usize>i) << 2));
    store<u64>(spans + ((<usize>i) << 3), ((<u64>length) << 32) | <u64>at);
    at += length;
  }
}

/** Replaces a chunk's codes (u32, `stride` bytes apart) by those that `codes` (8 bytes a code) has for them, and with a `table` writes that behind each. */
export function replaceCodes(at: usize, stride: u32, n: i32, codes: usize, table: u32): void {
  for (let i = 0; i < n; i++) {
    const slot = at + <usize>i * stride;
    const code = load<u32>(slot);
    if (code == 0) continue;
    store<u32>(slot, load<u32>(codes + ((<usize>(code - 1)) << 3)));
    if (table != 0) store<u32>(slot, table, 4);
  }
}

/** Writes the wide sums of groups, each behind its number: that of the group times `grids`, plus its grid. Returns how many; only counts them where `out` is 0. */
export function packWides(refs: usize, n: i32, grids: u32, out: usize): u32 {
  let count: u32 = 0;
  for (let i = 0; i < n; i++) {
    heed(i);
    const ref = refs + <usize>i * REF_SIZE;
    const record = <usize>load<u32>(ref, REF_RECORD);
    const table = <usize>load<u32>(ref, REF_TABLE);
    for (let grid: u32 = 0; grid < grids; grid++) {
      const slot = wideSlot(table, record, grid, grids);
      if (slot == 0 || load<u32>(slot) == 0) continue;
      if (out != 0) {
        const to = out + <usize>count * SPILLED_WIDE;
        store<u64>(to, <u64>(<u32>i * grids + grid));
        memory.copy(to + 8, <usize>load<u32>(slot), WIDE_SIZE);
      }
      count++;
    }
  }
  return count;
}

/** Puts the wide sums of a chunk, whose groups begin at number `first` of a table, into that table. Returns those done: fewer than there are where its room is used up. */
export function layWides(
  wides: usize,
  from: u32,
  count: u32,
  wideList: usize,
  first: u32,
  grids: u32,
  table: usize,
): u32 {
  let room = <usize>load<u32>(table, WIDE_NEXT);
  const end = <usize>load<u32>(table, WIDE_END);
  let i = from;
  for (; i < count; i++) {
    if (room + WIDE_SIZE > end) break;
    const wide = wides + <usize>i * SPILLED_WIDE;
    memory.copy(room, wide + 8, WIDE_SIZE);
    const number = first * grids + load<u32>(wide);
    store<u32>(wideList + ((<usize>number) << 2), <u32>room);
    room += WIDE_SIZE;
  }
  store<u32>(table, <u32>room, WIDE_NEXT);
  return i;
}

/** Lists the offsets of the records that have `least` rows or more (u32 each). Returns how many. */
export function listHeavy(table: usize, least: u64, out: usize): u32 {
  const groups = load<u32>(table, TABLE_GROUPS);
  const stride = load<u32>(table, TABLE_STRIDE);
  const rows = <usize>load<u32>(table, TABLE_RECORDS) + load<u32>(table, TABLE_ROWS);
  let count: u32 = 0;
  for (let id: u32 = 0; id < groups; id++) {
    const offset = id * stride;
    if (load<u64>(rows + offset) < least) continue;
    store<u32>(out + ((<usize>count) << 2), offset);
    count++;
  }
  return count;
}

/** Gives `n` groups, whose tickets are `stride` bytes apart, the tickets from `first` on. */
export function numberTickets(tickets: usize, stride: u32, n: i32, first: u32): void {
  for (let i = 0; i < n; i++) store<u64>(tickets + <usize>i * stride, <u64>(first + <u32>i));
}

/** Takes their tickets from the groups that are in none of the ranges `low` to `high` (exclusive); `ranges` (u16) has the range of each. */
export function dropTickets(tickets: usize, stride: u32, n: i32, ranges: usize, low: u32, high: u32): void {
  for (let i = 0; i < n; i++) {
    const range = <u32>load<u16>(ranges + ((<usize>i) << 1));
    if (range < low || range >= high) store<u64>(tickets + <usize>i * stride, 0);
  }
}

/** Adds to the numbers of the groups of logged rows, which come as places, what makes tickets of them. */
export function placesToTickets(places: usize, n: i32, first: u32): void {
  for (let i = 0; i < n; i++) {
    const slot = places + ((<usize>i) << 2);
    store<u32>(slot, load<u32>(slot) + first);
  }
}

/** Closes up logged rows to those of groups that are in the ranges `low` to `high` (exclusive). Returns how many. */
export function keepLogged(tickets: usize, words: usize, n: i32, ranges: usize, low: u32, high: u32): i32 {
  let kept = 0;
  for (let i = 0; i < n; i++) {
    heed(i);
    const ticket = load<u32>(tickets + ((<usize>i) << 2));
    const group = (ticket & ~LOGGED_NULL) - 1;
    const range = <u32>load<u16>(ranges + ((<usize>group) << 1));
    if (range < low || range >= high) continue;
    store<u32>(tickets + ((<usize>kept) << 2), ticket);
    store<u64>(words + ((<usize>kept) << 3), load<u64>(words + ((<usize>i) << 3)));
    kept++;
  }
  return kept;
}
