import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeZone } from '../../dist/core/time-zone.js';

const second = (text: string): bigint => BigInt(Date.parse(text)) / 1000n;
const offsetAt = (zone: string, text: string): bigint | undefined => timeZone(zone)?.at(second(text)).offset;

describe('timeZone', () => {
  // The tz database: https://www.iana.org/time-zones
  it.each([
    ['Europe/Berlin', '2023-10-29T00:59:59Z', 7200n],
    ['Europe/Berlin', '2023-10-29T01:00:00Z', 3600n],
    ['America/New_York', '2024-03-10T06:59:59Z', -18000n],
    ['America/New_York', '2024-03-10T07:00:00Z', -14400n],
    ['America/New_York', '1883-11-18T16:59:59Z', -17762n],
    ['America/New_York', '1883-11-18T17:00:00Z', -18000n],
    ['Australia/Lord_Howe', '2024-01-01T00:00:00Z', 39600n],
    ['Australia/Lord_Howe', '2024-07-01T00:00:00Z', 37800n],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', -36000n],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', 50400n],
    ['UTC', '1969-12-31T23:59:59Z', 0n],
    ['-03:30', '2024-01-01T00:00:00Z', -12600n],
    ['Africa/Casablanca', '2024-03-09T12:00:00Z', 3600n],
    ['Africa/Casablanca', '2024-03-12T12:00:00Z', 0n],
  ])('%s at %s', (zone, instant, offset) => expect(offsetAt(zone, instant)).toBe(offset));

  it('has no zone of another name', () => {
    for (const name of ['Europe/Atlantis', '', '+25', '+1:00', 'constructor'])
      expect(timeZone(name)).toBeUndefined();
  });

  it('has stretches of one offset', () => {
    const berlin = timeZone('Europe/Berlin');
    const { start, end, offset } = berlin?.at(second('2024-07-01T00:00:00Z')) ?? {};
    expect([start, end, offset]).toEqual([
      second('2024-03-31T01:00:00Z'),
      second('2024-10-27T01:00:00Z'),
      7200n,
    ]);
  });

  it('has one stretch behind the other', () => {
    const seconds = fc.oneof(
      fc.bigInt(-6_000_000_000n, 9_000_000_000n),
      fc.bigInt(-6_000_000_000n, 2n ** 45n),
    );
    fc.assert(
      fc.property(fc.constantFrom('Europe/Berlin', 'Africa/Casablanca', '+05:30'), seconds, (name, at) => {
        const zone = timeZone(name);
        const { start, end = at } = zone?.at(at) ?? {};
        expect((start === undefined || start <= at) && at < end).toBe(true);
        expect(zone?.at(end - 1n)).toEqual(zone?.at(at));
        // where rules begin to repeat, a stretch may go on under another name
        const next = zone?.at(end).start;
        expect(next !== undefined && next <= end).toBe(true);
      }),
    );
  });

  it('goes on beyond Date, and before the first rule', () => {
    const year = 31_556_952n;
    // 400 Gregorian years are 146097 days, after which the days of the week come again.
    const cycle = 146_097n * 86_400n;
    const july = second('2123-07-01T00:00:00Z');
    expect(timeZone('Europe/Berlin')?.at(july + 1000n * cycle).offset).toBe(7200n);
    expect(timeZone('Europe/Berlin')?.at(july + 1000n * cycle + year / 2n).offset).toBe(3600n);
    expect(timeZone('Europe/Berlin')?.at(-(2n ** 62n)).offset).toBe(3208n);
  });

  it('agrees with the clock of Intl everywhere', () => {
    const zones = ['America/St_Johns', 'Africa/Casablanca', 'Asia/Gaza', 'Europe/Lisbon', 'Antarctica/Troll'];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: -3_000_000_000, max: 9_000_000_000 }),
        (name, at) => {
          const offset = Number(timeZone(name)?.at(BigInt(at)).offset);
          const shown = new Intl.DateTimeFormat('sv-SE', {
            timeZone: name,
            dateStyle: 'short',
            timeStyle: 'medium',
          });
          expect(shown.format(at * 1000)).toBe(
            new Date((at + offset) * 1000).toISOString().slice(0, 19).replace('T', ' '),
          );
        },
      ),
    );
  });
});
