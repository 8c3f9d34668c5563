import { REF_RECORD } from './layout';

// A kernel's loop takes 20 instructions and more a row. The processor looks a few hundred ahead, so that no more than ten rows
// wait for memory at the same time. A loop that does nothing but load has fifty waiting. So a block's loads of a large table are made
// twice: first by themselves, to bring the lines near, then where they are needed. A load may trap, so no compiler may
// leave one out whose value is of no use. (4,000,000 rows, two workers, by turns, milliseconds without and with: 100,000 groups, sum 85 and 76,
// variance 149 and 109, eight aggregates 250 and 181; 1,000,000 groups, sum 338 and 257.)

/** Loads from `offset` on at each of the `n` addresses (u32) that are listed at `addresses`. */
export function touch(addresses: usize, n: i32, offset: u32): void {
  const end = addresses + ((<usize>n) << 2);
  const most = addresses + ((<usize>(n & ~7)) << 2);
  let at = addresses;
  for (; at < most; at += 32) {
    load<u8>(load<u32>(at) + offset);
    load<u8>(load<u32>(at, 4) + offset);
    load<u8>(load<u32>(at, 8) + offset);
    load<u8>(load<u32>(at, 12) + offset);
    load<u8>(load<u32>(at, 16) + offset);
    load<u8>(load<u32>(at, 20) + offset);
    load<u8>(load<u32>(at, 24) + offset);
    load<u8>(load<u32>(at, 28) + offset);
  }
  for (; at < end; at += 4) load<u8>(load<u32>(at) + offset);
}

/** Loads from all lines of records of `size` bytes, a multiple of 8, of which the first of all begins a line. Addresses are counted from `base`. */
export function touchRecords(addresses: usize, n: i32, base: u32, size: u32): void {
  const lines = linesBeyond(size);
  for (let line: u32 = 0; line <= lines; line++) touch(addresses, n, base + lineOf(line, lines, size));
}

/** As {@link touchRecords}, of the records that `n` refs lead to. */
export function touchRefs(refs: usize, n: i32, size: u32): void {
  const lines = linesBeyond(size);
  for (let line: u32 = 0; line <= lines; line++) touchRef(refs, n, lineOf(line, lines, size));
}

/** How many loads beside the first find all lines that a record of `size` bytes may lie in, evenly laid from its first word to its last. */
function linesBeyond(size: u32): u32 {
  // some fill a line together, so that none lies across two
  return size <= 64 && 64 % size == 0 ? 0 : (size + 55) >> 6;
}

function lineOf(line: u32, lines: u32, size: u32): u32 {
  return line == 0 ? 0 : (line * (size - 8)) / lines;
}

function touchRef(refs: usize, n: i32, offset: u32): void {
  const end = refs + ((<usize>n) << 4);
  const most = refs + ((<usize>(n & ~7)) << 4);
  let at = refs;
  for (; at < most; at += 128) {
    load<u8>(load<u32>(at, REF_RECORD) + offset);
    load<u8>(load<u32>(at, REF_RECORD + 16) + offset);
    load<u8>(load<u32>(at, REF_RECORD + 32) + offset);
    load<u8>(load<u32>(at, REF_RECORD + 48) + offset);
    load<u8>(load<u32>(at, REF_RECORD + 64) + offset);
    load<u8>(load<u32>(at, REF_RECORD + 80) + offset);
    load<u8>(load<u32>(at, REF_RECORD + 96) + offset);
    load<u8>(load<u32>(at, REF_RECORD + 112) + offset);
  }
  for (; at < end; at += 16) load<u8>(load<u32>(at, REF_RECORD) + offset);
}
