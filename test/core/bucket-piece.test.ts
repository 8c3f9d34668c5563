import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketStart, limitsOf } from '../../dist/core/bucket.js';
import { bucketPiece } from '../../dist/core/bucket-piece.js';
import type { CheckedBucket } from '../../dist/core/plan.js';
import type { DataType } from '../../dist/core/type.js';

/** Values of a range, its ends among them. */
function within(least: bigint, most: bigint): fc.Arbitrary<bigint> {
  const near = (x: bigint): bigint => (x < least ? least : x > most ? most : x);
  return fc.oneof(
    fc.bigInt(least, most),
    fc.bigInt(-20n, 20n).map(near),
    fc.bigInt(0n, 20n).map((n) => near(least + n)),
    fc.bigInt(0n, 20n).map((n) => near(most - n)),
  );
}

/** Every value of a piece, here any two and the ends, is in the bucket that the piece says. */
function sameStarts(bucket: CheckedBucket, type: DataType, value: bigint, other: bigint): void {
  const start = bucketStart(bucket, type);
  const [least, most] = limitsOf(type);
  const piece = bucketPiece(bucket, type)(value);
  const { from, to, every } = piece;
  expect(from <= value && value <= to).toBe(true);
  expect(from >= least && to <= most).toBe(true);
  const length = to - from + 1n;
  for (const at of [value, from, to, from + ((((other - from) % length) + length) % length)]) {
    expect(every === 0n ? piece.start : at - ((at - from) % every)).toBe(start(at));
  }
}

const INTEGERS: readonly DataType[] = [
  ...([8, 16, 32, 64] as const).flatMap((bits): DataType[] => [
    { kind: 'int', bits, signed: true },
    { kind: 'int', bits, signed: false },
  ]),
  { kind: 'decimal', bits: 32, precision: 9, scale: 2 },
  { kind: 'decimal', bits: 64, precision: 5, scale: 0 },
];

const ZONES = [
  'America/St_Johns',
  'Europe/Berlin',
  'America/Havana',
  'Australia/Lord_Howe',
  'Asia/Gaza',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Asia/Manila',
  '-09:45',
];
const MINUTE = 60n;
const DAY = 86_400n;
const SECONDS: DataType = { kind: 'timestamp', unit: 's', zone: null };

describe('bucketPiece', () => {
  it('says the starts of buckets of numbers', () => {
    const type = fc.constantFrom(...INTEGERS);
    const width = fc.oneof(fc.bigInt(1n, 300n), fc.bigInt(1n, 2n ** 70n));
    const offset = fc.oneof(fc.bigInt(-300n, 300n), fc.bigInt(-(2n ** 70n), 2n ** 70n));
    fc.assert(
      fc.property(
        type.chain((one) => fc.tuple(fc.constant(one), within(...limitsOf(one)), within(...limitsOf(one)))),
        width,
        offset,
        ([one, value, other], w, o) => sameStarts({ kind: 'number', width: w, offset: o }, one, value, other),
      ),
      { numRuns: 500 },
    );
  });

  it('says the starts of buckets of time, also where clocks change', () => {
    const widths = fc.oneof(
      fc
        .constantFrom(1n, 15n * MINUTE, 60n * MINUTE, 7n * 60n * MINUTE, DAY, 7n * DAY, 36n * 60n * MINUTE)
        .map((width) => ({ width, in: 'ticks' as const })),
      fc.constantFrom(1n, 3n, 12n, 1200n).map((width) => ({ width, in: 'months' as const })),
    );
    const origins = fc.oneof(fc.constant(0n), fc.bigInt(-40n * DAY, 40n * DAY));
    const times = fc.oneof(
      { weight: 4, arbitrary: fc.bigInt(-3_000_000_000n, 9_000_000_000n) },
      // the years in which clocks of a zone above changed at one past midnight
      { weight: 4, arbitrary: fc.bigInt(500_000_000n, 1_300_000_000n) },
      { weight: 1, arbitrary: within(...limitsOf(SECONDS)) },
    );
    fc.assert(
      fc.property(
        widths,
        origins,
        fc.constantFrom(null, ...ZONES),
        times,
        times,
        (width, origin, zone, value, other) =>
          sameStarts({ kind: 'time', ...width, origin, zone, day: DAY }, SECONDS, value, other),
      ),
      { numRuns: 3000 },
    );
  });

  it('needs few pieces for a century', () => {
    const piece = bucketPiece(
      { kind: 'time', width: 15n * MINUTE, in: 'ticks', origin: 0n, zone: 'Europe/Berlin', day: DAY },
      SECONDS,
    );
    let pieces = 0;
    const end = BigInt(Date.UTC(2000, 0)) / 1000n;
    for (let at = BigInt(Date.UTC(1900, 0)) / 1000n; at < end; at = piece(at).to + 1n) pieces++;
    expect(pieces).toBeLessThan(200);
  });
});
