import type { Query } from '../core/aggregator.js';
import { check } from '../core/check.js';
import type { Field } from '../core/type.js';
import { parseAggregates } from './aggregates.js';
import { conditionOf, type TypeOf } from './condition.js';
import { parseBy, parseSort } from './keys.js';
import type { CliOptions } from './options.js';
import { parseCondition } from './parse.js';

type Words = Pick<CliOptions, 'by' | 'agg' | 'where' | 'having' | 'sort' | 'limit'>;

/**
 * The query of a command line.
 * @param fields the columns of the input; where they are not known yet, the words are only held to be right.
 * @throws UsageError where they are not; QueryError where they do not fit the input.
 */
export function queryOf(words: Words, fields?: readonly Field[]): Query {
  const { by, agg, where, having, sort, limit } = words;
  const typeOf = typesOf(fields);
  const asked: Query = {
    by: parseBy(by, typeOf),
    aggregates: parseAggregates(agg, typeOf),
    ...(where !== undefined && { where: conditionOf(parseCondition(where, '--where').tree, typeOf) }),
    ...(sort !== undefined && { sort: parseSort(sort) }),
    ...(limit !== undefined && { limit }),
  };
  if (having === undefined) return asked;
  const parsed = parseCondition(having, '--having').tree;
  const output = fields === undefined ? undefined : check(asked, fields).output;
  return { ...asked, having: conditionOf(parsed, typesOf(output)) };
}

function typesOf(fields: readonly Field[] = []): TypeOf {
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  return (name) => types.get(name);
}
