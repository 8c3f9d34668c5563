import type { DataType } from '../core/type.js';

/** Whole numbers up to here are doubles. */
const MOST = 2 ** 53;

/**
 * The exact value between two, rounded once, where doubles find it without doubt; else undefined. A value itself, or
 * the middle of two: their sum is rounded once, and halving it is exact away from the ends of the range.
 */
export function interpolateFast(
  type: DataType,
  low: number | bigint,
  high: number | bigint,
  fraction: number,
): number | undefined {
  if (type.kind === 'decimal') return undefined;
  const [from, to] = [doubleOf(low), doubleOf(high)];
  if (from === undefined || to === undefined) return undefined;
  if (fraction === 0 || from === to) return from + 0;
  if (fraction !== 0.5) return undefined;
  const sum = from + to;
  const size = Math.abs(sum);
  return sum === 0 ? 0 : size > 1e-290 && size < 1e300 ? sum / 2 : undefined;
}

/** A finite value that is a double. */
function doubleOf(value: number | bigint): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const x = Number(value);
  return Math.abs(x) <= MOST ? x : undefined;
}
