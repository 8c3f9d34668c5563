import type { Value } from '../core/read-values.js';

/** A value that outlives the batch it was read from: bytes are views into their batch until they are copied. */
export function owned(value: Value): Value;
export function owned(value: Value | null): Value | null;
export function owned(value: Value | null): Value | null {
  return value instanceof Uint8Array ? value.slice() : value;
}
