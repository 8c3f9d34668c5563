import { floorDivide } from './real.js';

/** A day of the proleptic Gregorian calendar; months and days count from 1. */
export interface CivilDay {
  readonly year: bigint;
  readonly month: bigint;
  readonly day: bigint;
}

/**
 * Days since 1970-01-01 as a day of the calendar: Howard Hinnant's `civil_from_days`
 * (https://howardhinnant.github.io/date_algorithms.html). In BigInt, as timestamps in seconds go far beyond Date.
 */
export function civilDay(days: bigint): CivilDay {
  const shifted = days + 719_468n;
  const era = floorDivide(shifted, 146_097n);
  const dayOfEra = shifted - era * 146_097n;
  const yearOfEra = (dayOfEra - dayOfEra / 1_460n + dayOfEra / 36_524n - dayOfEra / 146_096n) / 365n;
  const dayOfYear = dayOfEra - (365n * yearOfEra + yearOfEra / 4n - yearOfEra / 100n);
  const fromMarch = (5n * dayOfYear + 2n) / 153n;
  const day = dayOfYear - (153n * fromMarch + 2n) / 5n + 1n;
  const month = fromMarch < 10n ? fromMarch + 3n : fromMarch - 9n;
  return { year: yearOfEra + era * 400n + (month <= 2n ? 1n : 0n), month, day };
}

/** The days since 1970-01-01 of a day of the calendar: Howard Hinnant's `days_from_civil`. */
export function daysOf({ year, month, day }: CivilDay): bigint {
  const shifted = month <= 2n ? year - 1n : year;
  const era = floorDivide(shifted, 400n);
  const yearOfEra = shifted - era * 400n;
  const fromMarch = month > 2n ? month - 3n : month + 9n;
  const dayOfYear = (153n * fromMarch + 2n) / 5n + day - 1n;
  const dayOfEra = yearOfEra * 365n + yearOfEra / 4n - yearOfEra / 100n + dayOfYear;
  return era * 146_097n + dayOfEra - 719_468n;
}

/** The last day of a month of the calendar. */
export function lastDay(year: bigint, month: bigint): bigint {
  const [nextYear, nextMonth] = month === 12n ? [year + 1n, 1n] : [year, month + 1n];
  return daysOf({ year: nextYear, month: nextMonth, day: 1n }) - daysOf({ year, month, day: 1n });
}
