import type { Names } from './columns.js';
import type { Comparable, Comparison } from './conditions.js';
import { describe } from './describe.js';
import { queryError } from './errors.js';
import { optionsOf, requireNoMore } from './options-of.js';
import { placeValue } from './place-value.js';
import type { CheckedCondition } from './plan.js';
import type { Value } from './read-values.js';
import { canonical, compareKeys, isOrdered } from './semantics.js';
import { type DataType, typeName } from './type.js';

/**
 * Checks a condition against the columns it names, and encodes its values as theirs: an inequality with a value that the
 * type does not hold becomes one with its neighbour, an equality with one is never true.
 * @param place what errors name
 * @throws QueryError
 */
export function checkCondition(given: unknown, place: string, names: Names): CheckedCondition {
  const { condition, ...parts } = optionsOf(given, place, WANTED);
  switch (condition) {
    case 'and':
    case 'or': {
      const { conditions, ...rest } = parts;
      requireNoMore(rest, place, 'none of this name');
      if (!Array.isArray(conditions))
        throw queryError(`${place}.conditions`, describe(conditions), 'an array of conditions');
      const checked = conditions.map((one: unknown) => checkCondition(one, place, names));
      return Object.freeze({ kind: condition, conditions: Object.freeze(checked) });
    }
    case 'not': {
      const { of, ...rest } = parts;
      requireNoMore(rest, place, 'none of this name');
      return not(checkCondition(of, place, names));
    }
    case 'isNull':
    case 'notNull': {
      const { column, ...rest } = parts;
      requireNoMore(rest, place, 'none of this name');
      const { index } = find(condition, column, place, names);
      const isNull = Object.freeze({ kind: 'isNull', column: index } as const);
      return condition === 'isNull' ? isNull : not(isNull);
    }
    case 'isIn': {
      const { column, values, ...rest } = parts;
      requireNoMore(rest, place, 'none of this name');
      if (!Array.isArray(values)) throw queryError(`${place}, isIn`, describe(values), 'an array of values');
      const found = find(condition, column, place, names);
      return values.length === 0 ? NEVER : isIn(found, values, place);
    }
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge': {
      const { column, value, ...rest } = parts;
      requireNoMore(rest, place, 'none of this name');
      return compare(condition, find(condition, column, place, names), value, place);
    }
    default:
      throw queryError(place, describe(given), WANTED);
  }
}

const WANTED = 'a condition, as gt(column, value) or and(...)';

/** `or` of nothing. */
const NEVER: CheckedCondition = Object.freeze({ kind: 'or', conditions: Object.freeze([]) });

interface Found {
  readonly name: string;
  readonly index: number;
  readonly type: DataType;
}

function find(condition: string, column: unknown, place: string, names: Names): Found {
  if (typeof column !== 'string')
    throw queryError(`${place}, ${condition}`, describe(column), 'the name of a column');
  const { index, type } = names.use(column, place);
  const isList = type.kind === 'list' && (condition === 'isNull' || condition === 'notNull');
  if (!isOrdered(type) && !(isList && names.lists)) {
    const came = `${condition} of column ${JSON.stringify(column)} of type ${typeName(type)}`;
    throw queryError(place, came, 'a column whose type has an order');
  }
  return { name: column, index, type };
}

function not(condition: CheckedCondition): CheckedCondition {
  return Object.freeze({ kind: 'not', condition });
}

function compare(condition: Comparison, found: Found, given: unknown, place: string): CheckedCondition {
  if (condition === 'eq') return isIn(found, [given], place);
  if (condition === 'ne') return not(isIn(found, [given], place));
  const { index: column } = found;
  const placed = placeOf(condition, found, given, place);
  if (placed === undefined) return unknown(column);
  const { value, exact } = placed;
  const isBelow = condition === 'lt' || condition === 'le';
  // Below a value that the type does not hold are all up to its place, and above it all that are above its place.
  const operator = exact ? condition : isBelow ? 'le' : 'gt';
  if (value !== undefined) return Object.freeze({ kind: 'compare', column, operator, value });
  const none = freezeIn(column, [], false);
  return isBelow ? none : not(none);
}

function isIn(found: Found, given: readonly unknown[], place: string): CheckedCondition {
  const { index: column, type } = found;
  let orUnknown = false;
  const values: Value[] = [];
  for (const one of given) {
    const placed = placeOf('eq', found, one, place);
    if (placed === undefined) orUnknown = true;
    else if (placed.exact && placed.value !== undefined) values.push(canonical(placed.value));
  }
  values.sort((a, b) => compareKeys(type, a, b));
  const distinct = values.filter((value, i) => i === 0 || compareKeys(type, values[i - 1], value) !== 0);
  return freezeIn(column, distinct, orUnknown);
}

/** Undefined for null, and for a column that has nothing but nulls: comparing them is unknown. */
function placeOf(
  condition: string,
  { name, type }: Found,
  given: unknown,
  place: string,
): ReturnType<typeof placeValue> | undefined {
  const where = `${place}, ${condition} of column ${JSON.stringify(name)}`;
  if (given === undefined || (typeof given === 'object' && given !== null && !isValueObject(given)))
    throw queryError(where, describe(given), 'a value');
  if (given === null || type.kind === 'null') return undefined;
  return placeValue(type, given as Exclude<Comparable, null>, where);
}

function isValueObject(given: object): boolean {
  return given instanceof Date || given instanceof Uint8Array;
}

function unknown(column: number): CheckedCondition {
  return freezeIn(column, [], true);
}

function freezeIn(column: number, values: readonly Value[], orUnknown: boolean): CheckedCondition {
  return Object.freeze({ kind: 'in', column, values: Object.freeze(values), orUnknown });
}
