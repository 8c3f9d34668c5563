import { heed } from './heed';
import {
  ENTRY_BYTES,
  ENTRY_HEAD,
  ENTRY_LENGTH,
  ENTRY_SIZE,
  POOL_COUNT,
  POOL_ENTRIES,
  POOL_HEAP,
  POOL_HEAP_END,
  POOL_LIMIT,
  POOL_MASK,
  POOL_SHIFT,
  POOL_SLOTS,
} from './layout';
import { hasTag, named, slotOf } from './slots';
import { orderWord } from './text';
import { touch } from './touch';

// Text pools: a worker's distinct texts of a column, each with an entry, and slots by which they are found, which
// hold the numbers of entries.

function hashText(at: usize, length: u32, head: u64): u64 {
  let hash = (head ^ (head >> 32)) * 0x9e3779b97f4a7c15;
  if (length > 7) {
    const end = at + length - 8;
    for (let p = at + 7; p < end; p += 8) {
      hash = (hash ^ (hash >> 29) ^ load<u64>(p)) * 0x9fb21c651e98df25;
    }
    hash = (hash ^ (hash >> 29) ^ load<u64>(end)) * 0x9fb21c651e98df25;
  }
  return hash ^ (hash >> 32);
}

function sameBytes(a: usize, b: usize, length: u32): bool {
  // both are longer than 7 bytes here, and their heads agree
  let i: u32 = 7;
  for (; i + 8 <= length; i += 8) if (load<u64>(a + i) != load<u64>(b + i)) return false;
  return load<u64>(a + length - 8) == load<u64>(b + length - 8);
}

/** Whether an entry is that of a text. */
function isEntryOf(entry: usize, bytes: usize, length: u32, head: u64): bool {
  if (load<u64>(entry, ENTRY_HEAD) != head) return false;
  // a head has all bytes of up to 7, and says how many there are
  if (length <= 7) return true;
  return (
    load<u32>(entry, ENTRY_LENGTH) == length && sameBytes(<usize>load<u32>(entry, ENTRY_BYTES), bytes, length)
  );
}

/** Loads a byte of the text of each of the `n` entries whose addresses are listed. */
function touchTexts(entries: usize, n: i32): void {
  for (let i = 0; i < n; i++)
    load<u8>(<usize>load<u32>(<usize>load<u32>(entries + ((<usize>i) << 2)), ENTRY_BYTES));
}

/**
 * Gives each text (where `spans` say) its code in the pool: id + 1, and 0 for a null. Looks, as probe does, at the home of each. Of
 * texts that are not there it leaves the hash in `codes`, and lists them at `missed` (u32 each). Returns how many, for {@link searchTexts}.
 */
export function lookUpNear(pool: usize, spans: usize, codes: usize, n: i32, missed: usize): i32 {
  const entries = load<u32>(pool, POOL_ENTRIES);
  const slots = load<u32>(pool, POOL_SLOTS);
  const shift = <u64>load<u32>(pool, POOL_SHIFT);
  const mask = load<u32>(pool, POOL_MASK);
  let count = 0;
  for (let i = 0; i < n; i++) {
    const code = codes + ((<usize>i) << 3);
    const span = load<u64>(spans + ((<usize>i) << 3));
    const bytes = <usize>(span & 0xffffffff);
    if (bytes == 0) {
      store<u64>(code, 0);
      continue;
    }
    const length = <u32>(span >> 32);
    const head = orderWord(bytes, length);
    const hash = hashText(bytes, length, head);
    const id = named(load<u64>(<usize>(slots + ((<u32>(hash >> shift)) << 3))), <u32>hash, mask);
    if (id != 0 && isEntryOf(entries + (id - 1) * ENTRY_SIZE, bytes, length, head)) {
      store<u64>(code, id);
    } else {
      store<u64>(code, hash);
      store<u32>(missed + ((<usize>count) << 2), i);
      count++;
    }
  }
  return count;
}

/**
 * As {@link lookUpNear}, in passes, each of which finds what it looks at loaded ahead: slots, entries, texts. (10,000,000 rows of 100,000 texts: 203 ms
 * against 254 with one pass behind the loads.)
 */
export function lookUpFar(pool: usize, spans: usize, codes: usize, n: i32, room: usize): i32 {
  const entries = load<u32>(pool, POOL_ENTRIES);
  const slots = load<u32>(pool, POOL_SLOTS);
  const shift = <u64>load<u32>(pool, POOL_SHIFT);
  for (let i = 0; i < n; i++) {
    const span = load<u64>(spans + ((<usize>i) << 3));
    const bytes = <usize>(span & 0xffffffff);
    const length = <u32>(span >> 32);
    const hash = bytes == 0 ? 0 : hashText(bytes, length, orderWord(bytes, length));
    store<u64>(codes + ((<usize>i) << 3), hash);
    store<u32>(room + ((<usize>i) << 2), slots + ((<u32>(hash >> shift)) << 3));
  }
  touch(room, n, 0);
  const mask = load<u32>(pool, POOL_MASK);
  for (let i = 0; i < n; i++) {
    const home = <usize>load<u32>(room + ((<usize>i) << 2));
    const id = named(load<u64>(home), load<u32>(codes + ((<usize>i) << 3)), mask);
    // an empty slot leads to the first entry, whose text is not the row's, or is by right
    store<u32>(room + ((<usize>i) << 2), entries + (id - <u32>(id != 0)) * ENTRY_SIZE);
  }
  touch(room, n, 0);
  touchTexts(room, n);
  let missed = 0;
  for (let i = 0; i < n; i++) {
    const code = codes + ((<usize>i) << 3);
    const span = load<u64>(spans + ((<usize>i) << 3));
    const bytes = <usize>(span & 0xffffffff);
    const length = <u32>(span >> 32);
    const entry = load<u32>(room + ((<usize>i) << 2));
    if (bytes == 0) {
      store<u64>(code, 0);
    } else if (isEntryOf(<usize>entry, bytes, length, orderWord(bytes, length))) {
      store<u64>(code, (entry - entries) / ENTRY_SIZE + 1);
    } else {
      // none is overwritten before it is read
      store<u32>(room + ((<usize>missed) << 2), i);
      missed++;
    }
  }
  return missed;
}

/**
 * Finds or makes the entries of the `count` texts that are listed at `missed`, in order, whose hashes stand in `codes`. New texts are copied to the
 * pool's heap. Returns n, or the text for which the pool or its heap has no room (the missing bytes are then in `need`).
 */
export function searchTexts(
  pool: usize,
  spans: usize,
  codes: usize,
  n: i32,
  need: usize,
  missed: usize,
  count: i32,
): i32 {
  const entries = <usize>load<u32>(pool, POOL_ENTRIES);
  const slots = <usize>load<u32>(pool, POOL_SLOTS);
  const shift = <u64>load<u32>(pool, POOL_SHIFT);
  const mask = load<u32>(pool, POOL_MASK);
  const limit = load<u32>(pool, POOL_LIMIT);
  let texts = load<u32>(pool, POOL_COUNT);
  let heap = <usize>load<u32>(pool, POOL_HEAP);
  const heapEnd = <usize>load<u32>(pool, POOL_HEAP_END);
  store<u32>(need, 0);
  let done = n;
  for (let m = 0; m < count; m++) {
    const i = load<u32>(missed + ((<usize>m) << 2));
    const span = load<u64>(spans + ((<usize>i) << 3));
    const bytes = <usize>(span & 0xffffffff);
    const length = <u32>(span >> 32);
    const head = orderWord(bytes, length);
    const hash = load<u64>(codes + ((<usize>i) << 3));
    let at = (<u32>(hash >> shift)) << 1;
    let id: u32;
    while (true) {
      const slot = load<u32>(slots + ((<usize>at) << 2));
      id = slot & mask;
      if (id == 0) break;
      const entry = entries + <usize>(id - 1) * ENTRY_SIZE;
      if (hasTag(slot, <u32>hash, mask) && isEntryOf(entry, bytes, length, head)) break;
      at = (at + 1) & mask;
    }
    if (id == 0) {
      if (texts == limit || heap + length > heapEnd) {
        if (texts != limit) store<u32>(need, length);
        done = <i32>i;
        break;
      }
      const entry = entries + <usize>texts * ENTRY_SIZE;
      store<u64>(entry, head, ENTRY_HEAD);
      store<u32>(entry, <u32>heap, ENTRY_BYTES);
      store<u32>(entry, length, ENTRY_LENGTH);
      memory.copy(heap, bytes, length);
      heap += length;
      id = ++texts;
      store<u32>(slots + ((<usize>at) << 2), slotOf(id, <u32>hash, mask));
    }
    store<u64>(codes + ((<usize>i) << 3), <u64>id);
  }
  store<u32>(pool, texts, POOL_COUNT);
  store<u32>(pool, <u32>heap, POOL_HEAP);
  return done;
}

/** Fills a fresh, zeroed slot array of a pool from its entries. */
export function rehashPool(pool: usize): void {
  const slots = <usize>load<u32>(pool, POOL_SLOTS);
  const shift = <u64>load<u32>(pool, POOL_SHIFT);
  const mask = load<u32>(pool, POOL_MASK);
  const count = load<u32>(pool, POOL_COUNT);
  let entry = <usize>load<u32>(pool, POOL_ENTRIES);
  for (let id: u32 = 1; id <= count; id++, entry += ENTRY_SIZE) {
    heed(<i32>id);
    const hash = hashText(
      <usize>load<u32>(entry, ENTRY_BYTES),
      load<u32>(entry, ENTRY_LENGTH),
      load<u64>(entry, ENTRY_HEAD),
    );
    let at = (<u32>(hash >> shift)) << 1;
    while (load<u32>(slots + ((<usize>at) << 2)) != 0) at = (at + 1) & mask;
    store<u32>(slots + ((<usize>at) << 2), slotOf(id, <u32>hash, mask));
  }
}
