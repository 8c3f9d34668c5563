import type { Aggregate } from '../core/aggregate.js';
import { count, max, mean, min, sum } from '../core/aggregates.js';
import type { Query } from '../core/aggregator.js';
import { asc, desc, type Key } from '../core/keys.js';
import { type Expression, parseList, parseNamed } from './parse.js';
import { UsageError } from './usage-error.js';

/** The keys of `--by origin,desc(distance)`. @throws UsageError */
export function parseBy(text: string): (string | Key)[] {
  if (text.trim() === '') return [];
  return parseList(text, '--by').map((expression) => {
    const { name, parameters } = expression;
    if (parameters === undefined) return name;
    const direction = directions.get(name);
    if (direction === undefined) throw unknown('--by', name, [...directions.keys()], laterKeys);
    return direction(oneColumn(expression, '--by'));
  });
}

/** The aggregates of all `--agg late=mean(delay)`; one without a name is called by its function and columns. */
export function parseAggregates(texts: readonly string[]): Query['aggregates'] {
  if (texts.length === 0) return [['count', count()]];
  return texts.map((text) => {
    const { name, expression } = parseNamed(text, '--agg');
    return [name ?? defaultName(expression), aggregateOf(expression)] as const;
  });
}

const directions = new Map(Object.entries({ asc, desc }));
const functions: ReadonlyMap<string, (column: string) => Aggregate> = new Map(
  Object.entries({ count, sum, mean, min, max }),
);
const laterKeys = ['bucket', 'timeBucket', 'rollup', 'cube', 'groupingSets'];
const laterFunctions =
  'countDistinct variance stddev covariance correlation argMin argMax first last median quantile mode top bottom list join every some';

function aggregateOf(expression: Expression): Aggregate {
  const { name, parameters } = expression;
  const known = functions.get(name);
  if (parameters === undefined) {
    throw new UsageError(`--agg: got ${JSON.stringify(name)}, wanted a function, as in mean(delay)`);
  }
  if (known === undefined) throw unknown('--agg', name, [...functions.keys()], laterFunctions.split(' '));
  if (name === 'count' && parameters.length === 0) return count();
  return known(oneColumn(expression, '--agg'));
}

function oneColumn({ name, parameters = [] }: Expression, option: string): string {
  const [column] = parameters;
  if (parameters.length === 1 && column.parameters === undefined) return column.name;
  throw new UsageError(`${option}: got ${name} of ${parameters.length} things, wanted ${name}(column)`);
}

function defaultName({ name, parameters = [] }: Expression): string {
  return [name, ...parameters.map((parameter) => parameter.name)].join('_');
}

function unknown(
  option: string,
  name: string,
  known: readonly string[],
  later: readonly string[],
): UsageError {
  return later.includes(name)
    ? new UsageError(`${option}: ${name} is not supported yet`)
    : new UsageError(`${option}: got ${JSON.stringify(name)}, wanted one of ${known.join(', ')}`);
}
