import { type Ratio, roundQuotient, roundSquareRoot } from './exact.js';
import { unitOf } from './quantile.js';
import type { DataType } from './type.js';

/** The exact moments of numbers that are whole multiples of a unit. */
export interface Moments {
  /** Above 0. */
  readonly count: bigint;
  /** In units. */
  readonly sum: bigint;
  /** The sum of the squares, in square units. */
  readonly squares: bigint;
  readonly unit: Ratio;
}

/** Every finite double is a whole multiple of this. */
const LEAST: Ratio = { n: 1n, d: 1n << 1074n };

/** What the moments of a column of a type are counted in. */
export function momentUnit(type: DataType): Ratio {
  return type.kind === 'float' ? LEAST : unitOf(type);
}

/** The exact variance, rounded once. Of a sample of one there is none. */
export function roundVariance(moments: Moments, population: boolean): number {
  const { n, d } = varianceOf(moments, population);
  return roundQuotient(n, d);
}

/** The exact square root of the exact variance, rounded once. */
export function roundDeviation(moments: Moments, population: boolean): number {
  const { n, d } = varianceOf(moments, population);
  return roundSquareRoot(n, d);
}

function varianceOf({ count, sum, squares, unit }: Moments, population: boolean): Ratio {
  const divisor = population ? count : count - 1n;
  return {
    n: (count * squares - sum * sum) * unit.n * unit.n,
    d: count * divisor * unit.d * unit.d,
  };
}

/** The exact moments of pairs: those of each column, over the same rows, and the sum of the products in units of both. */
export interface PairMoments {
  readonly x: Moments;
  readonly y: Moments;
  readonly products: bigint;
}

/** The exact covariance of a sample of more than one pair, rounded once. */
export function roundCovariance(pairs: PairMoments): number {
  const { x, y } = pairs;
  const divisor = x.count * (x.count - 1n);
  return roundQuotient(spread(pairs) * x.unit.n * y.unit.n, divisor * x.unit.d * y.unit.d);
}

/** The exact correlation, rounded once; undefined where a column has one value only. Units cancel. */
export function roundCorrelation(pairs: PairMoments): number | undefined {
  const { x, y } = pairs;
  const [ofX, ofY] = [x, y].map(({ count, sum, squares }) => count * squares - sum * sum);
  if (ofX === 0n || ofY === 0n) return undefined;
  const both = spread(pairs);
  const size = roundSquareRoot(both * both, ofX * ofY);
  return both < 0n ? -size : size;
}

function spread({ x, y, products }: PairMoments): bigint {
  return x.count * products - x.sum * y.sum;
}
