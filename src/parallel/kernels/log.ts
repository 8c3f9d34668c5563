import { hasBit, setBit } from './bits';
import { heed } from './heed';
import {
  ENTRY_SIZE,
  LOGGED_NULL,
  POOL_ENTRIES,
  TABLE_GROUPS,
  TABLE_HOMES,
  TABLE_RECORDS,
  TABLE_STRIDE,
  TABLE_TICKETS,
} from './layout';

// Aggregates that need all values of a group gather them: the fold logs each row's word with the ticket of its group (a
// number of the group's own, which no relayout changes); when the groups stand in order, every ticket has a home, and the logged
// rows are parted by range; each range then puts its rows group by group. All of it keeps the order of rows.

/**
 * Logs rows: the ticket of each row's group (u32) and its word. `ticket` is the offset of the ticket in a record. Rows whose offset
 * is `spare`, and those that `both` (bits, or 0) does not have, are left out; null ones as well, unless `keepNulls`, which marks
 * them. With `coded` a word is a code, 0 for null. `picks` lists the rows to look at, 0: all. Returns how many were logged.
 */
export function logRows(
  table: usize,
  ticket: u32,
  offsets: usize,
  spare: u32,
  words: usize,
  coded: bool,
  validity: usize,
  bit: u32,
  both: usize,
  keepNulls: bool,
  picks: usize,
  n: i32,
  tickets: usize,
  out: usize,
): i32 {
  const lane = <usize>load<u32>(table, TABLE_RECORDS) + ticket;
  let given = load<u32>(table, TABLE_TICKETS);
  let logged = 0;
  for (let pick = 0; pick < n; pick++) {
    const i = picks == 0 ? pick : <i32>load<u32>(picks + ((<usize>pick) << 2));
    const offset = load<u32>(offsets + ((<usize>i) << 2));
    if (offset == spare) continue;
    if (both != 0 && !hasBit(both, i)) continue;
    let word = load<u64>(words + ((<usize>i) << 3));
    let isNull = false;
    if (coded) {
      isNull = word == 0;
    } else if (validity != 0) {
      const at = bit + i;
      isNull = !hasBit(validity, at);
    }
    if (isNull) {
      if (!keepNulls) continue;
      word = 0;
    }
    let own = load<u32>(lane + offset);
    if (own == 0) {
      own = ++given;
      store<u32>(lane + offset, own);
    }
    store<u32>(tickets + ((<usize>logged) << 2), isNull ? own | LOGGED_NULL : own);
    store<u64>(out + ((<usize>logged) << 3), word);
    logged++;
  }
  store<u32>(table, given, TABLE_TICKETS);
  return logged;
}

/**
 * Lists at `out` the rows (of those at `picks`, 0: all) whose word their group may not have logged yet, and returns how many. `seen` holds
 * `mask + 1` pairs of a word and a ticket, 16 bytes each, which rows write over: a row is left out only where its very pair stands there.
 * Null rows are left out too. Arguments are as those of {@link logRows}.
 */
export function listFresh(
  table: usize,
  ticket: u32,
  offsets: usize,
  words: usize,
  coded: bool,
  validity: usize,
  bit: u32,
  picks: usize,
  n: i32,
  seen: usize,
  mask: u32,
  out: usize,
): i32 {
  const lane = <usize>load<u32>(table, TABLE_RECORDS) + ticket;
  let fresh = 0;
  for (let pick = 0; pick < n; pick++) {
    const i = picks == 0 ? pick : <i32>load<u32>(picks + ((<usize>pick) << 2));
    const word = load<u64>(words + ((<usize>i) << 3));
    if (coded ? word == 0 : validity != 0 && !hasBit(validity, bit + i)) continue;
    // 0 where the group has logged nothing, and so is no pair
    const own = <u64>load<u32>(lane + load<u32>(offsets + ((<usize>i) << 2)));
    // all bits folded into few, and not mixed: neighbours stay neighbours, so that small numbers share cache lines
    let place = <u32>(word ^ (word >> 32));
    place ^= place >> 16;
    const pair = seen + ((<usize>((place + <u32>own * 0x9e3779b1) & mask)) << 4);
    if (own != 0 && load<u64>(pair) == word && load<u64>(pair, 8) == own) continue;
    store<u64>(pair, word);
    store<u64>(pair, own, 8);
    // where `out` is `picks`, none is written over before it is read
    store<u32>(out + ((<usize>fresh) << 2), i);
    fresh++;
  }
  return fresh;
}

/** Says where the group of a record stands: as number `index` of a piece. */
export function setHome(table: usize, record: usize, index: u32, piece: u32): void {
  const id = (<u32>record - load<u32>(table, TABLE_RECORDS)) / load<u32>(table, TABLE_STRIDE);
  const home = <usize>load<u32>(table, TABLE_HOMES) + ((<usize>id) << 3);
  store<u32>(home, index);
  store<u32>(home, piece, 4);
}

/**
 * Turns the homes of a table's groups, which are places in pieces, into those of tickets, places in ranges: at `out`, 8 bytes a ticket.
 * `folded` is the table that gave the tickets out, at offset `ticket` of its records; `map` (u32 an id, 0: none) leads its ids
 * to those of `table`. `bases` are the groups before each piece, `bounds` those before each range but the first.
 */
export function homesOfTickets(
  folded: usize,
  ticket: u32,
  map: usize,
  table: usize,
  bases: usize,
  bounds: usize,
  boundCount: i32,
  out: usize,
): void {
  const groups = load<u32>(folded, TABLE_GROUPS);
  const stride = load<u32>(folded, TABLE_STRIDE);
  const homes = <usize>load<u32>(table, TABLE_HOMES);
  let record = <usize>load<u32>(folded, TABLE_RECORDS);
  for (let id: u32 = 0; id < groups; id++, record += stride) {
    heed(<i32>id);
    const own = load<u32>(record + ticket);
    if (own == 0) continue;
    const at = map == 0 ? id : load<u32>(map + ((<usize>id) << 2));
    const home = homes + ((<usize>at) << 3);
    const group = load<u32>(home) + load<u32>(bases + ((<usize>load<u32>(home, 4)) << 2));
    let range = 0;
    let high = boundCount;
    while (range < high) {
      const middle = (range + high) >> 1;
      if (load<u32>(bounds + ((<usize>middle) << 2)) <= group) range = middle + 1;
      else high = middle;
    }
    const slot = out + ((<usize>own) << 3);
    store<u32>(slot, range == 0 ? group : group - load<u32>(bounds + ((<usize>(range - 1)) << 2)));
    store<u32>(slot, range, 4);
  }
}

/**
 * Parts `n` logged rows by the range of their group, which `homes` has of each ticket, keeping their order: `ends` (u32 a range) takes where each range's rows end,
 * `places` and `out` the rows' groups within their range and their words. Words that are codes become what `meanings` (u32 a code)
 * says of them, or with a `pool` the addresses of their entries.
 */
export function partRows(
  homes: usize,
  tickets: usize,
  words: usize,
  n: i32,
  ranges: i32,
  ends: usize,
  places: usize,
  out: usize,
  meanings: usize,
  pool: usize,
): void {
  memory.fill(ends, 0, (<usize>ranges) << 2);
  if (ranges > 1) {
    for (let i = 0; i < n; i++) {
      heed(i);
      const own = load<u32>(tickets + ((<usize>i) << 2)) & ~LOGGED_NULL;
      const counter = ends + ((<usize>load<u32>(homes + ((<usize>own) << 3), 4)) << 2);
      store<u32>(counter, load<u32>(counter) + 1);
    }
    startPlaces(ends, ranges);
  }
  const entries: usize = pool == 0 ? 0 : <usize>load<u32>(pool, POOL_ENTRIES);
  for (let i = 0; i < n; i++) {
    heed(i);
    const ticket = load<u32>(tickets + ((<usize>i) << 2));
    const home = homes + ((<usize>(ticket & ~LOGGED_NULL)) << 3);
    let word = load<u64>(words + ((<usize>i) << 3));
    if (meanings != 0) word = <u64>load<u32>(meanings + ((<usize>word) << 2));
    else if (pool != 0 && word != 0) word = <u64>(entries + <usize>(word - 1) * ENTRY_SIZE);
    const cursor = ends + ((<usize>load<u32>(home, 4)) << 2);
    const at = load<u32>(cursor);
    store<u32>(cursor, at + 1);
    store<u32>(places + ((<usize>at) << 2), load<u32>(home) | (ticket & LOGGED_NULL));
    store<u64>(out + ((<usize>at) << 3), word);
  }
}

/** Counts rows by group. */
export function countPlaces(places: usize, n: i32, counts: usize): void {
  for (let i = 0; i < n; i++) {
    heed(i);
    const counter = counts + ((<usize>(load<u32>(places + ((<usize>i) << 2)) & ~LOGGED_NULL)) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
}

/** Turns counts, of groups or ranges, into where each one's values begin. Returns the sum. */
export function startPlaces(counts: usize, groups: i32): u32 {
  let total: u32 = 0;
  for (let group = 0; group < groups; group++) {
    heed(group);
    const counter = counts + ((<usize>group) << 2);
    const here = load<u32>(counter);
    store<u32>(counter, total);
    total += here;
  }
  return total;
}

/** Puts words where the cursors of their groups stand, and 1 into the bytes at `nulls` (0: there are none) beside a null. */
export function placeRows(
  places: usize,
  words: usize,
  n: i32,
  cursors: usize,
  out: usize,
  nulls: usize,
): void {
  for (let i = 0; i < n; i++) {
    heed(i);
    const place = load<u32>(places + ((<usize>i) << 2));
    const cursor = cursors + ((<usize>(place & ~LOGGED_NULL)) << 2);
    const at = load<u32>(cursor);
    store<u32>(cursor, at + 1);
    store<u64>(out + ((<usize>at) << 3), load<u64>(words + ((<usize>i) << 3)));
    if (place & LOGGED_NULL) store<u8>(nulls + at, 1);
  }
}

/** Validity bits of words by the bytes beside them; a null's word becomes `zero`. Returns how many are null. */
export function bitsOfNulls(nulls: usize, words: usize, n: i32, zero: u64, validity: usize): i32 {
  memory.fill(validity, 0, (n + 7) >> 3);
  let count = 0;
  for (let i = 0; i < n; i++) {
    heed(i);
    if (load<u8>(nulls + i) != 0) {
      store<u64>(words + ((<usize>i) << 3), zero);
      count++;
      continue;
    }
    setBit(validity, i);
  }
  return count;
}

/** The rows of all groups at `refs`. */
export function sumRows(refs: usize, n: i32, rows: u32): u64 {
  let total: u64 = 0;
  for (let i = 0; i < n; i++) {
    heed(i);
    total += load<u64>(<usize>load<u32>(refs + ((<usize>i) << 4), 8) + rows);
  }
  return total;
}

/** How many groups from the first on have `wanted` rows together, at least; n where all have fewer. */
export function groupsWithRows(refs: usize, n: i32, rows: u32, wanted: u64): i32 {
  let total: u64 = 0;
  for (let i = 0; i < n; i++) {
    heed(i);
    if (total >= wanted) return i;
    total += load<u64>(<usize>load<u32>(refs + ((<usize>i) << 4), 8) + rows);
  }
  return n;
}
