import type { BucketExpression, NumberBucket, TimeBucket } from './bucket-expression.js';
import { describe } from './describe.js';
import { queryError } from './errors.js';
import { optionsOf, requireNoMore } from './options-of.js';
import { parseSpan } from './parse-span.js';

/** One key of a query: a column or buckets of it, a direction, and where nulls stand. A plain frozen value. */
export interface Key<N extends string = string> {
  /** The input column, in `sort` the output column. */
  readonly key: string;
  /** The name of the output column. */
  readonly name: N;
  readonly descending: boolean;
  readonly nulls: 'first' | 'last';
  /** What is made of the column's values; absent: they are the key. */
  readonly bucket?: BucketExpression;
  /** The same key under another output name. */
  as<const M extends string>(name: M): Key<M>;
}

export interface KeyOptions {
  /** Where nulls stand, in either direction; default 'last'. */
  readonly nulls?: 'first' | 'last';
}

type NameOf<K extends string | Key> = K extends Key<infer N> ? N : K extends string ? K : never;

function makeKey<N extends string>(parts: Omit<Key<N>, 'as'>): Key<N> {
  return Object.freeze({
    ...parts,
    as<const M extends string>(name: M): Key<M> {
      if (typeof name !== 'string') throw queryError('as(name)', describe(name), 'a name');
      return makeKey({ ...parts, name });
    },
  });
}

function directed<const K extends string | Key>(
  x: K,
  descending: boolean,
  options: KeyOptions,
): Key<NameOf<K>> {
  const label = descending ? 'desc' : 'asc';
  const key = typeof x === 'string' ? x : x?.key;
  if (typeof key !== 'string') throw queryError(`${label}(x)`, String(x), 'a column name or a key');
  const nulls = options.nulls ?? (typeof x === 'string' ? 'last' : x.nulls);
  if (nulls !== 'first' && nulls !== 'last') {
    throw queryError(`${label}(${key}, { nulls })`, String(nulls), "'first' or 'last'");
  }
  const name = (typeof x === 'string' ? x : x.name) as NameOf<K>;
  const bucket = typeof x === 'string' ? undefined : x.bucket;
  return makeKey({ key, name, descending, nulls, ...(bucket !== undefined && { bucket }) });
}

/** Ascending order of values; nulls last unless said otherwise. @throws QueryError where it gets no name and no key. */
export function asc<const K extends string | Key>(x: K, options: KeyOptions = {}): Key<NameOf<K>> {
  return directed(x, false, options);
}

/** Descending order of values; nulls last unless said otherwise. @throws QueryError where it gets no name and no key. */
export function desc<const K extends string | Key>(x: K, options: KeyOptions = {}): Key<NameOf<K>> {
  return directed(x, true, options);
}

export interface BucketOptions {
  /** Where a bucket starts. Default 0. */
  readonly offset?: number | bigint | string;
}

/**
 * The start of the bucket that holds a value: floor((x - offset) / width) * width + offset, towards minus infinity. Exact on
 * integers and decimals; on floats each step is one of doubles. Ascending, of the type of the column; null of null.
 * @param width above 0; of a decimal column as text, bigint or whole number, and no finer than the column.
 * @throws AggregateOverflowError in the run, where the type cannot hold a start.
 */
export function bucket<const C extends string>(
  column: C,
  width: number | bigint | string,
  options: BucketOptions = {},
): Key<C> {
  const place = `bucket(${describe(column)})`;
  const { offset = 0, ...rest } = optionsOf(options, place, 'options, as { offset }');
  requireNoMore(rest, place, 'only offset');
  if (!isNumber(width) || (typeof width !== 'string' && width <= 0))
    throw queryError(`${place}, width`, describe(width), 'a number above 0');
  if (!isNumber(offset)) throw queryError(`${place}, option offset`, describe(offset), 'a number');
  return keyOf(column, place, Object.freeze<NumberBucket>({ width, offset }));
}

export interface TimeBucketOptions {
  /** Whose clock: a zone of the IANA database, or an offset as `+05:30`. Default: that of the column, else UTC. */
  readonly zone?: string;
  /**
   * Where a bucket starts: ISO text without an offset is what the clock of the zone reads; a Date, or text with an offset, an
   * instant. Default: 1970-01-01T00:00 on that clock, for weeks Monday 1970-01-05.
   */
  readonly origin?: string | Date;
}

/**
 * The start of the bucket of time that holds a date or timestamp, by the clock of a zone, daylight saving included. Buckets
 * begin where the clock's reading, rounded down to the width, changes; those narrower than a day also where it reads a
 * multiple of the width, so that an hour that comes twice is two. A day whose midnight comes twice is one.
 * Ascending, of the type of the column; null of null.
 * @param width `15 minutes`, `1 day`, `1 month`: a whole number above 0 and nanoseconds, microseconds, milliseconds, seconds,
 * minutes, hours, days, weeks, months, quarters or years; no finer than the column's unit.
 * @throws AggregateOverflowError in the run, where the type cannot hold a start.
 */
export function timeBucket<const C extends string>(
  column: C,
  width: string,
  options: TimeBucketOptions = {},
): Key<C> {
  const place = `timeBucket(${describe(column)})`;
  const { zone, origin, ...rest } = optionsOf(options, place, 'options, as { zone, origin }');
  requireNoMore(rest, place, 'only zone and origin');
  if (parseSpan(width) === undefined)
    throw queryError(`${place}, width`, describe(width), "a whole number and a unit, as '15 minutes'");
  if (zone !== undefined && typeof zone !== 'string')
    throw queryError(`${place}, option zone`, describe(zone), 'the name of a time zone');
  if (origin !== undefined && typeof origin !== 'string' && !(origin instanceof Date))
    throw queryError(`${place}, option origin`, describe(origin), 'ISO text or a Date');
  const own = origin instanceof Date ? new Date(origin) : origin;
  return keyOf(
    column,
    place,
    Object.freeze<TimeBucket>({
      span: width,
      ...(zone !== undefined && { zone }),
      ...(own !== undefined && { origin: own }),
    }),
  );
}

function keyOf<C extends string>(column: C, place: string, expression: BucketExpression): Key<C> {
  if (typeof column !== 'string') throw queryError(place, describe(column), 'the name of a column');
  return makeKey({ key: column, name: column, descending: false, nulls: 'last', bucket: expression });
}

function isNumber(value: unknown): value is number | bigint | string {
  return typeof value === 'bigint' || typeof value === 'string' || Number.isFinite(value);
}
