import { hasBit, setBit } from './bits';
import { ENTRY_LENGTH, ENTRY_SIZE, POOL_ENTRIES, REF_RECORD } from './layout';
import { compareEntries } from './text';

// What a row of a group has, kept with the row's place: first and last, argMin and argMax. A row's place is a number
// that ascends in row order, plus 1, times 2, plus 1 where the value is null; where the earliest row wins it is held
// complemented, so that the greatest wins in every case and 0 is no row.

/**
 * Keeps the word of the row with the greatest place of each group: 8 bytes of place, 8 of value. `earliest` is all ones where
 * places are complemented, else 0. With a `table` the words are codes of texts, 0 for null, and the value is the code and the table.
 */
export function keepRow(
  lane: usize,
  offsets: usize,
  words: usize,
  table: usize,
  validity: usize,
  bit: u32,
  place: u64,
  earliest: u64,
  skipNulls: bool,
  n: i32,
): void {
  for (let i = 0; i < n; i++) {
    const word = load<u64>(words + ((<usize>i) << 3));
    const isNull = isNullRow(word, table, validity, bit + i);
    if (isNull && skipNulls) continue;
    const key = placeOf(place + i, isNull) ^ earliest;
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    if (key <= load<u64>(slot)) continue;
    store<u64>(slot, key);
    store<u64>(slot, word | ((<u64>table) << 32), 8);
  }
}

/** As {@link keepRow}, on the earliest row with the greatest word in `by`, xor `flip`: 8 bytes of that, then of place and value. */
export function keepBy(
  lane: usize,
  offsets: usize,
  by: usize,
  byValidity: usize,
  byBit: u32,
  flip: u64,
  words: usize,
  table: usize,
  validity: usize,
  bit: u32,
  place: u64,
  n: i32,
): void {
  for (let i = 0; i < n; i++) {
    if (byValidity != 0) {
      const at = byBit + i;
      if (!hasBit(byValidity, at)) continue;
    }
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    const best = load<u64>(by + ((<usize>i) << 3)) ^ flip;
    const kept = load<u64>(slot);
    if (best < kept) continue;
    const word = load<u64>(words + ((<usize>i) << 3));
    const isNull = isNullRow(word, table, validity, bit + i);
    keepBest(slot, best, best == kept, placeOf(place + i, isNull), word, table);
  }
}

/** As {@link keepBy}, where `by` is text: codes in the pool of `byTable`. */
export function keepByText(
  lane: usize,
  offsets: usize,
  by: usize,
  byTable: usize,
  byPool: usize,
  least: bool,
  words: usize,
  table: usize,
  validity: usize,
  bit: u32,
  place: u64,
  n: i32,
): void {
  const entries = <usize>load<u32>(byPool, POOL_ENTRIES);
  for (let i = 0; i < n; i++) {
    const code = <u32>load<u64>(by + ((<usize>i) << 3));
    if (code == 0) continue;
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    const kept = load<u32>(slot);
    let order = 1;
    if (kept != 0) {
      order =
        kept == code
          ? 0
          : compareEntries(
              entries + <usize>(code - 1) * ENTRY_SIZE,
              entries + <usize>(kept - 1) * ENTRY_SIZE,
            );
      if (least) order = -order;
      if (order < 0) continue;
    }
    const word = load<u64>(words + ((<usize>i) << 3));
    const isNull = isNullRow(word, table, validity, bit + i);
    const best = <u64>code | ((<u64>byTable) << 32);
    keepBest(slot, best, order == 0, placeOf(place + i, isNull), word, table);
  }
}

/** The place of the row with this number, as it is held. */
function placeOf(row: u64, isNull: bool): u64 {
  return ((row + 1) << 1) | <u64>isNull;
}

/** Keeps a row whose `best` is better than what was kept, or of `equals` the earliest. */
function keepBest(slot: usize, best: u64, equals: bool, place: u64, word: u64, table: usize): void {
  const key = ~place;
  if (equals && key <= load<u64>(slot, 8)) return;
  store<u64>(slot, best);
  store<u64>(slot, key, 8);
  store<u64>(slot, word | ((<u64>table) << 32), 16);
}

function isNullRow(word: u64, table: usize, validity: usize, at: u32): bool {
  if (table != 0) return word == 0;
  return validity != 0 && !hasBit(validity, at);
}

/**
 * The kept words of groups, `zero` where there is none, and their validity. `lane` is the offset of the place, which the
 * value follows. Returns how many are null.
 */
export function finishKept(
  refs: usize,
  n: i32,
  lane: u32,
  earliest: u64,
  zero: u64,
  out: usize,
  validity: usize,
): i32 {
  memory.fill(validity, 0, (n + 7) >> 3);
  let nulls = 0;
  for (let i = 0; i < n; i++) {
    const slot = <usize>load<u32>(refs + ((<usize>i) << 4), REF_RECORD) + lane;
    const place = load<u64>(slot);
    const isNull = place == 0 || ((place ^ earliest) & 1) != 0;
    store<u64>(out + ((<usize>i) << 3), isNull ? zero : load<u64>(slot, 8));
    if (isNull) nulls++;
    else {
      setBit(validity, i);
    }
  }
  return nulls;
}

/** As {@link finishKept}, of texts: their entries, 0 for null. Returns the bytes of all texts. */
export function finishKeptTexts(
  refs: usize,
  n: i32,
  lane: u32,
  earliest: u64,
  pool: u32,
  entries: usize,
): u64 {
  let total: u64 = 0;
  for (let i = 0; i < n; i++) {
    const slot = <usize>load<u32>(refs + ((<usize>i) << 4), REF_RECORD) + lane;
    const place = load<u64>(slot);
    let entry: u32 = 0;
    if (place != 0 && ((place ^ earliest) & 1) == 0) {
      const own = <usize>load<u32>(slot, 12) + pool;
      entry = load<u32>(own, POOL_ENTRIES) + (load<u32>(slot, 8) - 1) * ENTRY_SIZE;
      total += load<u32>(<usize>entry, ENTRY_LENGTH);
    }
    store<u32>(entries + ((<usize>i) << 2), entry);
  }
  return total;
}
