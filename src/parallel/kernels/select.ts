// Rows that `where` does not keep are left out of a block before their keys are packed. Rows that the condition of one
// aggregate does not keep are sent to a spare record behind the table's last one, which nobody reads: so the kernels of
// states know nothing of conditions.

/** The values, `width` bytes each, of the `count` listed rows, one behind the other. */
export function pickValues(source: usize, width: u32, picks: usize, count: i32, out: usize): void {
  if (width == 8) pickAs<u64>(source, picks, count, out);
  else if (width == 4) pickAs<u32>(source, picks, count, out);
  else if (width == 2) pickAs<u16>(source, picks, count, out);
  else if (width == 1) pickAs<u8>(source, picks, count, out);
  else {
    for (let i = 0; i < count; i++) {
      const row = load<u32>(picks + ((<usize>i) << 2));
      memory.copy(out + <usize>i * width, source + <usize>row * width, width);
    }
  }
}

function pickAs<T>(source: usize, picks: usize, count: i32, out: usize): void {
  for (let i = 0; i < count; i++) {
    const row = <usize>load<u32>(picks + ((<usize>i) << 2));
    store<T>(out + <usize>i * sizeof<T>(), load<T>(source + row * sizeof<T>()));
  }
}

/** The record offsets of `n` rows, but `spare` for those whose bit is not set. */
export function restrictOffsets(offsets: usize, bits: usize, spare: u32, n: i32, out: usize): void {
  for (let i = 0; i < n; i += 64) {
    const word = load<u64>(bits + (i >> 3));
    const end = min(64, n - i);
    const from = offsets + ((<usize>i) << 2);
    const to = out + ((<usize>i) << 2);
    for (let j = 0; j < end; j++) {
      const isKept = ((word >> j) & 1) != 0;
      store<u32>(to + (j << 2), select<u32>(load<u32>(from + (j << 2)), spare, isKept));
    }
  }
}

/** Counts rows into a lane of their records. */
export function countInto(lane: usize, offsets: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const slot = lane + load<u32>(offsets + ((<usize>i) << 2));
    store<u64>(slot, load<u64>(slot) + 1);
  }
}
