import { limitsOf } from '../core/bucket.js';
import { bucketPiece } from '../core/bucket-piece.js';
import { rangeOf } from '../core/place-value.js';
import type { CheckedBucket } from '../core/plan.js';
import type { DataType } from '../core/type.js';
import { signOf } from './storage.js';

/** Starts of buckets that are all as far from each other: a key is the number of steps from the first. */
export interface KeySteps {
  /** The first start that the type can hold, as an encoded word. */
  readonly first: bigint;
  readonly step: bigint;
  /** The most steps. */
  readonly most: bigint;
}

/**
 * The steps of a bucket of integers of a KIND_*; undefined where its starts are not evenly apart. Steps lie side by side,
 * so that they take few bits of a key word, and can be the slots of a counting table.
 */
export function keySteps(bucket: CheckedBucket, type: DataType, kind: number): KeySteps | undefined {
  const [least, most] = limitsOf(type);
  if (bucket.kind === 'time' && (bucket.zone !== null || bucket.in === 'months')) return undefined;
  const { from, every, to } = bucketPiece(bucket, type)(most);
  // none, or one, fits the type
  if (every === 0n || from + every > to || from < least) return undefined;
  return { first: from + signOf(kind), step: every, most: (rangeOf(type)[1] - from) / every };
}
