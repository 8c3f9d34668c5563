import type { Query } from './aggregator.js';
import { checkAggregate } from './check-aggregate.js';
import { checkCondition } from './check-condition.js';
import { checkKey, checkSets, checkSort } from './check-key.js';
import { Columns, OutputColumns } from './columns.js';
import { describe } from './describe.js';
import { queryError } from './errors.js';
import { optionsOf } from './options-of.js';
import type { CheckedQuery } from './plan.js';
import type { DataType, Field } from './type.js';

/**
 * Checks a query against the fields of an input, and settles the columns it reads and the columns of its answer.
 * The query may be anything: what the types of TypeScript promise is checked as well.
 * @throws QueryError for everything that a caller can do wrong; no row is read.
 */
export function check(query: Query, fields: readonly Field[]): CheckedQuery {
  const { by, aggregates, where, having, sort, limit } = partsOf(query);
  const columns = new Columns(fields);
  const { keys, sets } = checkBy(by, columns);
  const checked = aggregates.map(([name, aggregate]) => checkAggregate(name, aggregate, columns));
  const filter = where === undefined ? {} : { where: checkCondition(where, 'query.where', columns) };
  const grouping = sets === undefined ? [] : [{ name: 'grouping', type: GROUPING }];
  const output = [...keys, ...grouping, ...checked].map(({ name, type }) => Object.freeze({ name, type }));
  requireUnique(output);
  const names = new OutputColumns(output);
  return Object.freeze({
    columns: Object.freeze(columns.used),
    ...filter,
    keys,
    ...(sets !== undefined && { sets }),
    aggregates: Object.freeze(checked),
    output: Object.freeze(output),
    ...(having !== undefined && { having: checkCondition(having, 'query.having', names) }),
    sort: Object.freeze(sort.map((key, i) => checkSort(key, `sort[${i}]`, names))),
    ...(limit !== undefined && { limit }),
  });
}

const GROUPING: DataType = Object.freeze({ kind: 'int', bits: 32, signed: true });

interface Parts {
  readonly by: unknown;
  readonly aggregates: readonly (readonly [name: string, aggregate: unknown])[];
  readonly where: unknown;
  readonly having: unknown;
  readonly sort: readonly unknown[];
  readonly limit: number | undefined;
}

function partsOf(query: unknown): Parts {
  const parts = optionsOf(query, 'query', 'an object with `by` and `aggregates`');
  const { by, aggregates, where, having, sort, limit, ...rest } = parts;
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    const wanted = 'only `by`, `aggregates`, `where`, `having`, `sort` and `limit`';
    throw queryError('query', `a property ${JSON.stringify(name)}`, wanted);
  }
  if (sort !== undefined && !Array.isArray(sort))
    throw queryError('query.sort', describe(sort), 'an array of output columns');
  return {
    by,
    aggregates: aggregates === undefined ? [] : pairsOf(aggregates),
    where,
    having,
    sort: sort ?? [],
    limit: limitOf(limit),
  };
}

function limitOf(limit: unknown): number | undefined {
  if (limit === undefined) return undefined;
  if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= 0) return limit;
  throw queryError('query.limit', describe(limit), 'a whole number, 0 or more');
}

function pairsOf(aggregates: unknown): (readonly [string, unknown])[] {
  const wanted = 'an object of aggregates by name, or an array of [name, aggregate] pairs';
  if (!Array.isArray(aggregates)) {
    const named = optionsOf(aggregates, 'query.aggregates', wanted);
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

function checkBy(by: unknown, columns: Columns): Pick<CheckedQuery, 'keys' | 'sets'> {
  if (Array.isArray(by)) {
    const keys = by.map((key: unknown, i) => {
      if (isSets(key))
        throw queryError(`by[${i}]`, 'grouping sets', 'a key; sets stand alone, as by: rollup(...)');
      return checkKey(key, `by[${i}]`, columns);
    });
    return { keys: Object.freeze(keys) };
  }
  const wanted = 'an array of column names and keys, or grouping sets, as rollup(...)';
  const { sets, ...rest } = optionsOf(by, 'query.by', wanted);
  if (!Array.isArray(sets) || sets.length === 0 || Object.keys(rest).length > 0)
    throw queryError('query.by', describe(by), wanted);
  return checkSets(sets, columns);
}

function isSets(key: unknown): boolean {
  return typeof key === 'object' && key !== null && 'sets' in key;
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
