import type { TimeUnit } from '../core/type.js';

/*
 * Dates and timestamps from ISO 8601 text: `2024-02-29`, `2024-02-29T12:00:00.123456Z`, with a blank for the T, with
 * seconds and fraction left out.
 */

/** Days since 1970-01-01; undefined where the text is no date of the calendar. */
export function dateAt(bytes: Uint8Array, start: number, end: number): number | undefined {
  if (end - start !== 10 || bytes[start + 4] !== dash || bytes[start + 7] !== dash) return undefined;
  const year = digitsAt(bytes, start, 4);
  const month = digitsAt(bytes, start + 5, 2);
  const day = digitsAt(bytes, start + 8, 2);
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  return daysFromCivil(year, month, day);
}

const dash = 45;
const colon = 58;
const point = 46;
const blank = 32;

/**
 * Units since 1970-01-01T00:00; undefined where the text is no timestamp, its fraction has digits beyond the unit, or
 * it names an offset from UTC and `zoned` is false. Zoned text without an offset is taken as UTC.
 */
export function timestampAt(
  bytes: Uint8Array,
  start: number,
  end: number,
  unit: TimeUnit,
  zoned: boolean,
): bigint | undefined {
  const days = dateAt(bytes, start, Math.min(start + 10, end));
  if (days === undefined) return undefined;
  let seconds = days * 86_400;
  let fraction = 0;
  let at = start + 10;
  if (at < end) {
    if ((bytes[at] !== letterT && bytes[at] !== blank) || bytes[at + 3] !== colon) return undefined;
    const hour = digitsAt(bytes, at + 1, 2);
    const minute = digitsAt(bytes, at + 4, 2);
    at += 6;
    if (at > end || hour < 0 || hour > 23 || minute < 0 || minute > 59) return undefined;
    seconds += hour * 3600 + minute * 60;
    if (at < end && bytes[at] === colon) {
      const second = digitsAt(bytes, at + 1, 2);
      at += 3;
      if (at > end || second < 0 || second > 59) return undefined;
      seconds += second;
      if (at < end && bytes[at] === point) {
        const from = at + 1;
        at = from;
        while (at < end && digit(bytes[at]) >= 0) at += 1;
        const read = fractionAt(bytes, from, at, places[unit]);
        if (read === undefined) return undefined;
        fraction = read;
      }
    }
    const offset = zoned ? offsetAt(bytes, at, end) : at === end ? 0 : undefined;
    if (offset === undefined) return undefined;
    seconds -= offset;
  }
  const value = BigInt(seconds) * scales[unit] + BigInt(fraction);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

const letterT = 84;
const letterZ = 90;

/** Digits of a fraction of a second. */
const places: Readonly<Record<TimeUnit, number>> = { s: 0, ms: 3, us: 6, ns: 9 };

const scales: Readonly<Record<TimeUnit, bigint>> = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n };

function fractionAt(bytes: Uint8Array, from: number, to: number, digits: number): number | undefined {
  if (to === from) return undefined;
  let value = 0;
  for (let i = 0; i < Math.max(digits, to - from); i++) {
    const next = from + i < to ? digit(bytes[from + i]) : 0;
    if (i < digits) value = value * 10 + next;
    else if (next !== 0) return undefined;
  }
  return value;
}

/** Seconds east of UTC of `Z`, `+01:00`, `+0100` or nothing. */
function offsetAt(bytes: Uint8Array, at: number, end: number): number | undefined {
  if (at === end) return 0;
  if (bytes[at] === letterZ) return at + 1 === end ? 0 : undefined;
  const sign = bytes[at] === dash ? -1 : bytes[at] === 43 ? 1 : 0;
  const hour = digitsAt(bytes, at + 1, 2);
  const minuteAt = bytes[at + 3] === colon ? at + 4 : at + 3;
  const minute = digitsAt(bytes, minuteAt, 2);
  if (sign === 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || minuteAt + 2 !== end)
    return undefined;
  return sign * (hour * 3600 + minute * 60);
}

/** -1 where they are not all digits. */
function digitsAt(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i++) {
    const next = digit(bytes[at + i]);
    if (next < 0) return -1;
    value = value * 10 + next;
  }
  return value;
}

function digit(byte: number | undefined): number {
  return byte !== undefined && byte >= 48 && byte <= 57 ? byte - 48 : -1;
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** The proleptic Gregorian calendar. Source: https://howardhinnant.github.io/date_algorithms.html */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719_468
  );
}
