import { GUARDS } from './kernels/layout.js';

// Guards stand between blocks in the checked build only (`npm run test:checked`), where every load and store of a kernel looks
// whether it touches one.

const FIRST = GUARDS / 4;

/** Makes a unit of kernel memory a guard. Any thread may call it at any time. */
export function setGuard(words: Uint32Array, unit: number): void {
  Atomics.or(words, FIRST + (unit >>> 5), 1 << (unit & 31));
}

/** Makes the units `from` to `to` like all others. Called when no task runs. */
export function clearGuards(words: Uint32Array, from: number, to: number): void {
  for (let unit = from; unit < to; ) {
    const isWhole = (unit & 31) === 0 && unit + 32 <= to;
    const mask = isWhole ? 0 : ~(1 << (unit & 31));
    Atomics.and(words, FIRST + (unit >>> 5), mask);
    unit += isWhole ? 32 : 1;
  }
}
