import type { Comparable } from './conditions.js';
import { describe } from './describe.js';
import { queryError } from './errors.js';
import type { Ratio } from './exact.js';
import { floatFloor } from './float-floor.js';
import { parseDuration, parseInstant, parseMonths, parseTimeOfDay } from './parse-time.js';
import type { Value } from './read-values.js';
import { floorTo, parseDecimal, type Real, realOf } from './real.js';
import { type DataType, layoutOf, TICKS, type TimeUnit, typeName, valueType } from './type.js';

/** Where a given value stands among the values of a type: the greatest that is not above it; undefined where all are. */
export interface Place {
  readonly value: Value | undefined;
  /** Whether that one is the given value itself. */
  readonly exact: boolean;
}

/**
 * Finds the place of a value that a condition compares a column with, exactly: no value is rounded to the type.
 * @param place what the error names
 * @throws QueryError where values of the type cannot be compared with it.
 */
export function placeValue(type: DataType, given: Exclude<Comparable, null>, place: string): Place {
  const plain = valueType(type);
  const refuse = (wanted: string): Error =>
    queryError(place, describeValue(given), `${wanted}, what ${typeName(plain)} compares with`);
  switch (plain.kind) {
    case 'bool':
      if (typeof given !== 'boolean') throw refuse('true or false');
      return { value: given, exact: true };
    case 'utf8':
      if (typeof given !== 'string' || LONE_SURROGATE.test(given)) throw refuse('well-formed text');
      return { value: new TextEncoder().encode(given), exact: true };
    case 'binary':
    case 'fixedBinary':
      if (!(given instanceof Uint8Array)) throw refuse('a Uint8Array');
      return { value: given.slice(), exact: true };
    case 'int':
    case 'float':
      if (typeof given !== 'number' && typeof given !== 'bigint') throw refuse('a number or bigint');
      return plain.kind === 'float' ? placeFloat(plain.bits, given) : placeInteger(plain, ONE, realOf(given));
    default: {
      const [real, perOne, wanted] = readScaled(plain, given);
      if (real === undefined) throw refuse(wanted);
      return placeInteger(plain, perOne, real);
    }
  }
}

/** Half of a pair, which no UTF-8 has. */
const LONE_SURROGATE = /\p{Surrogate}/u;

const ONE: Ratio = { n: 1n, d: 1n };
const PER_DAY: Ratio = { n: 1n, d: 86_400n };

type Scaled = readonly [real: Real | undefined, perOne: Ratio, wanted: string];

/** A value for a type that counts parts: of one, of a second, or months. */
function readScaled(type: DataType, given: Exclude<Comparable, null>): Scaled {
  switch (type.kind) {
    case 'decimal': {
      const power = 10n ** BigInt(Math.abs(type.scale));
      const perOne = type.scale >= 0 ? { n: power, d: 1n } : { n: 1n, d: power };
      return [decimalOf(given), perOne, 'a decimal in text, a bigint or a whole number'];
    }
    case 'date':
      return [
        instantOf(given),
        type.unit === 'day' ? PER_DAY : perSecond('ms'),
        'a Date or an ISO date in text',
      ];
    case 'timestamp':
      return [instantOf(given), perSecond(type.unit), 'a Date or an ISO date and time in text'];
    case 'time':
      return [
        typeof given === 'string' ? parseTimeOfDay(given) : undefined,
        perSecond(type.unit),
        'an ISO time of day in text',
      ];
    case 'duration':
      return typeof given === 'string'
        ? [parseDuration(given), perSecond(type.unit), DURATION]
        : [numberOf(given), ONE, DURATION];
    case 'interval':
      return typeof given === 'string'
        ? [parseMonths(given), ONE, INTERVAL]
        : [numberOf(given), ONE, INTERVAL];
    default:
      return [undefined, ONE, 'nothing'];
  }
}

function perSecond(unit: TimeUnit): Ratio {
  return { n: TICKS[unit], d: 1n };
}

const DURATION = 'a number or bigint of its unit, or an ISO duration in text';
const INTERVAL = 'a number or bigint of months, or an ISO duration of years and months in text';

function numberOf(given: Comparable): Real | undefined {
  return typeof given === 'number' || typeof given === 'bigint' ? realOf(given) : undefined;
}

/** Fractions in doubles are hardly ever the decimals that were meant, so they are asked for as text. */
function decimalOf(given: Comparable): Real | undefined {
  if (typeof given === 'string') return parseDecimal(given);
  return typeof given === 'bigint' || Number.isInteger(given) ? numberOf(given) : undefined;
}

/** Seconds since 1970. */
function instantOf(given: Comparable): Ratio | undefined {
  if (given instanceof Date) {
    const time = given.getTime();
    return Number.isNaN(time) ? undefined : { n: BigInt(time), d: 1000n };
  }
  return typeof given === 'string' ? parseInstant(given) : undefined;
}

function placeFloat(bits: 16 | 32 | 64, given: number | bigint): Place {
  const real = realOf(given);
  if (typeof real === 'string') return { value: Number(given), exact: true };
  const value = floatFloor(bits, real);
  const exact = Number.isFinite(value) && isEqual(realOf(value), real);
  return { value: value === 0 ? 0 : value, exact };
}

function isEqual(a: Real, b: Ratio): boolean {
  return typeof a !== 'string' && a.n * b.d === b.n * a.d;
}

function placeInteger(type: DataType, perOne: Ratio, real: Real): Place {
  const [least, greatest] = rangeOf(type);
  if (real === 'below all') return { value: undefined, exact: false };
  if (typeof real === 'string') return { value: greatest, exact: false };
  const floor = floorTo(real, perOne);
  if (floor < least) return { value: undefined, exact: false };
  if (floor > greatest) return { value: greatest, exact: false };
  return { value: floor, exact: floor * real.d * perOne.d === real.n * perOne.n };
}

/** The least and the greatest value that the storage of a type holds. */
export function rangeOf(type: DataType): readonly [bigint, bigint] {
  const layout = layoutOf(type);
  if (layout.form !== 'integer') throw new TypeError(`${typeName(type)} does not hold integers`);
  const bits = BigInt(layout.bits);
  return layout.signed ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n];
}

function describeValue(given: Comparable): string {
  if (given instanceof Date) {
    return Number.isNaN(given.getTime()) ? 'an invalid Date' : `the Date ${given.toISOString()}`;
  }
  return given instanceof Uint8Array ? 'a Uint8Array' : describe(given);
}
