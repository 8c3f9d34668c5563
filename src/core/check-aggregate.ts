import {
  AGGREGATES,
  checkOptions,
  columnsOf,
  defaultsOf,
  isAggregate,
  takenBy,
} from './aggregate-options.js';
import { checkCondition } from './check-condition.js';
import type { Names } from './columns.js';
import { describe } from './describe.js';
import { queryError } from './errors.js';
import { optionsOf } from './options-of.js';
import type { AggregateFunction, CheckedAggregate } from './plan.js';
import { resultType } from './semantics.js';
import { type DataType, typeName, valueType } from './type.js';

/** Checks an aggregate against the columns it names, and settles its options and its type. @throws QueryError */
export function checkAggregate(name: string, given: unknown, names: Names): CheckedAggregate {
  const place = `aggregate ${JSON.stringify(name)}`;
  const parts = optionsOf(given, place, 'an aggregate, as count() or sum(column)');
  const { aggregate, column, second, where, ...rest } = parts;
  if (!isAggregate(aggregate))
    throw queryError(place, describe(aggregate), `one of ${AGGREGATES.join(', ')}`);
  const { as, ...options } = checkOptions(aggregate, rest, place);
  const filter = where === undefined ? {} : { where: checkCondition(where, `${place}, where`, names) };
  if (aggregate === 'count' && column === undefined)
    return Object.freeze({ name, function: 'count', column: -1, input: NONE, type: COUNTED, ...filter });
  const x = columnOf(aggregate, column, place, names);
  const y = columnsOf(aggregate) === 2 ? columnOf(aggregate, second, place, names) : undefined;
  if (y === undefined && second !== undefined)
    throw queryError(place, `${aggregate} of two columns`, 'one column');
  const type = resultType(aggregate, x.type, {
    ...(as !== undefined && { as }),
    ...(options.interpolation !== undefined && { interpolation: options.interpolation }),
    ...(y !== undefined && { second: y.type }),
  });
  if (type === undefined) {
    const of = [x, ...(y === undefined ? [] : [y])].map(
      (one) => `column ${JSON.stringify(one.name)} of type ${typeName(one.type)}`,
    );
    const came = `${aggregate} of ${of.join(' and ')}`;
    if (as === undefined) throw queryError(place, came, takenBy(aggregate));
    throw queryError(place, `${came} as decimal`, 'a column of integers or booleans');
  }
  return Object.freeze({
    name,
    ...(aggregate === 'median'
      ? { function: 'quantile', p: 0.5, interpolation: 'linear' }
      : { function: aggregate, ...defaultsOf(aggregate), ...options }),
    column: x.index,
    input: valueType(x.type),
    ...(y !== undefined && { second: Object.freeze({ column: y.index, input: valueType(y.type) }) }),
    type,
    ...filter,
  });
}

const NONE: DataType = { kind: 'null' };
const COUNTED: DataType = resultType('count', NONE) ?? NONE;

interface NamedColumn {
  readonly name: string;
  readonly index: number;
  readonly type: DataType;
}

function columnOf(aggregate: AggregateFunction, name: unknown, place: string, names: Names): NamedColumn {
  if (typeof name !== 'string') {
    throw queryError(place, `${aggregate} of ${describe(name)}`, 'the name of a column');
  }
  return { name, ...names.use(name, place) };
}
