import { CONTROL_BUMP, CONTROL_SIZE, CONTROL_TOP, GUARDS } from './layout';

// What stands for the loads and stores of all other kernels in the checked build (`npm run test:checked`): each traps where it leaves the blocks that were handed
// out, or touches a guard between two of them. Blocks are whole units of 64 bytes.

const UNIT_BITS: usize = 6;

function isGuard(unit: usize): bool {
  return ((load<u8>(<usize>GUARDS + (unit >> 3)) >> <u8>(unit & 7)) & 1) != 0;
}

/** Traps where not all of `size` bytes at `at` lie in blocks. */
function check(at: usize, size: usize): void {
  const first = at >> UNIT_BITS;
  const last = (at + size - 1) >> UNIT_BITS;
  if (at < <usize>CONTROL_SIZE || last < first) unreachable();
  // columns that are held lie above the top, where no guards are
  if (first < <usize>atomic.load<u32>(CONTROL_TOP) && last >= <usize>atomic.load<u32>(CONTROL_BUMP))
    unreachable();
  for (let unit = first; unit <= last; unit++) if (isGuard(unit)) unreachable();
}

export function checkedLoad<T>(at: usize, offset: usize = 0): T {
  check(at + offset, sizeof<T>());
  return load<T>(at + offset);
}

export function checkedStore<T>(at: usize, value: T, offset: usize = 0): void {
  check(at + offset, sizeof<T>());
  store<T>(at + offset, value);
}

export function checkedVector(at: usize, offset: usize = 0): v128 {
  check(at + offset, 16);
  return v128.load(at + offset);
}

export function checkedHalf(at: usize): v128 {
  check(at, 8);
  return v128.load64_zero(at);
}

export function checkedPut(at: usize, value: v128, offset: usize = 0): void {
  check(at + offset, 16);
  v128.store(at + offset, value);
}

export function checkedFill(at: usize, value: u8, size: usize): void {
  if (size > 0) check(at, size);
  memory.fill(at, value, size);
}

export function checkedCopy(into: usize, from: usize, size: usize): void {
  if (size > 0) {
    check(into, size);
    check(from, size);
  }
  memory.copy(into, from, size);
}
