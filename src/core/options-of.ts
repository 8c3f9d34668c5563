import { describe } from './describe.js';
import { queryError } from './errors.js';

/** The properties of what should be a plain object. @throws QueryError */
export function optionsOf(value: unknown, place: string, wanted: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw queryError(place, describe(value), wanted);
  }
  return value as Record<string, unknown>;
}

/** @throws QueryError where anything is left over of the properties of an object, after those that are known. */
export function requireNoMore(rest: Record<string, unknown>, place: string, wanted: string): void {
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined) throw queryError(place, `an option ${JSON.stringify(name)}`, wanted);
  }
}
