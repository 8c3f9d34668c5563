import { bucketError, holdsStart } from '../core/bucket.js';
import { inputError, type RangefoldError } from '../core/errors.js';
import type { CheckedKey, CheckedTimeBucket } from '../core/plan.js';
import type { Value } from '../core/read-values.js';
import { floatLiteral, integerOf, valueFrom } from './carrier.js';
import { type Cells, followsClock } from './clock-cells.js';
import { floorSql } from './floor-sql.js';
import { countAt, type Parts, type Selected } from './parts.js';
import { selectCount } from './question.js';
import { canonicalFloat, keyOf, type Operand, present, valueIn } from './relation.js';
import { clockBuckets, NOWHERE } from './time-pieces.js';

/** A key in SQL, and how its values are read. */
export interface KeySql {
  /** Equal where keys are equal; null where there is none. */
  readonly sql: string;
  /** Whether the values are floats, which have NaN at their end. */
  readonly isFloat: boolean;
  readonly read: (carried: Value) => Value;
  /** What is wrong with a key of a group: its type cannot hold where the bucket starts. */
  readonly fault: (key: Value | null, group: Selected) => RangefoldError | undefined;
}

/**
 * @param cells of a key that follows a clock: where there are times
 * @throws QueryError for buckets that are too wide or too many.
 */
export function keySql(key: CheckedKey, operand: Operand, cells: Cells | undefined, parts: Parts): KeySql {
  const { bucket, type } = key;
  const plain = { isFloat: type.kind === 'float', read: valueFrom(type), fault: () => undefined };
  if (bucket === undefined) return { ...plain, sql: keyOf(operand) };
  if (bucket.kind === 'number') {
    if (type.kind === 'float')
      return floatBucket(key, operand, parts, Number(bucket.width), Number(bucket.offset));
    return integerBucket(key, floorSql(operand.sql, BigInt(bucket.width), BigInt(bucket.offset), key));
  }
  if (!followsClock(key)) return integerBucket(key, floorSql(operand.sql, bucket.width, bucket.origin, key));
  return cells === undefined ? { ...plain, sql: operand.sql } : clockBucket(key, bucket, operand, cells);
}

function integerBucket(key: CheckedKey, sql: string): KeySql {
  return {
    sql,
    isFloat: false,
    read: integerOf,
    fault: (start) =>
      start === null || holdsStart(key.type, start, start) ? undefined : bucketError(key, start),
  };
}

function clockBucket(key: CheckedKey, bucket: CheckedTimeBucket, operand: Operand, cells: Cells): KeySql {
  const buckets = clockBuckets(key, bucket, `toInt64(${valueIn(operand)})`, cells);
  const made = integerBucket(key, `if(${present(operand)}, ${buckets.sql}, NULL)`);
  return {
    ...made,
    read: buckets.startOf,
    // Rows that came after it was asked where there are times.
    fault: (start, group) =>
      start === NOWHERE
        ? inputError(
            `key ${JSON.stringify(key.name)}`,
            'new times while it was read',
            'a table that stays as it is',
          )
        : made.fault(start, group),
  };
}

function floatBucket(key: CheckedKey, operand: Operand, parts: Parts, width: number, offset: number): KeySql {
  const { type } = key;
  const [w, o] = [floatLiteral(width), floatLiteral(offset)];
  const startOf = (x: string): string =>
    rounded(`(floor((toFloat64(${x}) - ${o}) / ${w}) * ${w} + ${o})`, type);
  const value = valueIn(operand);
  const tooFar = selectCount(
    parts,
    `${present(operand)} AND isFinite(${value}) AND NOT isFinite(${startOf(value)})`,
  );
  return {
    sql: canonicalFloat(startOf(operand.sql)),
    isFloat: true,
    read: valueFrom(type),
    fault: (start, group) =>
      start !== null && countAt(group, tooFar) > 0 ? bucketError(key, start) : undefined,
  };
}

/** A double rounded to a narrower float, ties to even, as a double. */
function rounded(x: string, type: CheckedKey['type']): string {
  const bits = type.kind === 'float' ? type.bits : 64;
  if (bits === 64) return x;
  if (bits === 32) return `toFloat64(toFloat32(${x}))`;
  // A half has 11 digits, and steps of 2^-24 below 2^-14. A quotient by a power of two is exact; from 65520 on it is an infinity.
  const exponent = `(toInt32(bitAnd(bitShiftRight(reinterpretAsUInt64(${x}), 52), 2047)) - 1023)`;
  const step = `reinterpretAsFloat64(bitShiftLeft(toUInt64(greatest(${exponent}, -14) - 10 + 1023), 52))`;
  const infinity = `if(${x} < 0, -inf, inf)`;
  return `if(isNaN(${x}), nan, if(abs(${x}) >= 65520., ${infinity}, roundBankers(${x} / ${step}) * ${step}))`;
}
