import { setBit } from './bits';
import { wideSlot } from './groups';
import { heed } from './heed';
import { ENTRY_BYTES, ENTRY_LENGTH, ENTRY_SIZE, POOL_ENTRIES, REF_RECORD, REF_TABLE } from './layout';
import { meanOf } from './mean';
import { wideAdd, wideRound } from './wide';

// Finishing kernels read a range's groups through their refs, in order, and write output columns. `nulls` is the offset
// of the lane that counts a column's null rows, 0 where the column has none: a group has rows - nulls values.

function recordOf(refs: usize, i: i32): usize {
  return <usize>load<u32>(refs + ((<usize>i) << 4), REF_RECORD);
}

function valuesIn(record: usize, rows: u32, nulls: u32): i64 {
  const all = load<i64>(record + rows);
  return nulls == 0 ? all : all - load<i64>(record + nulls);
}

/** Writes how many values each group has. */
export function finishCounts(refs: usize, n: i32, rows: u32, nulls: u32, out: usize): void {
  for (let i = 0; i < n; i++) store<i64>(out + ((<usize>i) << 3), valuesIn(recordOf(refs, i), rows, nulls));
}

/** Writes the validity of an aggregate that is null where a group has fewer than `least` values. Returns how many are null. */
export function finishValidity(refs: usize, n: i32, rows: u32, nulls: u32, least: i64, validity: usize): i32 {
  memory.fill(validity, 0, (n + 7) >> 3);
  let count = 0;
  for (let i = 0; i < n; i++) {
    if (valuesIn(recordOf(refs, i), rows, nulls) >= least) setBit(validity, i);
    else count++;
  }
  return count;
}

/** Writes 64-bit sums. `high` is the offset of the high lane, 0 where there is none. Returns the first group whose sum does not fit, or n. */
export function finishSum(refs: usize, n: i32, low: u32, high: u32, out: usize): i32 {
  for (let i = 0; i < n; i++) {
    const record = recordOf(refs, i);
    const value = load<i64>(record + low);
    if (high != 0 && load<i64>(record + high) != 0) return i;
    store<i64>(out + ((<usize>i) << 3), value);
  }
  return n;
}

/** The wide sum of a group, 0 where it has none. */
export function wideIn(refs: usize, i: i32, grid: u32, grids: u32): usize {
  const ref = refs + ((<usize>i) << 4);
  const slot = wideSlot(<usize>load<u32>(ref, REF_TABLE), <usize>load<u32>(ref, REF_RECORD), grid, grids);
  return slot == 0 ? 0 : <usize>load<u32>(slot);
}

/** Writes float sums, rounded once. */
export function finishFloatSum(refs: usize, n: i32, lane: u32, grid: u32, grids: u32, out: usize): void {
  for (let i = 0; i < n; i++) {
    const state = recordOf(refs, i) + lane;
    const wide = wideIn(refs, i, grid, grids);
    let total: f64;
    if (wide == 0) {
      total = load<f64>(state) + load<f64>(state, 8);
    } else {
      emptyPair(state, wide);
      total = wideRound(wide);
    }
    store<f64>(out + ((<usize>i) << 3), total);
  }
}

function emptyPair(state: usize, wide: usize): void {
  wideAdd(wide, load<f64>(state));
  wideAdd(wide, load<f64>(state, 8));
  store<f64>(state, 0);
  store<f64>(state, 0, 8);
}

/**
 * Writes means of exact sums, rounded once. Groups that this cannot decide (a wide sum, a quotient too near the middle
 * of two doubles, extreme sizes) are written to `open` (u32 each), to be divided in exact integers. Returns how many.
 */
export function finishFloatMean(
  refs: usize,
  n: i32,
  lane: u32,
  grid: u32,
  grids: u32,
  rows: u32,
  nulls: u32,
  out: usize,
  open: usize,
): i32 {
  let count = 0;
  for (let i = 0; i < n; i++) {
    const record = recordOf(refs, i);
    const values = valuesIn(record, rows, nulls);
    const state = record + lane;
    let mean: f64 = 0;
    if (values > 0) {
      mean = wideIn(refs, i, grid, grids) != 0 ? NaN : meanOf(load<f64>(state), load<f64>(state, 8), values);
      if (mean != mean) {
        store<u32>(open + ((<usize>count) << 2), i);
        count++;
      }
    }
    store<f64>(out + ((<usize>i) << 3), mean);
  }
  return count;
}

/** As {@link finishFloatMean}, of integer sums of 64 or (`high` not 0) 128 bits. */
export function finishMean(
  refs: usize,
  n: i32,
  low: u32,
  high: u32,
  unsigned: bool,
  rows: u32,
  nulls: u32,
  out: usize,
  open: usize,
): i32 {
  let count = 0;
  for (let i = 0; i < n; i++) {
    const record = recordOf(refs, i);
    const values = valuesIn(record, rows, nulls);
    let mean: f64 = 0;
    if (values > 0) {
      const sum = load<i64>(record + low);
      const top = high == 0 ? 0 : load<i64>(record + high);
      if (top == 0 && !(unsigned && sum < 0)) {
        // two addends of at most 53 bits each, both exact
        const tail = sum & 0x1fffffffffffff;
        mean = meanOf(<f64>(sum - tail), <f64>tail, values);
      } else {
        mean = NaN;
      }
      if (mean != mean) {
        store<u32>(open + ((<usize>count) << 2), i);
        count++;
      }
    }
    store<f64>(out + ((<usize>i) << 3), mean);
  }
  return count;
}

/** Writes the encoded words of extremes: `flip` all ones undoes the complement of least values; `zero` where there is none. */
export function finishWords(
  refs: usize,
  n: i32,
  lane: u32,
  rows: u32,
  nulls: u32,
  flip: u64,
  zero: u64,
  out: usize,
): void {
  for (let i = 0; i < n; i++) {
    const record = recordOf(refs, i);
    const word = valuesIn(record, rows, nulls) > 0 ? load<u64>(record + lane) ^ flip : zero;
    store<u64>(out + ((<usize>i) << 3), word);
  }
}

/** Writes the entries (addresses, u32) of text extremes, 0 where there is none. Returns the bytes of all texts. */
export function finishTexts(refs: usize, n: i32, lane: u32, pool: u32, entries: usize): u64 {
  let total: u64 = 0;
  for (let i = 0; i < n; i++) {
    const state = recordOf(refs, i) + lane;
    const code = load<u32>(state);
    let entry: u32 = 0;
    if (code != 0) {
      entry = load<u32>(<usize>load<u32>(state, 4) + pool, POOL_ENTRIES) + (code - 1) * ENTRY_SIZE;
      total += load<u32>(<usize>entry, ENTRY_LENGTH);
    }
    store<u32>(entries + ((<usize>i) << 2), entry);
  }
  return total;
}

/** Turns unpacked codes of a text key (id + 1) into entries, as {@link finishTexts} does. */
export function keyTexts(refs: usize, n: i32, codes: usize, pool: u32, entries: usize): u64 {
  let total: u64 = 0;
  for (let i = 0; i < n; i++) {
    const code = <u32>load<u64>(codes + ((<usize>i) << 3));
    let entry: u32 = 0;
    if (code != 0) {
      const table = <usize>load<u32>(refs + ((<usize>i) << 4), REF_TABLE);
      entry = load<u32>(table + pool, POOL_ENTRIES) + (code - 1) * ENTRY_SIZE;
      total += load<u32>(<usize>entry, ENTRY_LENGTH);
    }
    store<u32>(entries + ((<usize>i) << 2), entry);
  }
  return total;
}

/** Writes texts: n + 1 offsets of `width` bytes (4 or 8), bytes and validity. Returns how many are null. */
export function writeTexts(
  entries: usize,
  n: i32,
  offsets: usize,
  width: u32,
  bytes: usize,
  validity: usize,
): i32 {
  memory.fill(validity, 0, (n + 7) >> 3);
  let at: u64 = 0;
  let nulls = 0;
  for (let i = 0; i <= n; i++) {
    heed(i);
    if (width == 8) store<u64>(offsets + ((<usize>i) << 3), at);
    else store<u32>(offsets + ((<usize>i) << 2), <u32>at);
    if (i == n) break;
    const entry = <usize>load<u32>(entries + ((<usize>i) << 2));
    if (entry == 0) {
      nulls++;
      continue;
    }
    const length = load<u32>(entry, ENTRY_LENGTH);
    memory.copy(bytes + <usize>at, <usize>load<u32>(entry, ENTRY_BYTES), length);
    at += length;
    setBit(validity, i);
  }
  return nulls;
}

/** Writes values of one width, zeros under a null; `decimal` undoes toOrderBytes. Returns how many are null. */
export function writeFixed(
  entries: usize,
  n: i32,
  width: u32,
  decimal: bool,
  out: usize,
  validity: usize,
): i32 {
  memory.fill(validity, 0, (n + 7) >> 3);
  memory.fill(out, 0, <usize>n * width);
  let nulls = 0;
  for (let i = 0; i < n; i++) {
    heed(i);
    const entry = <usize>load<u32>(entries + ((<usize>i) << 2));
    if (entry == 0) {
      nulls++;
      continue;
    }
    const bytes = <usize>load<u32>(entry, ENTRY_BYTES);
    const to = out + <usize>i * width;
    setBit(validity, i);
    if (!decimal) {
      memory.copy(to, bytes, width);
      continue;
    }
    for (let b: u32 = 0; b < width; b++) store<u8>(to + width - 1 - b, load<u8>(bytes + b));
    store<u8>(to + width - 1, load<u8>(to + width - 1) ^ 0x80);
  }
  return nulls;
}

/** Writes views, and the bytes of texts longer than 12 to one buffer. Returns how many are null; `used` takes the buffer's bytes. */
export function writeViews(
  entries: usize,
  n: i32,
  views: usize,
  bytes: usize,
  validity: usize,
  used: usize,
): i32 {
  memory.fill(validity, 0, (n + 7) >> 3);
  memory.fill(views, 0, (<usize>n) << 4);
  let at: u32 = 0;
  let nulls = 0;
  for (let i = 0; i < n; i++) {
    heed(i);
    const entry = <usize>load<u32>(entries + ((<usize>i) << 2));
    if (entry == 0) {
      nulls++;
      continue;
    }
    setBit(validity, i);
    const view = views + ((<usize>i) << 4);
    const length = load<u32>(entry, ENTRY_LENGTH);
    const from = <usize>load<u32>(entry, ENTRY_BYTES);
    store<u32>(view, length);
    if (length <= 12) {
      memory.copy(view + 4, from, length);
    } else {
      store<u32>(view, load<u32>(from), 4);
      store<u32>(view, at, 12);
      memory.copy(bytes + at, from, length);
      at += length;
    }
  }
  store<u32>(used, at);
  return nulls;
}
