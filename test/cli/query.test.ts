import { asc, count, desc, mean, sum } from 'rangefold';
import { describe, expect, it } from 'vitest';
import { parseAggregates, parseBy } from '../../dist/cli/query.js';
import { UsageError } from '../../dist/cli/usage-error.js';

/** Keys without their methods. */
const plain = (keys: unknown): unknown => JSON.parse(JSON.stringify(keys));

describe('--by', () => {
  it.each<[string, unknown[]]>([
    ['origin', ['origin']],
    ['origin,desc(distance)', ['origin', desc('distance')]],
    [' asc( origin ) , x ', [asc('origin'), 'x']],
    ['air port,é', ['air port', 'é']],
    ['"a,b(c)=""d""",desc(" x ")', ['a,b(c)="d"', desc(' x ')]],
    ['', []],
  ])('%j is understood', (text, keys) => expect(plain(parseBy(text))).toEqual(plain(keys)));

  it.each([
    ['a,', '--by "a,": got the end, wanted a name'],
    ['a b)', '--by "a b)": got ")", wanted the end'],
    ['desc(a', '--by "desc(a": got the end, wanted \')\''],
    ['"a', '--by "\\"a": got "\\"a", wanted a name'],
    ['desc(a,b)', '--by: got desc of 2 things, wanted desc(column)'],
    ['desc(desc(a))', '--by: got desc of 1 things, wanted desc(column)'],
    ['rollup(a,b)', '--by: rollup is not supported yet'],
    ['bucket(a,15)', '--by: bucket is not supported yet'],
    ['down(a)', '--by: got "down", wanted one of asc, desc'],
    ['toString(a)', '--by: got "toString", wanted one of asc, desc'],
  ])('%j is not', (text, message) => expect(() => parseBy(text)).toThrow(new UsageError(message)));
});

describe('--agg', () => {
  it('has names of its own, or those of the function and the column', () => {
    expect(
      parseAggregates(['late=mean(delay)', 'mean(delay)', 'count()', 'count(x)', '"a=b" = sum("c d")']),
    ).toEqual([
      ['late', mean('delay')],
      ['mean_delay', mean('delay')],
      ['count', count()],
      ['count_x', count('x')],
      ['a=b', sum('c d')],
    ]);
  });

  it('is count() where none is given', () => expect(parseAggregates([])).toEqual([['count', count()]]));

  it.each([
    ['delay', '--agg: got "delay", wanted a function, as in mean(delay)'],
    ['mean()', '--agg: got mean of 0 things, wanted mean(column)'],
    ['mean(a,b)', '--agg: got mean of 2 things, wanted mean(column)'],
    ['median(a)', '--agg: median is not supported yet'],
    ['average(a)', '--agg: got "average", wanted one of count, sum, mean, min, max'],
    ['a=b=mean(c)', '--agg "a=b=mean(c)": got "=mean(c)", wanted the end'],
    ['', '--agg "": got the end, wanted a name'],
  ])('%j is not understood', (text, message) =>
    expect(() => parseAggregates([text])).toThrow(new UsageError(message)),
  );
});
