import { daysOf, lastDay } from './calendar.js';
import type { Ratio } from './exact.js';

const SECONDS_PER_DAY = 86_400n;

/**
 * A date, or a date and time, of ISO 8601 as exact seconds since 1970: `2024-02-29`, `2024-02-29T12:30`,
 * `2024-02-29 12:30:15.25Z`, `2024-02-29T12:30+05:30`. Years beyond four digits have a sign. Without an offset it is
 * read as UTC. Undefined where it is none of these.
 */
export function parseInstant(text: string): Ratio | undefined {
  const local = parseLocal(text);
  if (local === undefined) return undefined;
  const { seconds, offset = 0n } = local;
  return { n: seconds.n - offset * seconds.d, d: seconds.d };
}

/** As {@link parseInstant}, with what the clock reads and the offset in seconds apart; without an offset there is none. */
export function parseLocal(
  text: string,
): { readonly seconds: Ratio; readonly offset: bigint | undefined } | undefined {
  const match =
    /^([+-]\d{5,7}|\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)(?:([Zz])|([+-])(\d\d):?(\d\d))?)?$/.exec(
      text.trim(),
    );
  if (match === null) return undefined;
  const [, y, m, d, clock = '00:00', utc, sign, hours, minutes] = match;
  const [year, month, day] = [BigInt(y), BigInt(m), BigInt(d)];
  if (month < 1n || month > 12n || day < 1n || day > lastDay(year, month)) return undefined;
  const time = parseTimeOfDay(clock);
  if (time === undefined || Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return undefined;
  const seconds = { n: time.n + daysOf({ year, month, day }) * SECONDS_PER_DAY * time.d, d: time.d };
  if (sign === undefined) return { seconds, offset: utc === undefined ? undefined : 0n };
  const offset = BigInt(hours) * 3600n + BigInt(minutes) * 60n;
  return { seconds, offset: sign === '-' ? -offset : offset };
}

/** A time of day of ISO 8601 as exact seconds since midnight, to 24:00 at most; undefined where it is none. */
export function parseTimeOfDay(text: string): Ratio | undefined {
  const match = /^(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, hours, minutes, seconds = '0', fraction = ''] = match;
  if (Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const whole = BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds);
  const d = 10n ** BigInt(fraction.length);
  const n = whole * d + BigInt(fraction || '0');
  return n > SECONDS_PER_DAY * d ? undefined : { n, d };
}

/** An ISO 8601 duration of weeks, days, hours, minutes and seconds, as exact seconds: `P1DT2H`, `-PT1.5S`. */
export function parseDuration(text: string): Ratio | undefined {
  const match =
    /^([+-]?)P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,](\d+))?S)?)?$/i.exec(
      text.trim(),
    );
  if (match === null) return undefined;
  const [, sign, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0, fraction = ''] = match;
  const whole =
    (BigInt(weeks) * 7n + BigInt(days)) * SECONDS_PER_DAY +
    BigInt(hours) * 3600n +
    BigInt(minutes) * 60n +
    BigInt(seconds);
  const d = 10n ** BigInt(fraction.length);
  const n = whole * d + BigInt(fraction || '0');
  return { n: sign === '-' ? -n : n, d };
}

/** An ISO 8601 duration of years and months, as months: `P1Y6M`. */
export function parseMonths(text: string): Ratio | undefined {
  const match = /^([+-]?)P(?=.)(?:(\d+)Y)?(?:(\d+)M)?$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, sign, years = 0, months = 0] = match;
  const n = BigInt(years) * 12n + BigInt(months);
  return { n: sign === '-' ? -n : n, d: 1n };
}
