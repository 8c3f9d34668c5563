import type { Value } from '../core/read-values.js';
import type { DataType, TimeUnit } from '../core/type.js';

/**
 * How a value of a type is written as text, without quotes: integers and decimals with all their digits, floats by
 * the shortest text that reads back as the same double, dates and times as ISO 8601, binary in hexadecimal.
 */
export function textOf(type: DataType): (value: Value) => string {
  switch (type.kind) {
    case 'dictionary':
      return textOf(type.value);
    case 'float':
      return (value) => (Object.is(value, -0) ? '-0' : String(value));
    case 'decimal':
      return (value) => decimal(value as bigint, type.scale);
    case 'utf8':
      return (value) => decoder.decode(value as Uint8Array);
    case 'binary':
    case 'fixedBinary':
      return (value) => Buffer.from(value as Uint8Array).toString('hex');
    case 'date':
      return type.unit === 'day'
        ? (value) => date(Number(value))
        : (value) => dateOfMilliseconds(value as bigint);
    case 'timestamp': {
      const suffix = type.zone === null ? '' : 'Z';
      return (value) => timestamp(value as bigint, type.unit) + suffix;
    }
    case 'time':
      return (value) => clock(value as bigint, type.unit);
    default:
      return String;
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function decimal(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled < 0n ? -unscaled : unscaled);
  if (scale <= 0) return `${sign}${digits}${unscaled === 0n ? '' : '0'.repeat(-scale)}`;
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** The proleptic Gregorian calendar. Source: https://howardhinnant.github.io/date_algorithms.html */
function date(days: number): string {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const mp = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * mp + 2) / 5) + 1;
  const month = mp < 10 ? mp + 3 : mp - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${yearText(year)}-${two(month)}-${two(day)}`;
}

/** Years outside 0 to 9999 are written with a sign and six digits or more, as ISO 8601 has them by agreement. */
function yearText(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0');
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`;
}

function two(n: number): string {
  return n < 10 ? `0${n}` : String(n);
}

function dateOfMilliseconds(value: bigint): string {
  const [days, rest] = floorDivide(value, 86_400_000n);
  return rest === 0n ? date(Number(days)) : timestamp(value, 'ms');
}

function timestamp(value: bigint, unit: TimeUnit): string {
  const [days, rest] = floorDivide(value, 86_400n * perSecond[unit]);
  return `${date(Number(days))}T${clock(rest, unit)}`;
}

const perSecond: Readonly<Record<TimeUnit, bigint>> = {
  s: 1n,
  ms: 1_000n,
  us: 1_000_000n,
  ns: 1_000_000_000n,
};

/** A time of the day, with 0, 3, 6 or 9 digits of a second by unit. */
function clock(value: bigint, unit: TimeUnit): string {
  const [seconds, fraction] = floorDivide(value, perSecond[unit]);
  const s = Number(seconds);
  const text = `${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
  return unit === 's' ? text : `${text}.${String(fraction).padStart(digits[unit], '0')}`;
}

const digits: Readonly<Record<TimeUnit, number>> = { s: 0, ms: 3, us: 6, ns: 9 };

/** The quotient towards minus infinity, and what is left. */
function floorDivide(value: bigint, by: bigint): [quotient: bigint, rest: bigint] {
  const rest = ((value % by) + by) % by;
  return [(value - rest) / by, rest];
}
