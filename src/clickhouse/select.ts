import type { CheckedQuery } from '../core/plan.js';
import type { Cells } from './clock-cells.js';
import { isTrue } from './condition-sql.js';
import { type KeySql, keySql } from './key-sql.js';
import { type Finish, Parts } from './parts.js';
import { selectCount } from './question.js';
import type { Relation } from './relation.js';
import { selectAggregate } from './select-aggregate.js';

/** One SELECT, and what its columns are: `grouping set, keys, parts`. Groups come set by set, each in key order. */
export interface Select {
  readonly sql: string;
  readonly keys: readonly KeySql[];
  readonly aggregates: readonly Finish[];
  /** The part that counts the rows of a group: without keys, a server makes a group of no rows. */
  readonly rows: number;
  /** Whether floats are added. */
  readonly addsFloats: boolean;
}

/**
 * Makes a SELECT of a query, of aggregates that are whole numbers or do not depend on an order, so that what servers add up in whatever
 * order is always the same.
 * @param cells by key, of the keys that follow a clock
 * @throws QueryError for what SQL cannot be made of.
 */
export function selectOf(
  query: CheckedQuery,
  relation: Relation,
  cells: readonly (Cells | undefined)[],
  floatSums: 'exact' | 'fast',
): Select {
  const { operands, rowNumber = '0', from } = relation;
  const parts = new Parts();
  const rows = selectCount(parts, '1');
  const keys = query.keys.map((key, i) => keySql(key, operands[key.column], cells[i], parts));
  const aggregates = query.aggregates.map((aggregate) =>
    selectAggregate({
      aggregate,
      x: operands[aggregate.column],
      y: aggregate.second && operands[aggregate.second.column],
      // One that is the same for all rows is a constant here and a column on a shard, and they do not fit.
      where: aggregate.where && `materialize(${isTrue(aggregate.where, operands)})`,
      rowNumber,
      floatSums,
      parts,
    }),
  );
  const name = namer(relation.names);
  const { sets } = query;
  const set = sets === undefined ? undefined : name('set');
  const keyNames = keys.map((_, i) => name(`key${i}`));
  const selected = [
    set ?? 'toUInt8(0)',
    ...keys.map(({ sql }, i) => `${inSets(sql, i, set, sets)} AS ${keyNames[i]}`),
    ...parts.all().map((sql, i) => `${sql} AS ${name(`part${i}`)}`),
  ];
  const groups = [...(set === undefined ? [] : [set]), ...keyNames];
  const order = [
    ...(set === undefined ? [] : [set]),
    ...keys.flatMap(({ isFloat }, i) => orderOf(query, i, keyNames[i], isFloat)),
  ];
  const clauses = [
    `SELECT ${selected.join(', ')}`,
    `FROM ${from}`,
    ...(set === undefined ? [] : [`ARRAY JOIN range(toUInt32(${sets?.length})) AS ${set}`]),
    ...whereOf(query, relation),
    ...(groups.length === 0 ? [] : [`GROUP BY ${groups.join(', ')}`]),
    ...(order.length === 0 ? [] : [`ORDER BY ${order.join(', ')}`]),
  ];
  const addsFloats = query.aggregates.some(
    ({ function: name, input }) => (name === 'sum' || name === 'mean') && input.kind === 'float',
  );
  return { sql: clauses.join('\n'), keys, aggregates, rows, addsFloats };
}

/** The WHERE of a query, where it has one. */
export function whereOf({ where }: CheckedQuery, { operands }: Relation): string[] {
  return where === undefined ? [] : [`WHERE ${isTrue(where, operands)}`];
}

function inSets(sql: string, key: number, set: string | undefined, sets: CheckedQuery['sets']): string {
  if (set === undefined || sets === undefined) return sql;
  const members = [...sets.keys()].filter((number) => sets[number].includes(key));
  return `if(${set} IN (${members.join(', ')}), ${sql}, NULL)`;
}

/** ClickHouse puts NaN beside the nulls, so each has a place of its own. */
function orderOf({ keys }: CheckedQuery, i: number, name: string, isFloat: boolean): string[] {
  const { descending, nullsFirst } = keys[i];
  const direction = descending ? ' DESC' : '';
  return [
    `isNull(${name})${nullsFirst ? ' DESC' : ''}`,
    ...(isFloat ? [`isNaN(${name})${direction}`] : []),
    `${name}${direction}`,
  ];
}

/** Names that no column has. */
function namer(taken: readonly string[]): (name: string) => string {
  let prefix = 'rangefold_';
  while (taken.some((name) => name.startsWith(prefix))) prefix += '_';
  return (name) => `${prefix}${name}`;
}
