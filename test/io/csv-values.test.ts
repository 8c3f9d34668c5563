import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floatAt, integerAt } from '../../dist/io/csv-number.js';
import { dateAt, timestampAt } from '../../dist/io/csv-time.js';

/** Reads a text that stands in the middle of other bytes, as fields do. */
function within<T>(text: string, read: (bytes: Uint8Array, start: number, end: number) => T): T {
  const bytes = new TextEncoder().encode(`9,${text},9`);
  return read(bytes, 2, bytes.length - 2);
}
const integer = (text: string, strict = true) => within(text, (b, s, e) => integerAt(b, s, e, strict));
const float = (text: string, strict = true) => within(text, (b, s, e) => floatAt(b, s, e, strict));
const date = (text: string) => within(text, dateAt);
const timestamp = (text: string, unit: 's' | 'ms' | 'us' | 'ns' = 'us', zoned = false) =>
  within(text, (b, s, e) => timestampAt(b, s, e, unit, zoned));

describe('integers', () => {
  it.each([
    ['0', 0],
    ['7', 7],
    ['-12', -12],
    ['123456789012345', 123456789012345],
    ['1234567890123456', 1234567890123456n],
    ['-9223372036854775808', -9223372036854775808n],
    ['18446744073709551615', 18446744073709551615n],
  ])('reads %s', (text, value) => expect(integer(text)).toBe(value));

  it.each(['', '-', '+', '1.0', '1e3', ' 1', '1 ', '0x10', '--1', '1-', '٣'])('refuses %j', (text) =>
    expect(integer(text)).toBeUndefined(),
  );

  it.each(['007', '+1', '-0', '00'])('refuses %j unless told that it is an integer', (text) => {
    expect(integer(text)).toBeUndefined();
    expect(integer(text, false)).toBe(Number(text) + 0);
  });

  it('reads every 64-bit integer back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (value) => {
        const read = integer(String(value));
        expect(read === undefined ? undefined : BigInt(read)).toBe(value);
      }),
    );
  });
});

describe('floats', () => {
  it.each([
    '',
    '-',
    '.',
    '-.',
    'e5',
    '1e',
    '1.2.3',
    '0x1',
    '1_0',
    ' 1',
    '1 ',
    'Infinit',
    'nano',
    '1e400',
    '-1e400',
  ])('refuses %j', (text) => {
    expect(float(text)).toBeUndefined();
    expect(float(text, false)).toBeUndefined();
  });

  it.each([
    ['NaN', Number.NaN],
    ['inf', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['-0', -0],
    ['.5', 0.5],
    ['5.', 5],
    ['1e-400', 0],
    ['9007199254740993.0', 9007199254740992],
    // Half-way cases of the double next to 1, the first rounded to even, the others not half-way by one digit.
    ['1.00000000000000011102230246251565404236316680908203125', 1],
    ['1.00000000000000011102230246251565404236316680908203124', 1],
    ['1.00000000000000011102230246251565404236316680908203126', 1 + 2 ** -52],
  ])('reads %s', (text, value) => expect(float(text)).toBe(value));

  it.each(['01.5', '+1.5', '9007199254740993', '-9007199254740993'])(
    'refuses %j unless told that it is a float',
    (text) => {
      expect(float(text)).toBeUndefined();
      expect(float(text, false)).toBe(Number(text));
    },
  );

  it('reads the shortest text of every double back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (value) => {
        expect(float(Object.is(value, -0) ? '-0' : String(value), false)).toBe(value);
      }),
    );
  });

  it('rounds short decimals as the language does', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), fc.nat(15), (digits, places) => {
        const padded = String(digits).padStart(places + 1, '0');
        const text = `${padded.slice(0, padded.length - places)}.${padded.slice(padded.length - places)}`;
        expect(float(text, false)).toBe(Number(text));
      }),
    );
  });
});

describe('dates', () => {
  it.each([
    ['1970-01-01', 0],
    ['1969-12-31', -1],
    ['2000-02-29', 11016],
    ['2024-12-31', 20088],
    ['0001-01-01', -719162],
    ['9999-12-31', 2932896],
  ])('reads %s', (text, days) => expect(date(text)).toBe(days));

  it('agrees with the calendar of the language', () => {
    fc.assert(
      fc.property(fc.integer({ min: -719162, max: 2932896 }), (days) => {
        expect(date(new Date(days * 86_400_000).toISOString().slice(0, 10))).toBe(days);
      }),
    );
  });

  it.each([
    '1900-02-29',
    '2023-02-29',
    '2023-04-31',
    '2023-13-01',
    '2023-00-01',
    '2023-01-00',
    '2023-1-01',
    '20230101',
    '2023-01-01 ',
    '2023/01/01',
  ])('refuses %j', (text) => expect(date(text)).toBeUndefined());
});

describe('timestamps', () => {
  it.each([
    ['1970-01-01', 0n],
    ['1970-01-01 00:01', 60_000_000n],
    ['1970-01-01T00:00:01', 1_000_000n],
    ['1970-01-01T00:00:00.5', 500_000n],
    ['1969-12-31T23:59:59.999999', -1n],
    ['1970-01-01T00:00:00.123456000', 123_456n],
    // 2024-02-29 is day 19782.
    ['2024-02-29T12:00:00.000001', 19782n * 86_400_000_000n + 43_200_000_001n],
  ])('reads %s in microseconds', (text, value) => expect(timestamp(text)).toBe(value));

  it.each([
    '1970-01-01T',
    '1970-01-01T1',
    '1970-01-01T24:00',
    '1970-01-01T00:60',
    '1970-01-01T00:00:60',
    '1970-01-01T00:00:00.',
    '1970-01-01T00:00:00.0000001',
    '1970-01-01T00:00:00Z',
    '1970-01-01x00:00',
    '1970-01-01T00-00',
    '2023-02-30T00:00',
  ])('refuses %j', (text) => expect(timestamp(text)).toBeUndefined());

  it('takes offsets from UTC where the type has a zone', () => {
    expect(timestamp('1970-01-01T00:00:00Z', 's', true)).toBe(0n);
    expect(timestamp('1970-01-01T01:00:00+01:00', 's', true)).toBe(0n);
    expect(timestamp('1969-12-31T18:30:00-0530', 's', true)).toBe(0n);
    expect(timestamp('1970-01-01T00:00:00', 's', true)).toBe(0n);
    expect(timestamp('1970-01-01T00:00:00+1', 's', true)).toBeUndefined();
  });

  it('refuses what 64 bits of nanoseconds cannot hold', () => {
    expect(timestamp('2262-04-11T23:47:16.854775807', 'ns')).toBe(2n ** 63n - 1n);
    expect(timestamp('2262-04-11T23:47:16.854775808', 'ns')).toBeUndefined();
    expect(timestamp('1677-09-21T00:12:43.145224192', 'ns')).toBe(-(2n ** 63n));
    expect(timestamp('1677-09-21T00:12:43.145224191', 'ns')).toBeUndefined();
  });
});
