import { CONTROL_CANCEL } from './layout';

const STEPS = (1 << 14) - 1; // so many steps, each a miss of the cache, take less than 5 ms

/**
 * To be called at every step of a loop that may be long: where the run was cancelled the kernel ends there, by a trap. What it
 * leaves half done is given up with all of the run's memory. (Not in the passes of a radix sort, which it makes a tenth slower:
 * those of 5,000,000 refs take some 10 ms each, and look once before each.)
 */
export function heed(step: i32): void {
  if ((step & STEPS) == 0) heedNow();
}

/** The same at once: for steps that are long themselves. */
export function heedNow(): void {
  if (atomic.load<i32>(CONTROL_CANCEL) != 0) unreachable();
}
