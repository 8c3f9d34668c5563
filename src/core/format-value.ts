import { civilDay } from './calendar.js';
import type { Value } from './read-values.js';
import { floorDivide } from './real.js';
import { type DataType, type TimeUnit, valueType } from './type.js';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * A value as text that means the same everywhere: digits for integers, the shortest digits that give the same double for
 * floats, decimals with as many decimal places as their scale says, ISO 8601 for dates, times of day and timestamps (with Z
 * where the type has a zone, the fraction as long as the unit says), durations and intervals as a number of their unit, text
 * as it is, other bytes in hexadecimal.
 */
export function formatValue(type: DataType, value: Value): string {
  const plain = valueType(type);
  if (value instanceof Uint8Array) {
    return plain.kind === 'utf8' ? decoder.decode(value) : Buffer.from(value).toString('hex');
  }
  if (typeof value !== 'bigint') return String(value);
  switch (plain.kind) {
    case 'decimal':
      return formatDecimal(plain.scale, value);
    case 'date':
      return formatDate(plain.unit, value);
    case 'time':
      return formatClock(plain.unit, value);
    case 'timestamp':
      return formatInstant(plain.unit, value) + (plain.zone === null ? '' : 'Z');
    default:
      return String(value);
  }
}

/** A negative scale counts zeros before the decimal point. */
function formatDecimal(scale: number, value: bigint): string {
  if (scale <= 0) return String(value * 10n ** BigInt(-scale));
  const sign = value < 0n ? '-' : '';
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const DIGITS: Readonly<Record<TimeUnit, number>> = { s: 0, ms: 3, us: 6, ns: 9 };
const SECONDS_PER_DAY = 86_400n;
const MS_PER_DAY = 86_400_000n;

function formatDate(unit: 'day' | 'ms', value: bigint): string {
  if (unit === 'day') return isoDay(value);
  // Arrow asks for whole days here but does not enforce them.
  return value % MS_PER_DAY === 0n ? isoDay(value / MS_PER_DAY) : formatInstant('ms', value);
}

function formatInstant(unit: TimeUnit, value: bigint): string {
  const unitsPerDay = SECONDS_PER_DAY * 10n ** BigInt(DIGITS[unit]);
  const days = floorDivide(value, unitsPerDay);
  return `${isoDay(days)}T${formatClock(unit, value - days * unitsPerDay)}`;
}

/** A time since midnight. Arrow asks for one within the day but does not enforce it: hours go on, and there may be a sign. */
function formatClock(unit: TimeUnit, value: bigint): string {
  if (value < 0n) return `-${formatClock(unit, -value)}`;
  const digits = DIGITS[unit];
  const perSecond = 10n ** BigInt(digits);
  const seconds = value / perSecond;
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n]
    .map((part) => padded(part, 2))
    .join(':');
  return digits === 0 ? clock : `${clock}.${padded(value % perSecond, digits)}`;
}

function isoDay(days: bigint): string {
  const { year, month, day } = civilDay(days);
  return `${isoYear(year)}-${padded(month, 2)}-${padded(day, 2)}`;
}

/** Years that four digits do not hold carry a sign and six digits or more, as ISO 8601 and Date have it. */
function isoYear(year: bigint): string {
  if (year >= 0n && year <= 9999n) return padded(year, 4);
  return year < 0n ? `-${padded(-year, 6)}` : `+${padded(year, 6)}`;
}

function padded(n: number | bigint, digits: number): string {
  return String(n).padStart(digits, '0');
}
