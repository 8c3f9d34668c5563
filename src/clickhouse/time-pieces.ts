import { queryError } from '../core/errors.js';
import type { CheckedKey, CheckedTimeBucket } from '../core/plan.js';
import type { Value } from '../core/read-values.js';
import { floorDivide } from '../core/real.js';
import { timeBucketStart } from '../core/time-bucket.js';
import { timeZone } from '../core/time-zone.js';
import { integerOf } from './carrier.js';
import { floorSql } from './floor-sql.js';

/** The least and the greatest of the times that there are, in ticks. */
export interface Span {
  readonly least: bigint;
  readonly greatest: bigint;
}

/** Whether the buckets of a key follow the calendar or the clock of a zone, so that they are made of the times that there are. */
export function followsClock({ bucket }: CheckedKey): boolean {
  return bucket?.kind === 'time' && (bucket.in === 'months' || bucket.zone !== null);
}

/** Buckets in SQL: equal where the buckets are, and in their order. */
export interface ClockBuckets {
  readonly sql: string;
  /** Where the bucket starts that a value of `sql` stands for. */
  readonly startOf: (carried: Value) => bigint;
}

/**
 * The buckets of times within a span, by the same definition and time zones as in the other engines: the server's own are never asked.
 * @param x an Int64 that is not null
 * @throws QueryError where there are too many buckets to be told the server.
 */
export function clockBuckets(
  key: CheckedKey,
  bucket: CheckedTimeBucket,
  x: string,
  span: Span,
): ClockBuckets {
  return bucket.in === 'ticks' && bucket.width < bucket.day
    ? { sql: narrowSql(key, bucket, x, span), startOf: integerOf }
    : pieces(key, bucket, x, span);
}

/** A stretch of time in which a zone has one offset, in ticks. */
interface Stretch {
  readonly start: bigint | undefined;
  readonly offset: bigint;
}

function clockOf({ zone: name, day }: CheckedTimeBucket): (tick: bigint) => Stretch {
  const zone = name === null ? undefined : timeZone(name);
  if (zone === undefined) return () => ({ start: undefined, offset: 0n });
  const perSecond = day / 86_400n;
  return (tick) => {
    const { start, offset } = zone.at(floorDivide(tick, perSecond));
    return { start: start === undefined ? undefined : start * perSecond, offset: offset * perSecond };
  };
}

const LEAST = -(2n ** 63n);

/**
 * In a stretch a bucket narrower than a day begins where the reading of the clock, rounded down, does; where that lies before the
 * stretch, it is the bucket of the first instant of the stretch, which is one for each.
 */
function narrowSql(key: CheckedKey, bucket: CheckedTimeBucket, x: string, span: Span): string {
  const clock = clockOf(bucket);
  const startOf = timeBucketStart(bucket);
  const stretches: { readonly from: bigint; readonly offset: bigint; readonly first: bigint }[] = [];
  for (let at = span.greatest; ; ) {
    const { start, offset } = clock(at);
    const first = start === undefined ? LEAST : startOf(start);
    stretches.unshift({ from: start ?? LEAST, offset, first });
    if (start === undefined || start <= span.least) break;
    at = start - 1n;
  }
  const from = integers(stretches.map((one) => one.from));
  const stretch = `roundDown(${x}, ${from})`;
  const of = (values: readonly bigint[]): string =>
    `transform(${stretch}, ${from}, ${integers(values)}, toInt64(0))`;
  const offset = of(stretches.map((one) => one.offset));
  const start = `(${floorSql(`(toInt256(${x}) + ${offset})`, bucket.width, bucket.origin, key)} - ${offset})`;
  return `if(${start} >= ${stretch}, ${start}, toInt256(${of(stretches.map((one) => one.first))}))`;
}

/** How many pieces of time are told the server at most: days of 270 years. */
const MOST_PIECES = 100_000;

/** Every piece of time in which all times are of one bucket, one by one. A bucket may have several, where a clock was put back. */
function pieces(key: CheckedKey, bucket: CheckedTimeBucket, x: string, span: Span): ClockBuckets {
  const clock = clockOf(bucket);
  const startOf = timeBucketStart(bucket);
  const floor = timeBucketStart({ ...bucket, zone: null });
  const found: { readonly from: bigint; readonly start: bigint }[] = [];
  for (let at = span.greatest; ; ) {
    const { start, offset } = clock(at);
    const boundary = floor(at + offset) - offset;
    const from = start === undefined || boundary > start ? boundary : start;
    found.push({ from, start: startOf(at) });
    if (from <= span.least) break;
    if (found.length === MOST_PIECES) {
      throw queryError(
        `key ${JSON.stringify(key.name)}`,
        `times that are more than ${MOST_PIECES} buckets apart`,
        'fewer: buckets of the calendar or of a time zone are told the server one by one',
      );
    }
    at = from - 1n;
  }
  found.reverse();
  const starts = [...new Set(found.map(({ start }) => start))].toSorted((a, b) => (a < b ? -1 : 1));
  const numbers = new Map(starts.map((start, number) => [start, BigInt(number)]));
  // The first piece may begin before all times that there can be.
  const from = integers(found.map((piece) => (piece.from < LEAST ? LEAST : piece.from)));
  const number = integers(found.map(({ start }) => numbers.get(start) ?? 0n));
  return {
    sql: `transform(roundDown(${x}, ${from}), ${from}, ${number}, toInt64(0))`,
    startOf: (carried) => starts[Number(carried)],
  };
}

function integers(values: readonly bigint[]): string {
  return `CAST([${values.map((value) => `'${value}'`).join(', ')}], 'Array(Int64)')`;
}
