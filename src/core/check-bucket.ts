import { describe } from './describe.js';
import { queryError } from './errors.js';
import type { Ratio } from './exact.js';
import { optionsOf, requireNoMore } from './options-of.js';
import { parseSpan } from './parse-span.js';
import { parseLocal } from './parse-time.js';
import type { CheckedBucket, CheckedTimeBucket } from './plan.js';
import { parseDecimal } from './real.js';
import { localReading } from './time-bucket.js';
import { isTimeZone } from './time-zone.js';
import { type DataType, TICKS, typeName } from './type.js';

/**
 * Checks the bucket of a key, and settles it in units of the column's type.
 * @param place what errors name
 * @throws QueryError
 */
export function checkBucket(given: unknown, place: string, column: string, type: DataType): CheckedBucket {
  const parts = optionsOf(given, `${place}.bucket`, 'buckets, as bucket(column, width) makes them');
  const of = `${place}, ${'span' in parts ? 'timeBucket' : 'bucket'} of column ${JSON.stringify(column)}`;
  return 'span' in parts ? checkTime(parts, of, type) : checkNumber(parts, of, type);
}

function checkNumber(parts: Record<string, unknown>, place: string, type: DataType): CheckedBucket {
  const { width: givenWidth, offset: givenOffset, ...rest } = parts;
  requireNoMore(rest, place, 'only width and offset');
  const read = numberReader(type, place);
  const width = read(givenWidth, 'width');
  if (width <= 0) throw queryError(`${place}, width`, describe(givenWidth), 'a number above 0');
  return Object.freeze({ kind: 'number', width, offset: read(givenOffset ?? 0, 'offset') });
}

/** Reads numbers in units of a type. */
function numberReader(type: DataType, place: string): (given: unknown, name: string) => bigint | number {
  switch (type.kind) {
    case 'float':
      return (given, name) => {
        const value = typeof given === 'bigint' ? Number(given) : given;
        if (typeof value === 'number' && Number.isFinite(value)) return value;
        throw queryError(`${place}, ${name}`, describe(given), 'a finite number');
      };
    case 'int':
    case 'decimal':
      return (given, name) => {
        const scale = type.kind === 'decimal' ? type.scale : 0;
        const units = unitsOf(given, scale, type.kind === 'decimal');
        if (units !== undefined) return units;
        const wanted =
          type.kind === 'int' ? 'a whole number' : `a decimal in text that ${typeName(type)} can hold`;
        throw queryError(`${place}, ${name}`, describe(given), wanted);
      };
    default:
      throw queryError(place, typeName(type), 'a column of integers, floats or decimals');
  }
}

function unitsOf(given: unknown, scale: number, isText: boolean): bigint | undefined {
  const ratio =
    typeof given === 'bigint' || Number.isInteger(given)
      ? { n: BigInt(given as bigint | number), d: 1n }
      : isText && typeof given === 'string'
        ? parseDecimal(given)
        : undefined;
  const power = 10n ** BigInt(Math.abs(scale));
  return ratio && whole(ratio, scale >= 0 ? { n: power, d: 1n } : { n: 1n, d: power });
}

/** A ratio in parts, of which one has `perOne`; undefined where it is no whole number of them. */
function whole({ n, d }: Ratio, perOne: Ratio): bigint | undefined {
  const [top, bottom] = [n * perOne.n, d * perOne.d];
  return top % bottom === 0n ? top / bottom : undefined;
}

const MONDAY = 4n;

function checkTime(parts: Record<string, unknown>, place: string, type: DataType): CheckedTimeBucket {
  const { span: text, zone: givenZone, origin: givenOrigin, ...rest } = parts;
  requireNoMore(rest, place, 'only width, zone and origin');
  if (type.kind !== 'date' && type.kind !== 'timestamp')
    throw queryError(place, typeName(type), 'a column of dates or timestamps');
  const span = parseSpan(text);
  if (span === undefined)
    throw queryError(`${place}, width`, describe(text), "a whole number and a unit, as '15 minutes'");
  const zone = zoneOf(type, givenZone, place);
  const perSecond: Ratio =
    type.kind === 'timestamp'
      ? { n: TICKS[type.unit], d: 1n }
      : type.unit === 'day'
        ? { n: 1n, d: 86_400n }
        : { n: 1000n, d: 1n };
  const day = (86_400n * perSecond.n) / perSecond.d;
  const width = span.in === 'months' ? span.width : whole(span.width, perSecond);
  if (width === undefined || (type.kind === 'date' && span.in === 'seconds' && width % day !== 0n)) {
    const wanted = type.kind === 'date' ? 'whole days, months or more' : `no finer than ${typeName(type)}`;
    throw queryError(`${place}, width`, describe(text), wanted);
  }
  const monday = span.in === 'seconds' && span.weeks ? MONDAY * day : 0n;
  const origin = givenOrigin === undefined ? monday : originOf(givenOrigin, perSecond, zone, place);
  if (type.kind === 'date' && origin % day !== 0n)
    throw queryError(`${place}, option origin`, describe(givenOrigin), 'a date');
  return Object.freeze({
    kind: 'time',
    width,
    in: span.in === 'months' ? 'months' : 'ticks',
    origin,
    zone,
    day,
  });
}

function zoneOf(type: DataType, given: unknown, place: string): string | null {
  const option = `${place}, option zone`;
  if (given === undefined) {
    const own = type.kind === 'timestamp' ? type.zone : null;
    if (own === null || isTimeZone(own)) return own;
    throw queryError(
      place,
      `a column of the time zone ${JSON.stringify(own)}`,
      'one that is known, or the option zone',
    );
  }
  if (type.kind === 'date') throw queryError(option, describe(given), 'none: a date has no time zone');
  if (typeof given !== 'string' || !isTimeZone(given))
    throw queryError(option, describe(given), 'a time zone of the IANA database, or an offset as +05:30');
  return given;
}

/** What the clock reads at the origin, in ticks since 1970-01-01T00:00. */
function originOf(given: unknown, perSecond: Ratio, zone: string | null, place: string): bigint {
  const wanted = 'a Date or ISO text, no finer than the column';
  const local =
    given instanceof Date && !Number.isNaN(given.getTime())
      ? { seconds: { n: BigInt(given.getTime()), d: 1000n }, offset: 0n }
      : typeof given === 'string'
        ? parseLocal(given)
        : undefined;
  const described = given instanceof Date ? 'a Date' : describe(given);
  if (local === undefined) throw queryError(`${place}, option origin`, described, wanted);
  const { seconds, offset } = local;
  const instant = { n: seconds.n - (offset ?? 0n) * seconds.d, d: seconds.d };
  const reading = offset === undefined ? seconds : localReading(zone, instant);
  const ticks = whole(reading, perSecond);
  if (ticks === undefined) throw queryError(`${place}, option origin`, described, wanted);
  return ticks;
}
