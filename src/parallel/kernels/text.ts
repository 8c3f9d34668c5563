import {
  BUFFER_BASE,
  BUFFER_HIGH,
  BUFFER_LOW,
  BUFFER_SIZE,
  BYTES_FIXED,
  BYTES_OFFSETS,
  ENTRY_BYTES,
  ENTRY_HEAD,
  ENTRY_LENGTH,
} from './layout';

// A text is compared as a sequence of order words: 7 of its bytes each, big-endian and padded with zeros, and below
// them how many of the 7 there are, plus 1, or 9 where more bytes follow. So words compare as the bytes do, a text
// ends before a longer one that begins with it ("a" before "a\0"), and no text's words are the beginning of another's.
// Word 0 and the word of all ones are never used: they stand for nulls first and last.

const MORE: u64 = 9;

/**
 * The order word of the bytes from `at` on, of which there are `left`. Reads 8 bytes, whatever there are: no block ends
 * at the end of memory. What lies behind the text is masked out.
 */
export function orderWord(at: usize, left: u32): u64 {
  const bytes = bswap<u64>(load<u64>(at));
  if (left >= 8) return (bytes & 0xffffffffffffff00) | MORE;
  // two shifts, since one by 64 is one by 0
  const mask = ~((u64.MAX_VALUE >> ((<u64>left) << 2)) >> ((<u64>left) << 2));
  return (bytes & mask) | <u64>(left + 1);
}

/** The order of two entries of any two pools: negative, 0 or positive. */
export function compareEntries(a: usize, b: usize): i32 {
  const head = load<u64>(a, ENTRY_HEAD);
  const other = load<u64>(b, ENTRY_HEAD);
  if (head != other) return head < other ? -1 : 1;
  return compareBytes(
    head,
    <usize>load<u32>(a, ENTRY_BYTES),
    load<u32>(a, ENTRY_LENGTH),
    <usize>load<u32>(b, ENTRY_BYTES),
    load<u32>(b, ENTRY_LENGTH),
  );
}

/** The order of two texts whose first order word is the same, `head`. */
export function compareBytes(head: u64, bytesA: usize, lengthA: u32, bytesB: usize, lengthB: u32): i32 {
  if ((head & 0xff) != MORE || bytesA == bytesB) return 0;
  const common = min(lengthA, lengthB);
  let i: u32 = 7;
  for (; i + 8 <= common; i += 8) {
    const wordA = load<u64>(bytesA + i);
    const wordB = load<u64>(bytesB + i);
    if (wordA != wordB) return bswap<u64>(wordA) < bswap<u64>(wordB) ? -1 : 1;
  }
  for (; i < common; i++) {
    const byteA = load<u8>(bytesA + i);
    const byteB = load<u8>(bytesB + i);
    if (byteA != byteB) return byteA < byteB ? -1 : 1;
  }
  return lengthA == lengthB ? 0 : lengthA < lengthB ? -1 : 1;
}

/**
 * Writes where each text is: its address and its length, u32 each, an address of 0 for a null.
 * `form` and `width` say how texts lie: offsets of `width` bytes at `source` into `data`, of which bytes low..high are
 * there; values of `width` bytes at `source`; or views at `source` into the `high` buffers listed at `data`.
 * Returns n, or the first row that does not lie within its buffer.
 */
export function locate(
  form: i32,
  width: u32,
  source: usize,
  data: usize,
  low: u64,
  high: u64,
  validity: usize,
  bit: u32,
  out: usize,
  n: i32,
): i32 {
  if (form == BYTES_OFFSETS) {
    const wrong =
      width == 8
        ? locateOffsets<u64>(source, data, low, high, out, n)
        : locateOffsets<u32>(source, data, low, high, out, n);
    if (wrong >= 0) return wrong;
  } else if (form == BYTES_FIXED) {
    for (let i = 0; i < n; i++) putSpan(out, i, source + <usize>i * width, width);
  } else {
    for (let i = 0; i < n; i++) {
      if (isNull(validity, bit, i)) continue;
      const view = source + ((<usize>i) << 4);
      const length = load<u32>(view);
      const bytes = length <= 12 ? view + 4 : viewed(view, length, data, <u32>high);
      if (bytes == 0) return i;
      putSpan(out, i, bytes, length);
    }
  }
  if (validity != 0) for (let i = 0; i < n; i++) if (isNull(validity, bit, i)) putSpan(out, i, 0, 0);
  return n;
}

/** Returns -1, or the first row that does not lie within low..high; null rows too, whose offsets are no different. */
function locateOffsets<T>(source: usize, data: usize, low: u64, high: u64, out: usize, n: i32): i32 {
  let start = <u64>load<T>(source);
  if (start < low) return 0;
  for (let i = 0; i < n; i++) {
    const end = <u64>load<T>(source + <usize>(i + 1) * sizeof<T>());
    if (start > end || end > high) return i;
    putSpan(out, i, data + <usize>start, <u32>(end - start));
    start = end;
  }
  return -1;
}

function putSpan(out: usize, i: i32, bytes: usize, length: u32): void {
  store<u64>(out + ((<usize>i) << 3), ((<u64>length) << 32) | <u64>bytes);
}

function isNull(validity: usize, bit: u32, i: i32): bool {
  if (validity == 0) return false;
  const at = bit + i;
  return ((load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1) == 0;
}

/** Where the bytes of a long view are; 0 where they are not in its buffer. */
function viewed(view: usize, length: u32, buffers: usize, count: u32): usize {
  const index = load<u32>(view, 8);
  if (index >= count) return 0;
  const buffer = buffers + <usize>index * BUFFER_SIZE;
  const start = <u64>load<u32>(view, 12);
  if (start < load<u32>(buffer, BUFFER_LOW) || start + length > load<u32>(buffer, BUFFER_HIGH)) return 0;
  return <usize>(load<u32>(buffer, BUFFER_BASE) + <u32>start);
}

/**
 * Which bytes of each of `count` buffers the long views of `n` rows need: BUFFER_LOW and BUFFER_HIGH are widened to hold
 * them. Returns -1, or the first row whose view names no buffer or more than 2^31 bytes.
 */
export function viewRanges(views: usize, validity: usize, bit: u32, n: i32, buffers: usize, count: u32): i32 {
  for (let i = 0; i < n; i++) {
    if (validity != 0) {
      const at = bit + i;
      if (((load<u8>(validity + (at >> 3)) >> <u8>(at & 7)) & 1) == 0) continue;
    }
    const view = views + ((<usize>i) << 4);
    const length = load<u32>(view);
    if (length <= 12) continue;
    const index = load<u32>(view, 8);
    const start = load<u32>(view, 12);
    if (index >= count || length > 0x7fffffff || start > 0x7fffffff) return i;
    const buffer = buffers + <usize>index * BUFFER_SIZE;
    if (start < load<u32>(buffer, BUFFER_LOW)) store<u32>(buffer, start, BUFFER_LOW);
    if (start + length > load<u32>(buffer, BUFFER_HIGH)) store<u32>(buffer, start + length, BUFFER_HIGH);
  }
  return -1;
}

/** The order word number `chunk` of an entry. */
export function entryWord(entry: usize, chunk: u32): u64 {
  if (chunk == 0) return load<u64>(entry, ENTRY_HEAD);
  const from = chunk * 7;
  return orderWord(<usize>load<u32>(entry, ENTRY_BYTES) + from, load<u32>(entry, ENTRY_LENGTH) - from);
}
