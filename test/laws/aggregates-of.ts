import {
  type Aggregate,
  argMax,
  argMin,
  bottom,
  correlation,
  count,
  countDistinct,
  covariance,
  every,
  first,
  join,
  last,
  list,
  max,
  mean,
  median,
  min,
  mode,
  quantile,
  some,
  stddev,
  sum,
  top,
  variance,
} from 'rangefold';
import type { Kind } from './kind.js';

/** What an aggregate of a scene is asked of. */
export interface Asked {
  readonly column: string;
  /** Another column, of any type; and one of numbers. */
  readonly other: string;
  readonly number: string;
  /** From 0 to 1. */
  readonly share: number;
}

type Ask = (asked: Asked) => Aggregate;

const OF_ANY: readonly Ask[] = [
  ({ column }) => count(column),
  ({ column }) => min(column),
  ({ column }) => max(column),
  ({ column }) => countDistinct(column),
  ({ column }) => mode(column),
  ({ column, share }) => quantile(column, share, { interpolation: 'nearest' }),
  ({ column, share }) => quantile(column, share, { interpolation: share < 0.5 ? 'lower' : 'higher' }),
  ({ column, share }) => top(column, 1 + Math.floor(12 * share)),
  ({ column, share }) => bottom(column, 1 + Math.floor(12 * share)),
  ({ column }) => list(column),
  ({ column }) => first(column),
  ({ column }) => last(column),
  ({ column }) => first(column, { ignoreNulls: true }),
  ({ column }) => last(column, { ignoreNulls: true }),
  ({ column, other }) => argMin(column, other),
  ({ column, other }) => argMax(column, other),
];

export const SUMS: readonly Ask[] = [({ column }) => sum(column), ({ column }) => mean(column)];

const OF_NUMBERS: readonly Ask[] = [
  ...OF_ANY,
  // the sums come often: they have the most ways to go wrong
  ...SUMS,
  ...SUMS,
  ...SUMS,
  ({ column, share }) => variance(column, { population: share < 0.5 }),
  ({ column, share }) => stddev(column, { population: share < 0.5 }),
  ({ column, number }) => covariance(column, number),
  ({ column, number }) => correlation(column, number),
];

const BETWEEN: readonly Ask[] = [
  ({ column }) => median(column),
  ({ column, share }) => quantile(column, share, { interpolation: share < 0.5 ? 'linear' : 'midpoint' }),
];

const decimalSum: Ask = ({ column }) => sum(column, { as: 'decimal' });

/** Every aggregate of a kind of column. */
export function aggregatesOf({ values, name }: Kind): readonly Ask[] {
  switch (values) {
    case 'int':
      return [...OF_NUMBERS, ...BETWEEN, decimalSum];
    case 'bool':
      return [...OF_NUMBERS, decimalSum, ({ column }) => every(column), ({ column }) => some(column)];
    case 'float':
    case 'decimal':
      return [...OF_NUMBERS, ...BETWEEN];
    case 'duration':
      return [...OF_ANY, ({ column }) => sum(column)];
    case 'other':
      return isText(name) ? [...OF_ANY, ({ column }) => join(column, '; ')] : OF_ANY;
  }
}

function isText(name: string): boolean {
  return /utf8/i.test(name);
}
