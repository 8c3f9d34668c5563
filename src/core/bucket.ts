import { AggregateOverflowError } from './errors.js';
import { roundFloat } from './float16.js';
import { formatValue } from './format-value.js';
import { rangeOf } from './place-value.js';
import type { CheckedBucket, CheckedKey } from './plan.js';
import type { Value } from './read-values.js';
import { floorDivide } from './real.js';
import { timeBucketStart } from './time-bucket.js';
import { type DataType, typeName } from './type.js';

/** A function from a value of a type to the start of its bucket, which {@link holdsStart} of the type must be asked about. */
export function bucketStart(bucket: CheckedBucket, type: DataType): (value: Value) => Value {
  if (bucket.kind === 'time') {
    const start = timeBucketStart(bucket);
    return (value) => start(value as bigint);
  }
  const { width, offset } = bucket;
  if (type.kind === 'float') {
    const [w, o] = [Number(width), Number(offset)];
    return (value) => roundFloat(type.bits, Math.floor(((value as number) - o) / w) * w + o);
  }
  const [w, o] = [BigInt(width), BigInt(offset)];
  return (value) => floorDivide((value as bigint) - o, w) * w + o;
}

/** Whether a type can hold the start of the bucket of a value. */
export function holdsStart(type: DataType, value: Value, start: Value): boolean {
  if (typeof start !== 'bigint') return Number.isFinite(start) || !Number.isFinite(value);
  const [least, greatest] = limitsOf(type);
  return start >= least && start <= greatest;
}

/** The least and the greatest value of a type of integers: of a decimal by its digits. */
export function limitsOf(type: DataType): readonly [bigint, bigint] {
  if (type.kind !== 'decimal') return rangeOf(type);
  const greatest = 10n ** BigInt(type.precision) - 1n;
  return [-greatest, greatest];
}

/** The start of the one bucket that can be out of range: see {@link bucketError}. */
export function leastStart(bucket: CheckedBucket, type: DataType): Value {
  if (type.kind === 'float') return Number.NEGATIVE_INFINITY;
  return bucketStart(bucket, type)(limitsOf(type)[0]);
}

/**
 * The error for a start that its type cannot hold. Only the bucket that holds the least value of the type can have one, so the
 * message is the same whichever row is met first; of several keys the first of the query is named.
 */
export function bucketError({ name, type }: CheckedKey, start: Value): AggregateOverflowError {
  const parameter = `key ${JSON.stringify(name)}`;
  const came = `a bucket that starts at ${typeof start === 'bigint' ? formatValue(type, start) : 'infinity'}`;
  const wanted = `a start that fits ${typeName(type)}`;
  return new AggregateOverflowError(`${parameter}: got ${came}, wanted ${wanted}`, {
    parameter,
    came,
    wanted,
  });
}
