import { civilDay, daysOf, lastDay } from './calendar.js';
import type { Ratio } from './exact.js';
import type { CheckedTimeBucket } from './plan.js';
import { floorDivide } from './real.js';
import { type TimeZone, timeZone } from './time-zone.js';

/** No clock has ever been further from UTC: Manila was behind by 15:56 until 1844, and ahead by as much is none. */
const FURTHEST = 16n * 3600n;

/**
 * A function from a time to the start of the bucket that holds it, both in ticks since 1970-01-01T00:00Z; the start may be out of
 * the type's range. Buckets begin where the clock's reading, rounded down to the width, changes. Where they are narrower than
 * a day, also where it reads a multiple of the width, so that what is read twice is two buckets; else what is read twice is one
 * bucket, and begins where it is first read.
 */
export function timeBucketStart(bucket: CheckedTimeBucket): (tick: bigint) => bigint {
  const floor = floorOf(bucket);
  if (bucket.zone === null) return floor;
  const clock = clockOf(bucket.zone, bucket.day);
  return isNarrow(bucket) ? narrowStart(floor, clock) : wideStart(floor, clock, furthestOf(bucket));
}

/** Whether what a clock reads twice is two buckets. */
export function isNarrow(bucket: CheckedTimeBucket): boolean {
  return bucket.in === 'ticks' && bucket.width < bucket.day;
}

/** How far a clock may be from UTC, in ticks. */
export function furthestOf({ day }: CheckedTimeBucket): bigint {
  return (FURTHEST * day) / 86_400n;
}

/** What the clock of a zone reads at an instant: both in seconds since 1970-01-01T00:00. */
export function localReading(zone: string | null, { n, d }: Ratio): Ratio {
  const offset = zone === null ? 0n : zoneOf(zone).at(floorDivide(n, d)).offset;
  return { n: n + offset * d, d };
}

function zoneOf(name: string): TimeZone {
  const zone = timeZone(name);
  if (zone === undefined) throw new RangeError(`no time zone is called ${name}`);
  return zone;
}

/** Ticks to the start of the bucket, both as a clock reads. */
export type Floor = (reading: bigint) => bigint;

export function floorOf(bucket: CheckedTimeBucket): Floor {
  return bucket.in === 'months' ? monthFloor(bucket) : tickFloor(bucket);
}

function tickFloor({ width, origin }: CheckedTimeBucket): Floor {
  return (reading) => floorDivide(reading - origin, width) * width + origin;
}

/** Where the origin is on a day that a month does not have, buckets begin on its last. */
function monthFloor({ width, origin, day }: CheckedTimeBucket): Floor {
  const originDays = floorDivide(origin, day);
  const clock = origin - originDays * day;
  const first = civilDay(originDays);
  const firstMonth = first.year * 12n + first.month - 1n;
  const boundary = (number: bigint): bigint => {
    const months = firstMonth + number * width;
    const year = floorDivide(months, 12n);
    const month = months - year * 12n + 1n;
    const last = lastDay(year, month);
    const within = { year, month, day: first.day };
    return daysOf(first.day > last ? { ...within, day: last } : within) * day + clock;
  };
  return (reading) => {
    const { year, month } = civilDay(floorDivide(reading, day));
    const number = floorDivide(year * 12n + month - 1n - firstMonth, width);
    const start = boundary(number);
    return start <= reading ? start : boundary(number - 1n);
  };
}

/** A stretch of one offset, in ticks; see time-zone.ts. */
export interface Stretch {
  readonly start: bigint | undefined;
  readonly end: bigint;
  readonly offset: bigint;
}

/** The stretches of a zone in ticks, of which a second has one or more, or one stands for a day. */
export function clockOf(name: string, day: bigint): (tick: bigint) => Stretch {
  const zone = zoneOf(name);
  const perSecond = day / 86_400n;
  return (tick) => {
    const { start, end, offset } = zone.at(floorDivide(tick, perSecond));
    return {
      start: start === undefined ? undefined : start * perSecond,
      end: end * perSecond,
      offset: offset * perSecond,
    };
  };
}

function narrowStart(floor: Floor, clock: (tick: bigint) => Stretch): (tick: bigint) => bigint {
  return (tick) => {
    for (let at = tick; ; ) {
      const { start, offset } = clock(at);
      const boundary = floor(at + offset) - offset;
      if (start === undefined || boundary >= start) return boundary;
      const before = start - 1n;
      if (floor(before + clock(before).offset) !== floor(start + offset)) return start;
      at = before;
    }
  };
}

function wideStart(
  floor: Floor,
  clock: (tick: bigint) => Stretch,
  furthest: bigint,
): (tick: bigint) => bigint {
  return (tick) => {
    let stretch = clock(tick);
    const reading = floor(tick + stretch.offset);
    let first = tick;
    for (let end = tick + 1n; ; ) {
      const { start, offset } = stretch;
      const boundary = reading - offset;
      const at = start === undefined || boundary > start ? boundary : start;
      if (at < end && floor(at + offset) === reading) first = at;
      // No earlier instant reads as much, whatever the offset.
      if (start === undefined || start <= reading - furthest) return first;
      end = start;
      stretch = clock(start - 1n);
    }
  };
}
