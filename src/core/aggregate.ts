import { checkOptions } from './aggregate-options.js';
import { type Condition, requireCondition } from './conditions.js';
import { describe } from './describe.js';
import { queryError } from './errors.js';
import type { AggregateFunction, AggregateOptions } from './plan.js';

/** One aggregate of a query: a plain frozen value, made by the functions of `aggregates.ts`. */
export interface Aggregate<F extends AggregateFunction = AggregateFunction> extends AggregateOptions {
  readonly aggregate: F;
  /** The input column; undefined for `count()` of rows. */
  readonly column: string | undefined;
  /** The other column of an aggregate of two: y, or the one that a least or greatest is looked for in. */
  readonly second?: string;
  /** The rows of the group that are looked at: those on which it is true. Default: all. */
  readonly where?: Condition;
}

/** What every aggregate takes last. */
export interface WhereOption {
  /** Only the rows on which it is true are aggregated. Default: all. */
  readonly where?: Condition;
}

/**
 * Makes an aggregate and checks what can be told without an input.
 * @throws QueryError
 */
export function makeAggregate<F extends AggregateFunction>(
  aggregate: F,
  columns: readonly unknown[],
  given: unknown,
): Aggregate<F> {
  const place = `${aggregate}(${columns.map(describe).join(', ')})`;
  for (const column of columns) {
    if (typeof column !== 'string') throw queryError(place, describe(column), 'the name of a column');
  }
  if (typeof given !== 'object' || given === null)
    throw queryError(place, describe(given), 'options, as { where }');
  const { where, ...options } = given as Record<string, unknown>;
  if (where !== undefined) requireCondition(`${place}, option where`, where);
  const checked = checkOptions(aggregate, options, place);
  const [column, second] = columns as readonly (string | undefined)[];
  return Object.freeze({
    aggregate,
    column,
    ...(second !== undefined && { second }),
    ...checked,
    ...(where !== undefined && { where }),
  });
}
