import { describe } from './describe.js';
import { queryError } from './errors.js';

/** The properties of what should be a plain object. @throws QueryError */
export function optionsOf(value: unknown, place: string, wanted: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw queryError(place, describe(value), wanted);
  }
  return value as Record<string, unknown>;
}

/** @throws QueryError where an object has an option of another name than these. */
export function requireKnown(options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!names.includes(name))
      throw queryError(`option ${JSON.stringify(name)}`, 'an unknown option', names.join(', '));
  }
}

/** @throws QueryError where anything is left over of the properties of an object, after those that are known. */
export function requireNoMore(rest: Record<string, unknown>, place: string, wanted: string): void {
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined) throw queryError(place, `an option ${JSON.stringify(name)}`, wanted);
  }
}
