import type { Query } from './aggregator.js';
import { describe } from './describe.js';
import { queryError } from './errors.js';
import { nearest } from './nearest.js';
import type { AggregateFunction, CheckedAggregate, CheckedKey, CheckedQuery, InputColumn } from './plan.js';
import { decimalSumType, isOrdered, resultType } from './semantics.js';
import { type DataType, type Field, typeName, valueType } from './type.js';

/**
 * Checks a query against the fields of an input, and settles the columns it reads and the columns of its answer.
 * The query may be anything: what the types of TypeScript promise is checked as well.
 * @throws QueryError for everything that a caller can do wrong; no row is read.
 */
export function check(query: Query, fields: readonly Field[]): CheckedQuery {
  const { by, aggregates } = partsOf(query);
  const columns = new Columns(fields);
  const keys = by.map((key, i) => checkKey(key, `by[${i}]`, columns));
  const checked = aggregates.map(([name, aggregate]) => checkAggregate(name, aggregate, columns));
  const output = [...keys, ...checked].map(({ name, type }) => Object.freeze({ name, type }));
  requireUnique(output);
  return Object.freeze({
    columns: Object.freeze(columns.used),
    keys: Object.freeze(keys),
    aggregates: Object.freeze(checked),
    output: Object.freeze(output),
  });
}

interface Parts {
  readonly by: readonly unknown[];
  readonly aggregates: readonly (readonly [name: string, aggregate: unknown])[];
}

function partsOf(query: unknown): Parts {
  const { by, aggregates, ...rest } = objectOf(query, 'query', 'an object with `by` and `aggregates`');
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    if (LATER_PROPERTIES.includes(name))
      throw queryError(`query.${name}`, describe(value), 'none: it is not offered yet');
    throw queryError('query', `a property ${JSON.stringify(name)}`, 'only `by` and `aggregates`');
  }
  if (!Array.isArray(by)) {
    const wanted = 'an array of column names and keys (grouping sets are not offered yet)';
    throw queryError('query.by', describe(by), wanted);
  }
  return { by, aggregates: aggregates === undefined ? [] : pairsOf(aggregates) };
}

function pairsOf(aggregates: unknown): (readonly [string, unknown])[] {
  const wanted = 'an object of aggregates by name, or an array of [name, aggregate] pairs';
  if (!Array.isArray(aggregates)) {
    const named = objectOf(aggregates, 'query.aggregates', wanted);
    // A Map or a Set has no entries that Object.entries would see, and would silently ask for nothing.
    if (Symbol.iterator in named) throw queryError('query.aggregates', 'an iterable object', wanted);
    return Object.entries(named);
  }
  return aggregates.map((pair: unknown, i) => {
    const place = `query.aggregates[${i}]`;
    if (!Array.isArray(pair) || pair.length !== 2)
      throw queryError(place, describe(pair), 'a [name, aggregate] pair');
    const [name, aggregate] = pair as [unknown, unknown];
    if (typeof name !== 'string') throw queryError(`${place}[0]`, describe(name), 'a name');
    return [name, aggregate] as const;
  });
}

function checkKey(key: unknown, place: string, columns: Columns): CheckedKey {
  const wanted = 'the name of a column, asc(...) or desc(...)';
  const given =
    typeof key === 'string'
      ? { key, name: key, descending: false, nulls: 'last' }
      : (objectOf(key, place, wanted) as Record<string, unknown>);
  const { key: column, name, descending, nulls, as: _, ...rest } = given;
  requireNoMore(rest, place);
  if (typeof column !== 'string') throw queryError(`${place}.key`, describe(column), 'the name of a column');
  if (typeof name !== 'string')
    throw queryError(`${place}.name`, describe(name), 'the name of the output column');
  if (typeof descending !== 'boolean')
    throw queryError(`${place}.descending`, describe(descending), 'true or false');
  if (nulls !== 'first' && nulls !== 'last') {
    throw queryError(`${place}.nulls`, describe(nulls), "'first' or 'last'");
  }
  const { index, type } = columns.use(column, place);
  if (!isOrdered(type)) {
    const came = `column ${JSON.stringify(column)} of type ${typeName(type)}`;
    throw queryError(place, came, 'a type that has an order');
  }
  return Object.freeze({
    name,
    column: index,
    type: valueType(type),
    descending,
    nullsFirst: nulls === 'first',
  });
}

/** The types that an aggregate takes, in the words of an error. */
const TAKES: ReadonlyMap<string, string> = new Map<AggregateFunction, string>([
  ['count', 'a column that is not nested'],
  ['sum', 'a column of integers, floats, decimals, durations or booleans'],
  ['mean', 'a column of integers, floats, decimals or booleans'],
  ['min', 'a column that has an order'],
  ['max', 'a column that has an order'],
]);

function checkAggregate(name: string, given: unknown, columns: Columns): CheckedAggregate {
  const place = `aggregate ${JSON.stringify(name)}`;
  const { aggregate, column, as, ...rest } = objectOf(
    given,
    place,
    'an aggregate, as count() or sum(column)',
  );
  requireNoMore(rest, place);
  if (!isAggregate(aggregate)) {
    throw queryError(place, describe(aggregate), `one of ${[...TAKES.keys()].join(', ')}`);
  }
  if (as !== undefined && (aggregate !== 'sum' || as !== 'decimal')) {
    throw queryError(`${place}, option as`, describe(as), "'decimal', on a sum");
  }
  if (aggregate === 'count' && column === undefined) {
    const none: DataType = { kind: 'null' };
    return freezeAggregate(name, aggregate, -1, none, resultType(aggregate, none) ?? none);
  }
  if (typeof column !== 'string') {
    throw queryError(place, `${aggregate} of ${describe(column)}`, 'the name of a column');
  }
  const { index, type } = columns.use(column, place);
  const came = `${aggregate} of column ${JSON.stringify(column)} of type ${typeName(type)}`;
  const result = as === undefined ? resultType(aggregate, type) : decimalSumType(type);
  if (result === undefined) {
    if (as === undefined) throw queryError(place, came, `${TAKES.get(aggregate)}`);
    throw queryError(place, `${came} as decimal`, 'a column of integers or booleans');
  }
  return freezeAggregate(name, aggregate, index, valueType(type), result);
}

function freezeAggregate(
  name: string,
  aggregate: AggregateFunction,
  column: number,
  input: DataType,
  type: DataType,
): CheckedAggregate {
  return Object.freeze({ name, function: aggregate, column, input, type });
}

function isAggregate(name: unknown): name is AggregateFunction {
  return typeof name === 'string' && TAKES.has(name);
}

function objectOf(value: unknown, place: string, wanted: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw queryError(place, describe(value), wanted);
  }
  return value as Record<string, unknown>;
}

function requireNoMore(rest: Record<string, unknown>, place: string): void {
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    throw queryError(
      place,
      `an option ${JSON.stringify(name)}`,
      'none of this name: it is unknown or not offered yet',
    );
  }
}

function requireUnique(output: readonly Field[]): void {
  const seen = new Set<string>();
  for (const { name } of output) {
    if (seen.has(name)) {
      throw queryError(
        'query',
        `two output columns called ${JSON.stringify(name)}`,
        'a name of its own for each',
      );
    }
    seen.add(name);
  }
}

/** Finds input columns by name, and notes each that is used once. */
class Columns {
  readonly used: InputColumn[] = [];
  readonly #fields: readonly Field[];
  readonly #places = new Map<string, number[]>();

  constructor(fields: readonly Field[]) {
    this.#fields = fields;
    for (const [index, { name }] of fields.entries()) {
      const places = this.#places.get(name);
      if (places === undefined) this.#places.set(name, [index]);
      else places.push(index);
    }
  }

  /** The type of a column, and its index among those used. */
  use(name: string, place: string): { readonly index: number; readonly type: DataType } {
    const places = this.#places.get(name);
    if (places === undefined)
      throw queryError(place, `unknown column ${JSON.stringify(name)}`, this.#known(name));
    if (places.length > 1) {
      const came = `column ${JSON.stringify(name)}, a name that ${places.length} input columns share`;
      throw queryError(place, came, 'a name that one column has');
    }
    const [index] = places;
    const { type } = this.#fields[index];
    const known = this.used.findIndex((column) => column.index === index);
    if (known >= 0) return { index: known, type };
    this.used.push(Object.freeze({ name, type, index }));
    return { index: this.used.length - 1, type };
  }

  #known(name: string): string {
    const names = [...this.#places.keys()];
    if (names.length === 0) return 'a column, but the input has none';
    const listed = names.slice(0, LISTED).map((known) => JSON.stringify(known));
    if (names.length > LISTED) listed.push(`${names.length - LISTED} more`);
    const meant = nearest(name, names);
    return `one of ${listed.join(', ')}${meant === undefined ? '' : `; is it ${JSON.stringify(meant)}?`}`;
  }
}

/** Properties of a query that the rules define and this version does not do yet. */
const LATER_PROPERTIES: readonly string[] = ['where', 'having', 'sort', 'limit'];

/** Names that an error lists; a table of a thousand columns must not fill the screen. */
const LISTED = 20;
