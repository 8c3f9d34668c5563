import { ExactSum, type Scaled } from '../core/exact.js';
import { WIDE_COUNT, WIDE_FLAGS, WIDE_LIMBS, WIDE_NEGATIVE, WIDE_POSITIVE } from './kernels/layout.js';
import type { KernelMemory } from './memory.js';

/** (wide + pair[0] + pair[1]) / n, rounded once: the quotients that the kernels leave open. `wide` is an address, 0 for none. */
export function exactMean(memory: KernelMemory, wide: number, pair: readonly number[], n: bigint): number {
  const sum = new ExactSum();
  for (const x of pair) sum.add(x);
  if (wide !== 0) {
    const flags = memory.words[(wide + WIDE_FLAGS) / 4];
    if (flags === WIDE_POSITIVE) return Number.POSITIVE_INFINITY;
    if (flags === WIDE_NEGATIVE) return Number.NEGATIVE_INFINITY;
    if (flags !== 0) return Number.NaN;
    sum.addScaled(limbsOf(memory, wide));
  }
  return sum.mean(n);
}

function limbsOf(memory: KernelMemory, wide: number): Scaled {
  const view = new DataView(memory.bytes.buffer, wide + WIDE_LIMBS);
  let n = 0n;
  for (let limb = WIDE_COUNT - 1; limb >= 0; limb--) n = (n << 32n) + view.getBigInt64(8 * limb, true);
  return { n, exponent: -1074 };
}
