import {
  and,
  argMax,
  asc,
  bucket,
  count,
  cube,
  desc,
  eq,
  first,
  ge,
  groupingSets,
  gt,
  isIn,
  isNull,
  join,
  le,
  lt,
  mean,
  ne,
  not,
  notNull,
  or,
  quantile,
  rollup,
  sum,
  timeBucket,
  top,
  variance,
} from 'rangefold';
import { describe, expect, it } from 'vitest';
import { parseAggregates } from '../../dist/cli/aggregates.js';
import { conditionOf } from '../../dist/cli/condition.js';
import { parseBy, parseSort } from '../../dist/cli/keys.js';
import { parseCondition } from '../../dist/cli/parse.js';
import { queryOf } from '../../dist/cli/query.js';
import { caretLines, UsageError } from '../../dist/cli/usage-error.js';
import type { DataType } from '../../dist/core/type.js';

/** Keys without their methods. */
const plain = (keys: unknown): unknown =>
  JSON.parse(JSON.stringify(keys, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)));

const decimal: DataType = { kind: 'decimal', bits: 128, precision: 10, scale: 2 };

/** The message, the text that was given and the caret below it. */
function faultOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    if (!(error instanceof UsageError) || error.place === undefined) throw error;
    return `${error.message}\n${caretLines(error.place)}`;
  }
  throw new Error('no error');
}

describe('--by', () => {
  it.each<[string, unknown]>([
    ['origin', ['origin']],
    ['origin,desc(distance)', ['origin', desc('distance')]],
    [' asc( origin ) , x ', [asc('origin'), 'x']],
    ['air port,é', ['air port', 'é']],
    ['"a,b(c)=""d""",desc(" x ")', ['a,b(c)="d"', desc(' x ')]],
    ['', []],
    ['from=origin', [asc('origin').as('from')]],
    ['desc(x,nulls=first)', [desc('x', { nulls: 'first' })]],
    ['bucket(delay,15)', [bucket('delay', 15)]],
    ['late=bucket(delay,0.5,offset=-1)', [bucket('delay', 0.5, { offset: -1 }).as('late')]],
    ['bucket(id,9007199254740993)', [bucket('id', 9007199254740993n)]],
    ['bucket(price,0.10)', [bucket('price', '0.10')]],
    ["timeBucket(date,'1 month')", [timeBucket('date', '1 month')]],
    [
      "desc(day=timeBucket(t,1 day,zone='Europe/Berlin',origin='2024-01-01'))",
      [desc(timeBucket('t', '1 day', { zone: 'Europe/Berlin', origin: '2024-01-01' }).as('day'))],
    ],
    ['rollup(a,desc(b))', rollup('a', desc('b'))],
    ['cube(a, b)', cube('a', 'b')],
    ['groupingSets((a,b),(bucket(c,2)),())', groupingSets([['a', 'b'], [bucket('c', 2)], []])],
  ])('%j is understood', (text, keys) =>
    expect(plain(parseBy(text, (name) => (name === 'price' ? decimal : undefined)))).toEqual(plain(keys)),
  );

  it.each([
    ["--by: got the end, wanted a name, '(' or a text\n  a,\n    ^\n", 'a,'],
    ["--by: got \")\", wanted '=', '(', ',' or the end\n  a b)\n     ^\n", 'a b)'],
    ["--by: got the end, wanted '=', '(', ',' or ')'\n  desc(a\n        ^\n", 'desc(a'],
    ['--by: got "\\"a", wanted a name, \'(\' or a text\n  "a\n  ^\n', '"a'],
    ['--by: got one thing too many, wanted desc(column)\n  é,desc(a,b)\n           ^\n', 'é,desc(a,b)'],
    [
      '--by: got "down", wanted one of asc, desc, bucket, timeBucket, rollup, cube, groupingSets\n  down(a)\n  ^\n',
      'down(a)',
    ],
    ['--by: got a key beside rollup, wanted it alone\n  rollup(a),b\n            ^\n', 'rollup(a),b'],
    [
      '--by: timeBucket("d"), width: got "soon", wanted a whole number and a unit, as \'15 minutes\'\n  timeBucket(d,soon)\n  ^\n',
      'timeBucket(d,soon)',
    ],
    ['--by: got bucket of too little, wanted bucket(column,width)\n  bucket(d)\n  ^\n', 'bucket(d)'],
  ])('%j', (message, text) => expect(faultOf(() => parseBy(text))).toBe(message));

  it('has no function that objects have', () =>
    expect(() => parseBy('toString(a)')).toThrow(/got "toString", wanted one of asc/));
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

  it('has options and conditions', () => {
    expect(
      parseAggregates([
        'quantile(delay,0.95)',
        'low=quantile(delay,.5,interpolation=lower)',
        'variance(x,population)',
        'first(x,ignoreNulls=false)',
        "join(x,', ')",
        'top(x,2)',
        'argMax(x,y)',
        'total=sum(x,as=decimal) where x > 0 or y is null',
        'count() where x = 1',
      ]),
    ).toEqual([
      ['quantile_delay_0.95', quantile('delay', 0.95)],
      ['low', quantile('delay', 0.5, { interpolation: 'lower' })],
      ['variance_x_population', variance('x', { population: true })],
      ['first_x_false', first('x', { ignoreNulls: false })],
      ['join_x_, ', join('x', ', ')],
      ['top_x_2', top('x', 2)],
      ['argMax_x_y', argMax('x', 'y')],
      ['total', sum('x', { as: 'decimal', where: or(gt('x', 0), isNull('y')) })],
      ['count', count({ where: eq('x', 1) })],
    ]);
  });

  it('is count() where none is given', () => expect(parseAggregates([])).toEqual([['count', count()]]));

  it.each([
    ['--agg: got "delay", wanted a function, as in mean(delay)\n  n=delay\n    ^\n', 'n=delay'],
    ['--agg: got mean of 0 things, wanted mean(column)\n  mean()\n  ^\n', 'mean()'],
    ['--agg: mean("a"): got an option "b"', 'mean(a,b)'],
    ['--agg: got top of 1 thing, wanted top(column,n)\n  n=top(a)\n    ^\n', 'n=top(a)'],
    ['--agg: wanted a number, as in top(column,n)\n  top(a,b)\n        ^\n', 'top(a,b)'],
    ['--agg: top("a"), option n: got 0, wanted a whole number above 0\n  top(a,0)\n  ^\n', 'top(a,0)'],
    ['--agg: got "mdian", wanted one of count, countDistinct, sum, mean, variance', 'mdian(a)'],
    ['--agg: got "AVG", wanted mean\n  x=AVG(a)\n    ^\n', 'x=AVG(a)'],
    ['--agg: got "stddev_pop", wanted stddev(column,population)\n', 'stddev_pop(a)'],
    ['--agg: got count(*), wanted count()\n  count(*)\n  ^\n', 'count(*)'],
    ['--agg: got count(distinct ...), wanted countDistinct(a b)\n', 'count(DISTINCT a b)'],
    ['--agg: got "SUM", wanted sum\n', 'SUM(a)'],
    [
      '--agg: got "as x", wanted the name before it, as in late=mean(delay)\n  sum(a) as x\n         ^\n',
      'sum(a) as x',
    ],
    ['--agg: got ",sum(a)", wanted --agg once more for another aggregate\n', 'count(),sum(a)'],
    ['--agg: got "=mean(c)", wanted \'(\', where or the end\n  a=b=mean(c)\n     ^\n', 'a=b=mean(c)'],
    ['--agg: got the end, wanted a name\n  \n  ^\n', ''],
    [
      '--agg: got "> 1", wanted \'(\' or a column\n  sum(a) where > 1\n               ^\n',
      'sum(a) where > 1',
    ],
  ])('%j', (message, text) => {
    if (message.endsWith('\n')) expect(faultOf(() => parseAggregates([text]))).toContain(message);
    else expect(() => parseAggregates([text])).toThrow(message);
  });
});

const VALUE = "a number, a text in 'single quotes', true or false";

describe('--where and --having', () => {
  it.each([
    ["delay > 0 and origin in ('SFO','LAX')", and(gt('delay', 0), isIn('origin', ['SFO', 'LAX']))],
    ['a=1 or b<>2 and c<=3', or(eq('a', 1), and(ne('b', 2), le('c', 3)))],
    ['(a==1 or b!=2) AND NOT c>=3', and(or(eq('a', 1), ne('b', 2)), not(ge('c', 3)))],
    ['not not a < -1.5e3', not(not(lt('a', -1500)))],
    ['a is null and b is not null', and(isNull('a'), notNull('b'))],
    ['a not in (1, null)', not(isIn('a', [1, null]))],
    ['a in ()', isIn('a', [])],
    ['a between 1 and 2 and b = true', and(and(ge('a', 1), le('a', 2)), eq('b', true))],
    ['a not between 1 and 2', not(and(ge('a', 1), le('a', 2)))],
    ["\"air port\" = 'it''s'", eq('air port', "it's")],
    ['"and" = null', eq('and', null)],
    ['order = 9007199254740993', eq('order', 9007199254740993n)],
    ['a < infinity and a > -Infinity and a <> NaN', and(lt('a', Infinity), gt('a', -Infinity), ne('a', NaN))],
    ["é = x'00fF'", eq('é', Uint8Array.of(0, 255))],
    ['price >= 0.10', ge('price', '0.10')],
    ['price in (1, 2.50)', isIn('price', ['1', '2.50'])],
  ])('%j is understood', (text, condition) => {
    const typeOf = (name: string): DataType | undefined => (name === 'price' ? decimal : undefined);
    expect(conditionOf(parseCondition(text, '--where').tree, typeOf)).toEqual(condition);
  });

  it.each([
    [`--where: got "> 0", wanted ${VALUE}\n  delay > > 0\n          ^\n`, 'delay > > 0'],
    [`--where: got "\\"SFO\\"", wanted ${VALUE}\n  a = "SFO"\n      ^\n`, 'a = "SFO"'],
    [
      `--where: got "like 'S%'", wanted a comparison, is, in or between; texts are compared as a whole\n  a like 'S%'\n    ^\n`,
      "a like 'S%'",
    ],
    [`--where: got "'SFO", wanted a ' at the end of the text, too\n  a = 'SFO\n      ^\n`, "a = 'SFO"],
    [
      '--where: got "(a) > 1", wanted a comparison of a column; there are no functions\n  lower(a) > 1\n       ^\n',
      'lower(a) > 1',
    ],
    ["--where: got the end, wanted not, '(' or a column\n  a = 1 and\n           ^\n", 'a = 1 and'],
    ['--where: got "b", wanted and, or or the end\n  a=1 b\n      ^\n', 'a=1 b'],
    ["--where: got the end, wanted a comparison, 'is', not, 'in' or 'between'\n  delay\n       ^\n", 'delay'],
    ['--where: got "1 = a", wanted not, \'(\' or a column\n  1 = a\n  ^\n', '1 = a'],
  ])('%j', (message, text) => expect(faultOf(() => parseCondition(text, '--where'))).toBe(message));
});

describe('names that end as in SQL', () => {
  it.each([
    ['--by: got "shop desc", wanted desc(shop)\n  a,shop desc\n    ^\n', () => parseBy('a,shop desc')],
    ['--by: got "a b AS city", wanted city=a b\n', () => parseBy('a b AS city')],
    ['--sort: got "n DESC", wanted desc(n)\n', () => parseSort('n DESC')],
  ])('%j', (message, parse) => expect(faultOf(parse)).toContain(message));

  it('may stand in quotes', () => expect(parseBy('"shop desc"')).toEqual(['shop desc']));
});

describe('--sort', () => {
  it('has columns of the answer', () =>
    expect(plain(parseSort('desc(flights),origin'))).toEqual(plain([desc('flights'), 'origin'])));

  it('has nothing else', () =>
    expect(faultOf(() => parseSort('a,bucket(b,1)'))).toBe(
      '--sort: wanted a column of the answer, as flights or desc(flights)\n  a,bucket(b,1)\n    ^\n',
    ));
});

describe('the whole query', () => {
  it('reads numbers of --having as the types of the answer need them', () => {
    const words = {
      by: 'k',
      agg: ['total=sum(price)', 'n=count()'],
      where: 'price > 1.5',
      having: 'total > 2.5 and n > 2',
      sort: 'desc(total)',
      limit: 3,
    };
    const fields = [
      { name: 'k', type: { kind: 'bool' } as const },
      { name: 'price', type: decimal },
    ];
    expect(queryOf(words, fields)).toMatchObject({
      where: gt('price', '1.5'),
      having: and(gt('total', '2.5'), gt('n', 2)),
      limit: 3,
    });
    expect(queryOf(words)).toMatchObject({ having: and(gt('total', 2.5), gt('n', 2)) });
  });
});
