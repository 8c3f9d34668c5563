import { exactRatio, type Ratio, roundQuotient } from './exact.js';
import type { Interpolation } from './plan.js';
import type { Value } from './read-values.js';
import { canonical } from './semantics.js';
import type { DataType } from './type.js';

/** Where a quantile stands among n > 0 values in key order: between two of them, or on one where they are the same. */
export interface Position {
  readonly low: number;
  readonly high: number;
  /** How far it is from `low` to `high`, from 0 to below 1. */
  readonly fraction: number;
}

export function positionOf(p: number, n: number): Position {
  const position = p * (n - 1);
  const low = Math.floor(position);
  return { low, high: Math.ceil(position), fraction: position - low };
}

/** The index of the value that `lower`, `higher` or `nearest` gives. */
export function indexOf(position: Position, interpolation: Interpolation): number {
  const { low, high, fraction } = position;
  if (interpolation === 'nearest') {
    if (fraction === 0.5) return low % 2 === 0 ? low : high;
    return fraction < 0.5 ? low : high;
  }
  return interpolation === 'lower' ? low : high;
}

/** The exact value between two, rounded once; of values that are not finite their common one, else NaN. -0 is +0. */
export function interpolate(type: DataType, low: Value, high: Value, fraction: number): number {
  const [from, to] = [low, high].map((value) => realOf(type, value));
  if (typeof from === 'number' || typeof to === 'number')
    return fraction === 0 || Object.is(low, high) ? Number(low) : Number.NaN;
  const share = exactRatio(fraction);
  const n = from.n * to.d * (share.d - share.n) + to.n * from.d * share.n;
  return Number(canonical(roundQuotient(n, from.d * to.d * share.d)));
}

/** The ratio that a value of a number type is; a number that is not finite as it is. */
function realOf(type: DataType, value: Value): Ratio | number {
  if (typeof value === 'number') return Number.isFinite(value) ? exactRatio(value) : value;
  const unit = unitOf(type);
  return { n: (value as bigint) * unit.n, d: unit.d };
}

/** What an integer that stands for a number of a type counts. */
export function unitOf(type: DataType): Ratio {
  if (type.kind !== 'decimal') return { n: 1n, d: 1n };
  const power = 10n ** BigInt(Math.abs(type.scale));
  return type.scale >= 0 ? { n: 1n, d: power } : { n: power, d: 1n };
}
