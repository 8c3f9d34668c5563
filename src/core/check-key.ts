import { isDeepStrictEqual } from 'node:util';
import { checkBucket } from './check-bucket.js';
import type { Names } from './columns.js';
import { describe } from './describe.js';
import { queryError } from './errors.js';
import { optionsOf, requireNoMore } from './options-of.js';
import type { CheckedKey, CheckedSort } from './plan.js';
import { isOrdered } from './semantics.js';
import { type DataType, typeName, valueType } from './type.js';

/** Checks a key against the columns. @param place what errors name @throws QueryError */
export function checkKey(given: unknown, place: string, names: Names): CheckedKey {
  const { key, name, bucket, ...order } = readKey(given, place);
  const { index, type } = ordered(key, place, names);
  return Object.freeze({
    name,
    column: index,
    type: valueType(type),
    ...order,
    ...(bucket !== undefined && { bucket: checkBucket(bucket, place, key, valueType(type)) }),
  });
}

/** Checks a column of the answer to sort by. @param place what errors name @throws QueryError */
export function checkSort(given: unknown, place: string, names: Names): CheckedSort {
  const { key, bucket, name: _, ...order } = readKey(given, place);
  if (bucket !== undefined) throw queryError(place, 'buckets of a column', 'a column of the answer as it is');
  const { index, type } = ordered(key, place, names);
  return Object.freeze({ column: index, type, ...order });
}

/**
 * The keys of grouping sets, each once in the order of first mention, and the sets as ascending indices into them, each once.
 * @throws QueryError
 */
export function checkSets(
  sets: readonly unknown[],
  names: Names,
): { readonly keys: readonly CheckedKey[]; readonly sets: readonly (readonly number[])[] } {
  const keys: CheckedKey[] = [];
  const checked = new Map<string, readonly number[]>();
  for (const [s, set] of sets.entries()) {
    const place = `query.by.sets[${s}]`;
    if (!Array.isArray(set)) throw queryError(place, describe(set), 'an array of keys');
    const members = set.map((given: unknown, i) => {
      const key = checkKey(given, `${place}[${i}]`, names);
      const known = keys.findIndex(({ name }) => name === key.name);
      if (known < 0) return keys.push(key) - 1;
      if (isDeepStrictEqual(keys[known], key)) return known;
      throw queryError(
        `${place}[${i}]`,
        `another key called ${JSON.stringify(key.name)}`,
        'a name of its own',
      );
    });
    if (new Set(members).size < members.length)
      throw queryError(place, 'a key that comes twice', 'each key once');
    members.sort((a, b) => a - b);
    checked.set(members.join(), Object.freeze(members));
  }
  if (keys.length > GROUPING_BITS)
    throw queryError('query.by.sets', `${keys.length} keys`, `at most ${GROUPING_BITS}`);
  return { keys: Object.freeze(keys), sets: Object.freeze([...checked.values()]) };
}

/** What an Int32 that is not negative can tell apart. */
const GROUPING_BITS = 31;

interface KeyParts {
  readonly key: string;
  readonly name: string;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  readonly bucket: unknown;
}

function readKey(given: unknown, place: string): KeyParts {
  if (typeof given === 'string')
    return { key: given, name: given, descending: false, nullsFirst: false, bucket: undefined };
  const wanted = 'the name of a column, asc(...) or desc(...)';
  const { key, name, descending, nulls, bucket, as: _, ...rest } = optionsOf(given, place, wanted);
  requireNoMore(rest, place, 'none of this name');
  if (typeof key !== 'string') throw queryError(`${place}.key`, describe(key), 'the name of a column');
  if (typeof name !== 'string')
    throw queryError(`${place}.name`, describe(name), 'the name of the output column');
  if (typeof descending !== 'boolean')
    throw queryError(`${place}.descending`, describe(descending), 'true or false');
  if (nulls !== 'first' && nulls !== 'last') {
    throw queryError(`${place}.nulls`, describe(nulls), "'first' or 'last'");
  }
  return { key, name, descending, nullsFirst: nulls === 'first', bucket };
}

function ordered(
  column: string,
  place: string,
  names: Names,
): { readonly index: number; readonly type: DataType } {
  const found = names.use(column, place);
  if (isOrdered(found.type)) return found;
  const came = `column ${JSON.stringify(column)} of type ${typeName(found.type)}`;
  throw queryError(place, came, 'a type that has an order');
}
