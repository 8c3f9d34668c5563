import type { AggregateFunction, Interpolation } from './plan.js';
import type { Value } from './read-values.js';
import { type DataType, layoutOf, valueType } from './type.js';

/** The one value that stands for all that are the same key: every NaN is NaN, -0 is +0. */
export function canonical(value: Value): Value {
  if (typeof value !== 'number') return value;
  return Number.isNaN(value) ? Number.NaN : value === 0 ? 0 : value;
}

/**
 * The order of keys, ascending, and so their equality (0 where two values are one key): false before true; integers,
 * decimals and times by value; floats from -Infinity to Infinity, then NaN, -0 with +0; text and binary by
 * unsigned bytes; dictionaries by the value that a code stands for. Negative where `a` comes first.
 */
export function compareKeys(type: DataType, a: Value, b: Value): number {
  switch (layoutOf(valueType(type)).form) {
    case 'offsets':
    case 'views':
    case 'bytes':
      return Buffer.compare(a as Uint8Array, b as Uint8Array);
    case 'float': {
      const [x, y] = [a as number, b as number];
      if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
      return x < y ? -1 : x > y ? 1 : 0;
    }
    default:
      return a < b ? -1 : a > b ? 1 : 0;
  }
}

/** What {@link compareWithNulls} needs to know of a key. */
export interface KeyOrder {
  readonly type: DataType;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** The order of one key of a query: direction turns the order of values only, nulls stand where they are told to. */
export function compareWithNulls(key: KeyOrder, a: Value | null, b: Value | null): number {
  if (a === null || b === null) {
    if (a === b) return 0;
    return (a === null) === key.nullsFirst ? -1 : 1;
  }
  return key.descending ? compareKeys(key.type, b, a) : compareKeys(key.type, a, b);
}

/** The order of groups: first key first. */
export function compareGroups(
  keys: readonly KeyOrder[],
  a: readonly (Value | null)[],
  b: readonly (Value | null)[],
): number {
  for (const [i, key] of keys.entries()) {
    const order = compareWithNulls(key, a[i], b[i]);
    if (order !== 0) return order;
  }
  return 0;
}

const INT64: DataType = { kind: 'int', bits: 64, signed: true };
const UINT64: DataType = { kind: 'int', bits: 64, signed: false };
const FLOAT64: DataType = { kind: 'float', bits: 64 };

/** Whether values of a type have an order: only such columns can be keys or be aggregated, all but the nested ones. */
export function isOrdered(type: DataType): boolean {
  return layoutOf(valueType(type)).form !== 'nested';
}

/** What the type of an aggregate depends on beside its function and column. */
export interface ResultOptions {
  /** The type of the second column, where there is one. */
  readonly second?: DataType;
  readonly as?: 'decimal';
  readonly interpolation?: Interpolation;
}

/** The type of an aggregate over a column of `type`; undefined where there is no such aggregate. */
export function resultType(
  aggregate: AggregateFunction,
  type: DataType,
  { second = type, as, interpolation = 'linear' }: ResultOptions = {},
): DataType | undefined {
  const value = valueType(type);
  const ordered = isOrdered(value) ? value : undefined;
  switch (aggregate) {
    case 'count':
    case 'countDistinct':
      return ordered && INT64;
    case 'sum':
      return as === 'decimal' ? decimalSumType(value) : sumType(value);
    case 'mean':
    case 'variance':
    case 'stddev':
    case 'covariance':
    case 'correlation':
      return isNumeric(value) && isNumeric(valueType(second)) ? FLOAT64 : undefined;
    case 'argMin':
    case 'argMax':
      return isOrdered(second) ? ordered : undefined;
    case 'min':
    case 'max':
    case 'first':
    case 'last':
    case 'mode':
      return ordered;
    case 'median':
    case 'quantile':
      if (interpolation !== 'linear' && interpolation !== 'midpoint') return ordered;
      return isNumeric(value) && value.kind !== 'bool' ? FLOAT64 : undefined;
    case 'top':
    case 'bottom':
    case 'list':
      return ordered && { kind: 'list', item: ordered };
    case 'join':
      return value.kind === 'utf8' ? { kind: 'utf8', form: 'plain' } : undefined;
    case 'every':
    case 'some':
      return value.kind === 'bool' ? value : undefined;
  }
}

/** Whether values have a mean: numbers, with Bool as 0 and 1, but no times. */
function isNumeric({ kind }: DataType): boolean {
  return kind === 'bool' || kind === 'int' || kind === 'float' || kind === 'decimal';
}

/** The type of `sum(x, { as: 'decimal' })`; undefined where there is none. */
function decimalSumType({ kind }: DataType): DataType | undefined {
  return kind === 'int' || kind === 'bool' ? decimalType(128, 0) : undefined;
}

/** The decimal of the most digits that `bits` hold. */
function decimalType(bits: 128 | 256, scale: number): DataType {
  return { kind: 'decimal', bits, precision: bits === 256 ? 76 : 38, scale };
}

function sumType(type: DataType): DataType | undefined {
  switch (type.kind) {
    case 'bool':
      return INT64;
    case 'int':
      return type.signed ? INT64 : UINT64;
    case 'float':
      return FLOAT64;
    case 'decimal':
      return decimalType(type.bits === 256 ? 256 : 128, type.scale);
    case 'duration':
      return type;
    default:
      return undefined;
  }
}
