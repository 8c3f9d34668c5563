import type { CheckedKey, CheckedTimeBucket } from '../core/plan.js';
import type { Value } from '../core/read-values.js';
import { floorDivide } from '../core/real.js';
import { timeBucketStart } from '../core/time-bucket.js';
import { timeZone } from '../core/time-zone.js';
import { integerLiteral, integerOf } from './carrier.js';
import { type Cells, MOST_PIECES, tooMany } from './clock-cells.js';
import { floorSql } from './floor-sql.js';

/** Buckets in SQL: equal where the buckets are, and in their order. */
export interface ClockBuckets {
  readonly sql: string;
  /** Where the bucket starts that a value of `sql` stands for; {@link NOWHERE} for a time in none of the cells. */
  readonly startOf: (carried: Value) => bigint;
}

/** Before every time that a column can hold. */
export const NOWHERE = -(2n ** 200n);

/**
 * The buckets of times within cells, by the same definition and time zones as in the other engines: the server's own are never asked.
 * @param x an Int64 that is not null
 * @throws QueryError where there are too many buckets to be told the server.
 */
export function clockBuckets(
  key: CheckedKey,
  bucket: CheckedTimeBucket,
  x: string,
  cells: Cells,
): ClockBuckets {
  return bucket.in === 'ticks' && bucket.width < bucket.day
    ? narrowBuckets(key, bucket, x, cells)
    : wideBuckets(key, bucket, x, cells);
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
const GREATEST = 2n ** 63n - 1n;

/** What holds for the times from `from` on, up to the next piece; undefined between cells. */
interface Piece<T> {
  readonly from: bigint;
  readonly what: T | undefined;
}

/**
 * The pieces of all times, ascending, of which those within cells are asked for from the last back.
 * @param pieceAt the first time of the piece that holds a time, undefined where it has none, and what holds for it
 */
function piecesOf<T>(
  key: CheckedKey,
  { width, numbers }: Cells,
  pieceAt: (tick: bigint) => { readonly from: bigint | undefined; readonly what: T },
): Piece<T>[] {
  const pieces: Piece<T>[] = [];
  let next = GREATEST + 1n;
  for (const number of numbers.toReversed()) {
    const low = greater(number * width, LEAST);
    const end = lesser((number + 1n) * width, GREATEST + 1n);
    if (end < next) pieces.push({ from: end, what: undefined });
    for (let at = end - 1n; ; ) {
      const { from = LEAST, what } = pieceAt(at);
      pieces.push({ from: greater(from, low), what });
      if (pieces.length > 2 * MOST_PIECES) throw tooMany(key);
      if (from <= low) break;
      at = from - 1n;
    }
    next = low;
  }
  if (next > LEAST) pieces.push({ from: LEAST, what: undefined });
  return pieces.reverse();
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/**
 * In a stretch a bucket narrower than a day begins where the reading of the clock, rounded down, does; where that lies before the
 * stretch, it is the bucket of the first instant of the stretch, which is one for each.
 */
function narrowBuckets(key: CheckedKey, bucket: CheckedTimeBucket, x: string, cells: Cells): ClockBuckets {
  const clock = clockOf(bucket);
  const startOf = timeBucketStart(bucket);
  const pieces = piecesOf(key, cells, (at) => {
    const { start, offset } = clock(at);
    return {
      from: start,
      what: { start: start ?? LEAST, offset, first: start === undefined ? LEAST : startOf(start) },
    };
  });
  const from = integers(pieces.map((piece) => piece.from));
  const piece = `roundDown(${x}, ${from})`;
  const of = (values: readonly bigint[]): string =>
    `transform(${piece}, ${from}, ${integers(values)}, toInt64(0))`;
  const offset = of(pieces.map(({ what }) => what?.offset ?? 0n));
  const stretch = of(pieces.map(({ what }) => what?.start ?? 0n));
  const first = of(pieces.map(({ what }) => what?.first ?? 0n));
  const isNowhere = of(pieces.map(({ what }) => (what === undefined ? 1n : 0n)));
  const start = `(${floorSql(`(toInt256(${x}) + ${offset})`, bucket.width, bucket.origin, key)} - ${offset})`;
  const found = `if(${start} >= ${stretch}, ${start}, toInt256(${first}))`;
  return { sql: `if(${isNowhere} = 1, ${integerLiteral(NOWHERE)}, ${found})`, startOf: integerOf };
}

/** Every piece of time in which all times are of one bucket. A bucket may have several, where a clock was put back. */
function wideBuckets(key: CheckedKey, bucket: CheckedTimeBucket, x: string, cells: Cells): ClockBuckets {
  const clock = clockOf(bucket);
  const startOf = timeBucketStart(bucket);
  const floor = timeBucketStart({ ...bucket, zone: null });
  const pieces = piecesOf(key, cells, (at) => {
    const { start, offset } = clock(at);
    const boundary = floor(at + offset) - offset;
    return { from: start === undefined ? boundary : greater(start, boundary), what: startOf(at) };
  });
  const starts = [...new Set(pieces.map(({ what }) => what ?? NOWHERE))].toSorted((a, b) => (a < b ? -1 : 1));
  const numbers = new Map(starts.map((start, number) => [start, BigInt(number)]));
  const from = integers(pieces.map((piece) => piece.from));
  const number = integers(pieces.map(({ what }) => numbers.get(what ?? NOWHERE) ?? 0n));
  return {
    sql: `transform(roundDown(${x}, ${from}), ${from}, ${number}, toInt64(0))`,
    startOf: (carried) => starts[Number(carried)],
  };
}

function integers(values: readonly bigint[]): string {
  return `CAST([${values.map((value) => `'${value}'`).join(', ')}], 'Array(Int64)')`;
}
