import type { CheckedAggregate } from '../core/plan.js';
import { indexOf, interpolate, positionOf } from '../core/quantile.js';
import type { Value } from '../core/read-values.js';
import { canonical, compareKeys } from '../core/semantics.js';
import type { DataType } from '../core/type.js';
import { textOf } from './group.js';

/** Aggregates of all non-null values of a group at once, by their definitions. */
type Values = readonly Value[];

export function countDistinct(values: Values): bigint {
  return BigInt(new Set(values.map((value) => textOf([canonical(value)]))).size);
}

export function quantileOf(aggregate: CheckedAggregate, values: Values): Value | null {
  if (values.length === 0) return null;
  const { input, p = 0.5, interpolation = 'linear' } = aggregate;
  const sorted = values.toSorted((a, b) => compareKeys(input, a, b));
  const position = positionOf(p, sorted.length);
  switch (interpolation) {
    case 'linear':
    case 'midpoint': {
      const { low, high, fraction } = position;
      const between = interpolation === 'midpoint' && fraction > 0 ? 0.5 : fraction;
      return interpolate(input, sorted[low], sorted[high], between);
    }
    default:
      return canonical(sorted[indexOf(position, interpolation)]);
  }
}

/** The most frequent, of several the least. */
export function modeOf(type: DataType, values: Values): Value | null {
  let best: Value | null = null;
  let most = 0;
  let run = 0;
  let last: Value | undefined;
  for (const value of values.toSorted((a, b) => compareKeys(type, a, b))) {
    run = last !== undefined && compareKeys(type, last, value) === 0 ? run + 1 : 1;
    last = value;
    if (run <= most) continue;
    most = run;
    best = canonical(value);
  }
  return best;
}

/** The first `n` of the values by an order. */
export function topOf(
  { n }: CheckedAggregate,
  values: Values,
  compare: (a: Value, b: Value) => number,
): Values | null {
  return values.length === 0 ? null : values.toSorted(compare).slice(0, n).map(canonical);
}

export function joinTexts({ separator = '' }: CheckedAggregate, values: Values): Value | null {
  if (values.length === 0) return null;
  const between = new TextEncoder().encode(separator);
  return Buffer.concat(values.flatMap((value, i) => (i === 0 ? [value] : [between, value])) as Uint8Array[]);
}
