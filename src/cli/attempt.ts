import { QueryError } from '../core/errors.js';
import type { Parsed } from './parse.js';

/** Does what may refuse its arguments, and points at them then. */
export function attempt<T>(parsed: Parsed<unknown>, at: number, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof QueryError ? parsed.fault(at, error.message) : error;
  }
}
