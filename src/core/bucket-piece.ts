import { bucketStart, limitsOf } from './bucket.js';
import type { CheckedBucket, CheckedTimeBucket } from './plan.js';
import { floorDivide } from './real.js';
import {
  clockOf,
  type Floor,
  floorOf,
  furthestOf,
  isNarrow,
  type Stretch,
  timeBucketStart,
} from './time-bucket.js';
import type { DataType } from './type.js';

/** Neighbouring values of which the buckets follow one rule. */
export interface BucketPiece {
  /** The least and the greatest of them, both within the limits of the type. */
  readonly from: bigint;
  readonly to: bigint;
  /** 0: all of them are in one bucket. Else: a bucket begins at `from`, and every so many. */
  readonly every: bigint;
  /** Where the bucket begins that holds `from`; it may be out of the limits of the type, where `every` is 0. */
  readonly start: bigint;
}

/**
 * A function from a value to the piece that holds it: pieces of all values tile the type, and few of them hold what is
 * seldom more than a century. Their buckets are those of `bucketStart`. For integers, and decimals and times of 64 bits or less.
 */
export function bucketPiece(bucket: CheckedBucket, type: DataType): (value: bigint) => BucketPiece {
  const limits = limitsOf(type);
  const [least, most] = limits;
  const within = pieceWithin(bucket, limits);
  const startOf = bucketStart(bucket, type);
  // a decimal of more digits than its type allows
  return (value) =>
    value < least || value > most
      ? { from: value, to: value, every: 0n, start: startOf(value) as bigint }
      : within(value);
}

type Limits = readonly [least: bigint, most: bigint];

function pieceWithin(bucket: CheckedBucket, limits: Limits): (value: bigint) => BucketPiece {
  if (bucket.kind === 'time') {
    if (bucket.zone !== null || bucket.in === 'months') return timePiece(bucket, limits);
    return numberPiece(bucket.width, bucket.origin, limits);
  }
  return numberPiece(BigInt(bucket.width), BigInt(bucket.offset), limits);
}

function numberPiece(width: bigint, offset: bigint, [least, most]: Limits): (value: bigint) => BucketPiece {
  const floor = (value: bigint): bigint => floorDivide(value - offset, width) * width + offset;
  const first = -floorDivide(offset - least, width) * width + offset;
  const below = { from: least, to: lesser(first - 1n, most), every: 0n, start: floor(least) };
  const regular = { from: first, to: most, every: width, start: first };
  return (value) => (value < first ? below : regular);
}

function timePiece(bucket: CheckedTimeBucket, [least, most]: Limits): (tick: bigint) => BucketPiece {
  const { zone, day, width } = bucket;
  const floor = floorOf(bucket);
  const next = nextOf(bucket, floor);
  const startOf = timeBucketStart(bucket);
  const always: Stretch = { start: undefined, end: most + 1n, offset: 0n };
  const clock = zone === null ? () => always : clockOf(zone, day);
  // Until a clock has read later than ever before it changed, a bucket may have begun before the change.
  const unsettled = isNarrow(bucket) ? 0n : 2n * furthestOf(bucket);
  return (tick) => {
    const { start, end, offset } = clock(tick);
    const low = start === undefined ? least : greater(start, least);
    const high = lesser(end - 1n, most);
    if (bucket.in === 'ticks') {
      const settled = start === undefined ? low : greater(start + unsettled, least);
      const first = -floorDivide(bucket.origin - settled - offset, width) * width + bucket.origin - offset;
      if (tick >= first) return { from: first, to: high, every: width, start: first };
    }
    const reading = floor(tick + offset);
    return {
      from: greater(low, reading - offset),
      to: lesser(high, next(reading) - offset - 1n),
      every: 0n,
      start: startOf(tick),
    };
  };
}

/** From where a bucket begins to where the next does, as a clock reads. */
function nextOf({ in: unit, width, day }: CheckedTimeBucket, floor: Floor): Floor {
  if (unit === 'ticks') return (start) => start + width;
  // n months are between 28 n and 31 n days, and 2 n months more than 31 n
  return (start) => floor(start + 31n * width * day);
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
