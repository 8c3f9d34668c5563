import type { DataType } from '../core/type.js';

/** Whole numbers up to here are doubles. */
const MOST = 2 ** 53;
/** Sizes within which no step below leaves the range of normal doubles. */
const LARGE = 1e290;
const SMALL = 1e-200;
/** For Veltkamp's splitting: 2^27 + 1. */
const SPLIT = 134_217_729;

/**
 * The exact value between two, low + (high - low) * fraction, rounded once, where doubles find it without doubt; else undefined.
 * The difference, the product and the sum are each a double and an exact rest (Knuth's two-sum, Dekker's product); what the
 * rests are rounded by is below 2^-98 of the sizes that were added, and the result is taken where that cannot change it.
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
  const distance = to - from;
  const part = distance * fraction;
  if (!(Math.abs(from) < LARGE && Math.abs(to) < LARGE && part > SMALL)) return undefined;
  const back = distance - to;
  const distanceRest = to - (distance - back) - (from + back);
  const partRest = productRest(distance, fraction, part) + distanceRest * fraction;
  const sum = from + part;
  const added = sum - from;
  const rest = from - (sum - added) + (part - added) + partRest;
  const doubt = (Math.abs(from) + part) * 2 ** -98;
  const result = sum + (rest + doubt);
  return result === sum + (rest - doubt) && result !== 0 ? result : undefined;
}

/** What a product of two doubles was rounded by. */
function productRest(a: number, b: number, product: number): number {
  const [aHigh, bHigh] = [highOf(a), highOf(b)];
  const [aLow, bLow] = [a - aHigh, b - bHigh];
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

function highOf(x: number): number {
  const split = SPLIT * x;
  return split - (split - x);
}

/** A finite value that is a double. */
function doubleOf(value: number | bigint): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const x = Number(value);
  return Math.abs(x) <= MOST ? x : undefined;
}
