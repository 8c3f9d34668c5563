import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckedTimeBucket } from '../../dist/core/plan.js';
import { timeBucketStart } from '../../dist/core/time-bucket.js';
import { timeZone } from '../../dist/core/time-zone.js';

const MINUTE = 60n;
const DAY = 86_400n;

const bucket = (zone: string, width: bigint): CheckedTimeBucket => ({
  kind: 'time',
  width,
  in: 'ticks',
  origin: 0n,
  zone,
  day: DAY,
});

const ZONES = ['Europe/Berlin', 'America/New_York', 'America/Havana', 'Australia/Lord_Howe', 'Asia/Gaza'];
/** Minutes of about sixty years, near which some zone or other changes its clock. */
const minutes = fc.integer({ min: 0, max: 30_000_000 }).map((minute) => BigInt(minute) * MINUTE);

const readingAt = (zone: string, second: bigint): bigint =>
  second + (timeZone(zone)?.at(second).offset ?? 0n);
const floorTo = (x: bigint, width: bigint): bigint => x - (((x % width) + width) % width);

describe('timeBucketStart', () => {
  it('begins narrow buckets where the floor changes or a multiple is read, and nowhere else', () => {
    const widths = fc.constantFrom(15n * MINUTE, 60n * MINUTE, 120n * MINUTE, 180n * MINUTE);
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), minutes, widths, (zone, at, width) => {
        // Walks back a minute at a time: clocks have changed on whole minutes since 1970.
        let start = at;
        for (;;) {
          const reading = readingAt(zone, start);
          const before = readingAt(zone, start - MINUTE);
          if (reading % width === 0n || floorTo(before, width) !== floorTo(reading, width)) break;
          start -= MINUTE;
        }
        expect(timeBucketStart(bucket(zone, width))(at)).toBe(start);
      }),
    );
  });

  it('begins a day where its first instant is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), minutes, (zone, at) => {
        const day = floorTo(readingAt(zone, at), DAY);
        let first = at;
        for (let second = at; second > at - 2n * DAY; second -= MINUTE) {
          if (floorTo(readingAt(zone, second), DAY) === day) first = second;
        }
        expect(timeBucketStart(bucket(zone, DAY))(at)).toBe(first);
      }),
      { numRuns: 30 },
    );
  });
});
