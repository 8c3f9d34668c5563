import { describe } from './describe.js';
import { queryError } from './errors.js';
import type { AggregateFunction, AggregateOptions } from './plan.js';

/** What an aggregate takes: how many columns, and which options with their defaults; one without a default must be given. */
interface Signature {
  readonly columns: 1 | 2;
  /** Of the columns, in the words of an error. */
  readonly takes: string;
  readonly options: AggregateOptions;
  readonly required?: keyof AggregateOptions;
}

const ORDERED = 'a column that has an order';
const NUMBERS = 'a column of integers, floats, decimals or booleans';

const SIGNATURES: Readonly<Record<AggregateFunction, Signature>> = {
  count: { columns: 1, takes: 'a column that is not nested', options: {} },
  countDistinct: { columns: 1, takes: ORDERED, options: {} },
  sum: {
    columns: 1,
    takes: 'a column of integers, floats, decimals, durations or booleans',
    options: { as: undefined },
  },
  mean: { columns: 1, takes: NUMBERS, options: {} },
  variance: { columns: 1, takes: NUMBERS, options: { population: false } },
  stddev: { columns: 1, takes: NUMBERS, options: { population: false } },
  covariance: {
    columns: 2,
    takes: 'two columns of integers, floats, decimals or booleans',
    options: {},
  },
  correlation: {
    columns: 2,
    takes: 'two columns of integers, floats, decimals or booleans',
    options: {},
  },
  min: { columns: 1, takes: ORDERED, options: {} },
  max: { columns: 1, takes: ORDERED, options: {} },
  argMin: { columns: 2, takes: 'two columns that have an order', options: {} },
  argMax: { columns: 2, takes: 'two columns that have an order', options: {} },
  first: { columns: 1, takes: ORDERED, options: { ignoreNulls: false } },
  last: { columns: 1, takes: ORDERED, options: { ignoreNulls: false } },
  median: { columns: 1, takes: 'a column of integers, floats or decimals', options: {} },
  quantile: {
    columns: 1,
    takes: 'a column of integers, floats or decimals, or of another order with lower, higher or nearest',
    options: { p: undefined, interpolation: 'linear' },
    required: 'p',
  },
  mode: { columns: 1, takes: ORDERED, options: {} },
  top: { columns: 1, takes: ORDERED, options: { n: undefined }, required: 'n' },
  bottom: { columns: 1, takes: ORDERED, options: { n: undefined }, required: 'n' },
  list: { columns: 1, takes: ORDERED, options: {} },
  join: { columns: 1, takes: 'a column of text', options: { separator: undefined }, required: 'separator' },
  every: { columns: 1, takes: 'a column of booleans', options: {} },
  some: { columns: 1, takes: 'a column of booleans', options: {} },
};

export const AGGREGATES = Object.keys(SIGNATURES) as readonly AggregateFunction[];

export function isAggregate(name: unknown): name is AggregateFunction {
  return typeof name === 'string' && Object.hasOwn(SIGNATURES, name);
}

/** How many columns an aggregate is of. */
export function columnsOf(aggregate: AggregateFunction): 1 | 2 {
  return SIGNATURES[aggregate].columns;
}

/** The columns that an aggregate takes, in the words of an error. */
export function takenBy(aggregate: AggregateFunction): string {
  return SIGNATURES[aggregate].takes;
}

type Check = readonly [isRight: (value: unknown) => boolean, wanted: string];

const isFlag: Check = [(value) => typeof value === 'boolean', 'true or false'];
const INTERPOLATIONS = ['linear', 'lower', 'higher', 'nearest', 'midpoint'];

const CHECKS: Readonly<Record<keyof AggregateOptions, Check>> = {
  as: [(value) => value === 'decimal', "'decimal'"],
  population: isFlag,
  ignoreNulls: isFlag,
  p: [(value) => typeof value === 'number' && value >= 0 && value <= 1, 'a number from 0 to 1'],
  interpolation: [
    (value) => INTERPOLATIONS.includes(value as string),
    `one of ${INTERPOLATIONS.map((name) => `'${name}'`).join(', ')}`,
  ],
  n: [(value) => Number.isSafeInteger(value) && Number(value) > 0, 'a whole number above 0'],
  separator: [(value) => typeof value === 'string', 'text'],
};

/**
 * The options of an aggregate that were given, each checked; those that are undefined are left out.
 * @param place what errors name
 * @throws QueryError where one is wrong, unknown, or missing without a default.
 */
export function checkOptions(
  aggregate: AggregateFunction,
  given: Readonly<Record<string, unknown>>,
  place: string,
): AggregateOptions {
  const { options, required } = SIGNATURES[aggregate];
  const known = Object.keys(options);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined && name !== required) continue;
    if (!Object.hasOwn(CHECKS, name)) {
      const wanted = `none but ${['where', ...known.filter((option) => option !== required)].join(', ')}`;
      throw queryError(place, `an option ${JSON.stringify(name)}`, wanted);
    }
    const [isRight, wanted] = CHECKS[name as keyof AggregateOptions];
    const option = `${place}, option ${name}`;
    if (!known.includes(name))
      throw queryError(option, describe(value), `none: ${aggregate} has no such option`);
    if (!isRight(value)) throw queryError(option, describe(value), wanted);
  }
  if (required !== undefined && !Object.hasOwn(given, required))
    throw queryError(`${place}, option ${required}`, 'none', CHECKS[required][1]);
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The options of an aggregate that were not given, where they have a value then. */
export function defaultsOf(aggregate: AggregateFunction): AggregateOptions {
  const { options } = SIGNATURES[aggregate];
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
