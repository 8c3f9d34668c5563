import type { Aggregate } from '../core/aggregate.js';
import {
  argMax,
  argMin,
  bottom,
  correlation,
  count,
  countDistinct,
  covariance,
  every,
  first,
  join,
  last,
  list,
  max,
  mean,
  median,
  min,
  mode,
  quantile,
  some,
  stddev,
  sum,
  top,
  variance,
} from '../core/aggregates.js';
import { attempt } from './attempt.js';
import { conditionOf, type TypeOf } from './condition.js';
import type { Call, Item } from './grammar.js';
import { isNumber } from './number.js';
import { type Parsed, parseAggregate } from './parse.js';

/** The aggregates of all `--agg late=mean(delay)`; one without a name is called by its function and columns. @throws UsageError */
export function parseAggregates(
  texts: readonly string[],
  typeOf: TypeOf = () => undefined,
): (readonly [name: string, aggregate: Aggregate])[] {
  if (texts.length === 0) return [['count', count()]];
  return texts.map((text) => {
    const parsed = parseAggregate(text, '--agg');
    const { name, value, where } = parsed.tree;
    if (value.kind !== 'call') {
      const came = JSON.stringify(value.name);
      throw parsed.fault(value.at, `got ${came}, wanted a function, as in mean(delay)`);
    }
    const condition = where === null ? {} : { where: conditionOf(where, typeOf) };
    return [name ?? defaultName(value), aggregateOf(parsed, value, condition)] as const;
  });
}

interface Form {
  readonly build: (...given: never[]) => Aggregate;
  /** What stands before the options. */
  readonly parts: readonly string[];
}

const ONE = ['column'];

const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ...Object.entries({ count, countDistinct, sum, mean, variance, stddev, min, max, first, last }).map(
    ([name, build]) => [name, { build, parts: ONE }] as const,
  ),
  ...Object.entries({ median, mode, list, every, some }).map(
    ([name, build]) => [name, { build, parts: ONE }] as const,
  ),
  ['covariance', { build: covariance, parts: ['x', 'y'] }],
  ['correlation', { build: correlation, parts: ['x', 'y'] }],
  ['argMin', { build: argMin, parts: ['column', 'by'] }],
  ['argMax', { build: argMax, parts: ['column', 'by'] }],
  ['quantile', { build: quantile, parts: ['column', 'p'] }],
  ['top', { build: top, parts: ['column', 'n'] }],
  ['bottom', { build: bottom, parts: ['column', 'n'] }],
  ['join', { build: join, parts: ['column', 'separator'] }],
]);

/** What aggregates are called in SQL and in other libraries, in lower case, and here. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['avg', 'mean'],
  ['average', 'mean'],
  ['var', 'variance'],
  ['var_samp', 'variance'],
  ['var_pop', 'variance(column,population)'],
  ['std', 'stddev'],
  ['stddev_samp', 'stddev'],
  ['stddev_pop', 'stddev(column,population)'],
  ['corr', 'correlation'],
  ['cov', 'covariance'],
  ['count_distinct', 'countDistinct'],
  ['n_unique', 'countDistinct'],
  ['nunique', 'countDistinct'],
  ['arg_min', 'argMin'],
  ['arg_max', 'argMax'],
  ['array_agg', 'list'],
  ['string_agg', 'join'],
  ['bool_and', 'every'],
  ['bool_or', 'some'],
  ['any_value', 'first'],
  ['group_concat', 'join'],
  ['percentile', 'quantile'],
  ['quantile_cont', 'quantile'],
]);

/** What an aggregate of another name is called here, or all names. */
function knownAs(name: string): string {
  const lower = name.toLowerCase();
  const names = [...FORMS.keys()];
  return (
    ELSEWHERE.get(lower) ?? names.find((one) => one.toLowerCase() === lower) ?? `one of ${names.join(', ')}`
  );
}

function aggregateOf(parsed: Parsed<unknown>, call: Call, condition: object): Aggregate {
  const { name, parameters, at } = call;
  const form = FORMS.get(name);
  if (form === undefined) {
    throw parsed.fault(at, `got ${JSON.stringify(name)}, wanted ${knownAs(name)}`);
  }
  const { parts } = form;
  // The parts are read as the function takes them.
  const build = form.build as (...given: readonly unknown[]) => Aggregate;
  if (name === 'count' && parameters.length === 0) return build(condition);
  const [first] = parameters;
  if (name === 'count' && first.kind === 'word') {
    if (first.name === '*') throw parsed.fault(at, 'got count(*), wanted count()');
    const [, distinct] = /^distinct\s+(.*)$/i.exec(first.name) ?? [];
    if (distinct !== undefined)
      throw parsed.fault(at, `got count(distinct ...), wanted countDistinct(${distinct})`);
  }
  const wanted = `${name}(${parts.join(',')})`;
  if (parameters.length < parts.length)
    throw parsed.fault(at, `got ${name} of ${things(parameters.length)}, wanted ${wanted}`);
  const given = parts.map((part, i) => givenOf(parsed, parameters[i], part, wanted));
  const options = Object.fromEntries(
    parameters.slice(parts.length).map((item) => optionOf(parsed, item, wanted)),
  );
  return attempt(parsed, at, () => build(...given, { ...options, ...condition }));
}

function things(count: number): string {
  return count === 1 ? '1 thing' : `${count} things`;
}

function givenOf(parsed: Parsed<unknown>, item: Item, part: string, wanted: string): string | number {
  if (part === 'p' || part === 'n') {
    if (item.kind === 'word' && isNumber(item.name)) return Number(item.name);
    throw parsed.fault(item.at, `wanted a number, as in ${wanted}`);
  }
  if (part === 'separator' && item.kind === 'text') return item.text;
  if (item.kind === 'word' || item.kind === 'name') return item.name;
  throw parsed.fault(item.at, `wanted a ${part === 'separator' ? 'text' : 'column'}, as in ${wanted}`);
}

/** `population`, or `population=true`. */
function optionOf(parsed: Parsed<unknown>, item: Item, wanted: string): readonly [string, unknown] {
  if (item.kind === 'word') return [item.name, true];
  if (item.kind !== 'option' || item.value.kind === 'call')
    throw parsed.fault(item.at, `wanted an option beside ${wanted}, as population or interpolation=lower`);
  const { value } = item;
  if (value.kind === 'word' && (value.name === 'true' || value.name === 'false'))
    return [item.name, value.name === 'true'];
  return [item.name, value.kind === 'text' ? value.text : value.name];
}

function defaultName({ name, parameters }: Call): string {
  return [name, ...parameters.map(partOf)].join('_');
}

function partOf(item: Item): string {
  switch (item.kind) {
    case 'text':
      return item.text;
    case 'option':
      return partOf(item.value);
    case 'set':
      return '';
    default:
      return item.name;
  }
}
