import type { DataType as ArrowType, Float64, Int32, Int64, List, Table } from 'apache-arrow';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  count,
  list,
  max,
  mean,
  median,
  min,
  named,
  quantile,
  sum,
  top,
} from '../../dist/core/aggregates.js';
import type { Aggregation, Query } from '../../dist/core/aggregator.js';
import { check } from '../../dist/core/check.js';
import { gt } from '../../dist/core/conditions.js';
import { QueryError } from '../../dist/core/errors.js';
import { rollup } from '../../dist/core/grouping.js';
import { asc, bucket, desc } from '../../dist/core/keys.js';
import type { DataType, Field } from '../../dist/core/type.js';
import { typeName } from '../../dist/core/type.js';

const int = (bits: 8 | 16 | 32 | 64, signed = true): DataType => ({ kind: 'int', bits, signed });
const decimal = (bits: 32 | 64 | 128 | 256, precision: number, scale: number): DataType => ({
  kind: 'decimal',
  bits,
  precision,
  scale,
});
const utf8: DataType = { kind: 'utf8', form: 'plain' };
const dictionary = (value: DataType): DataType => ({
  kind: 'dictionary',
  index: { kind: 'int', bits: 32, signed: true },
  value,
  ordered: false,
});
/** Every type of the rules, with the types of its sum and its mean: `-` where there is none. */
const TYPES: [type: DataType, sum: string, mean: string][] = [
  [{ kind: 'null' }, '-', '-'],
  [{ kind: 'bool' }, 'Int64', 'Float64'],
  ...([8, 16, 32, 64] as const).flatMap((bits): [DataType, string, string][] => [
    [int(bits), 'Int64', 'Float64'],
    [int(bits, false), 'Uint64', 'Float64'],
  ]),
  ...([16, 32, 64] as const).map((bits): [DataType, string, string] => [
    { kind: 'float', bits },
    'Float64',
    'Float64',
  ]),
  ...([32, 64, 128] as const).map((bits): [DataType, string, string] => [
    decimal(bits, 9, 3),
    'Decimal128(38, 3)',
    'Float64',
  ]),
  [decimal(256, 76, 0), 'Decimal256(76, 0)', 'Float64'],
  [decimal(256, 10, -2), 'Decimal256(76, -2)', 'Float64'],
  ...(['plain', 'large', 'view'] as const).flatMap((form): [DataType, string, string][] => [
    [{ kind: 'utf8', form }, '-', '-'],
    [{ kind: 'binary', form }, '-', '-'],
  ]),
  [{ kind: 'fixedBinary', width: 4 }, '-', '-'],
  [{ kind: 'date', unit: 'day' }, '-', '-'],
  [{ kind: 'date', unit: 'ms' }, '-', '-'],
  ...(['s', 'ms', 'us', 'ns'] as const).flatMap((unit): [DataType, string, string][] => [
    [{ kind: 'time', unit }, '-', '-'],
    [{ kind: 'timestamp', unit, zone: null }, '-', '-'],
    [{ kind: 'timestamp', unit, zone: 'Europe/Berlin' }, '-', '-'],
    [{ kind: 'duration', unit }, `Duration[${unit}]`, '-'],
  ]),
  [{ kind: 'interval' }, '-', '-'],
  [dictionary(utf8), '-', '-'],
  [dictionary(int(8, false)), 'Uint64', 'Float64'],
  [dictionary(decimal(32, 5, 2)), 'Decimal128(38, 2)', 'Float64'],
  [dictionary({ kind: 'null' }), '-', '-'],
];
const BY_NAME = TYPES.map(([type, ...rest]) => [typeName(type), type, ...rest] as const);
const NESTED: DataType[] = [
  { kind: 'list', item: utf8 },
  { kind: 'other', name: 'Struct<{x:Bool}>' },
  dictionary({ kind: 'list', item: utf8 }),
];

const FIELDS: Field[] = [
  { name: 'k', type: int(32) },
  { name: 'v', type: { kind: 'float', bits: 64 } },
  { name: 'text', type: utf8 },
  { name: 'twice', type: utf8 },
  { name: 'twice', type: int(8) },
];

const bad = (query: unknown, fields: readonly Field[] = FIELDS): (() => unknown) => {
  return () => check(query as Query, fields);
};

describe('check', () => {
  it('settles columns, each once, and the output', () => {
    const query = {
      by: ['text', desc('k', { nulls: 'first' }), asc('k').as('again')],
      aggregates: { rows: count(), present: count('v'), total: sum('v'), most: max('text') },
    };
    expect(check(query, FIELDS)).toEqual({
      columns: [
        { name: 'text', type: utf8, index: 2 },
        { name: 'k', type: int(32), index: 0 },
        { name: 'v', type: { kind: 'float', bits: 64 }, index: 1 },
      ],
      keys: [
        { name: 'text', column: 0, type: utf8, descending: false, nullsFirst: false },
        { name: 'k', column: 1, type: int(32), descending: true, nullsFirst: true },
        { name: 'again', column: 1, type: int(32), descending: false, nullsFirst: false },
      ],
      aggregates: [
        { name: 'rows', function: 'count', column: -1, input: { kind: 'null' }, type: int(64) },
        { name: 'present', function: 'count', column: 2, input: { kind: 'float', bits: 64 }, type: int(64) },
        {
          name: 'total',
          function: 'sum',
          column: 2,
          input: { kind: 'float', bits: 64 },
          type: { kind: 'float', bits: 64 },
        },
        { name: 'most', function: 'max', column: 0, input: utf8, type: utf8 },
      ],
      output: [
        { name: 'text', type: utf8 },
        { name: 'k', type: int(32) },
        { name: 'again', type: int(32) },
        { name: 'rows', type: int(64) },
        { name: 'present', type: int(64) },
        { name: 'total', type: { kind: 'float', bits: 64 } },
        { name: 'most', type: utf8 },
      ],
      sort: [],
    });
  });

  it('freezes what it returns', () => {
    const checked = check({ by: ['k'], aggregates: { n: count() } }, FIELDS);
    for (const part of [checked, checked.keys, checked.keys[0], checked.aggregates[0], checked.output[0]]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('takes no keys, no aggregates, and neither', () => {
    expect(check({ by: [], aggregates: {} }, FIELDS).output).toEqual([]);
    expect(check({ by: ['k'] } as unknown as Query, FIELDS).output).toHaveLength(1);
    expect(check({ by: [], aggregates: [] }, []).columns).toEqual([]);
  });

  it('keeps the order of pairs, also where names look like integers', () => {
    const pairs = [named('10', count()), named('9', count()), ['a', count()]] as const;
    expect(check({ by: [], aggregates: pairs }, FIELDS).output.map(({ name }) => name)).toEqual([
      '10',
      '9',
      'a',
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'length', '', ' ', '0', 'a.b', '🦊', 'line\nbreak'])(
    'takes a column called %j',
    (name) => {
      const fields = [{ name, type: int(32) }];
      const out = `${name}!`;
      const query = { by: [name], aggregates: [[out, sum(name)] as const] };
      expect(check(query, fields).output.map((field) => field.name)).toEqual([name, out]);
      const named = JSON.parse(
        `{${JSON.stringify(name)}: {"aggregate": "sum", "column": ${JSON.stringify(name)}}}`,
      );
      expect(check({ by: [], aggregates: named }, fields).output.map((field) => field.name)).toEqual([name]);
      expect(bad({ by: [name], aggregates: {} }, FIELDS)).toThrow(/unknown column/);
    },
  );

  it.each(BY_NAME)('offers %s as key and value', (_, type) => {
    const value = type.kind === 'dictionary' ? type.value : type;
    const aggregates = { n: count('x'), least: min('x'), most: max('x') };
    expect(
      check({ by: ['x'], aggregates: { ...aggregates } }, [{ name: 'x', type }]).output.map((f) => f.type),
    ).toEqual([value, int(64), value, value]);
  });

  it.each(NESTED.map((type) => [typeName(type), type] as const))('refuses %s everywhere', (_, type) => {
    const fields = [{ name: 'x', type }];
    expect(bad({ by: ['x'] }, fields)).toThrow(
      /by\[0\]: got column "x" of type .* wanted a type that has an order/,
    );
    for (const aggregate of [count('x'), sum('x'), min('x')]) {
      expect(bad({ by: [], aggregates: { a: aggregate } }, fields)).toThrow(/column "x" of type/);
      expect(bad({ by: [], aggregates: { a: aggregate } }, fields)).toThrow(QueryError);
    }
  });

  it.each(BY_NAME)('gives sum and mean of %s their types', (name, type, ofSum, ofMean) => {
    const fields = [{ name: 'x', type }];
    for (const [aggregate, result] of [
      [sum('x'), ofSum],
      [mean('x'), ofMean],
    ] as const) {
      const query = { by: [], aggregates: { a: aggregate } };
      if (result !== '-')
        expect(check(query, fields).output.map((field) => typeName(field.type))).toEqual([result]);
      else {
        expect(bad(query, fields)).toThrow(QueryError);
        expect(bad(query, fields)).toThrow(
          `aggregate "a": got ${aggregate.aggregate} of column "x" of type ${name}, wanted a column of integers, floats, decimals`,
        );
      }
    }
  });

  it.each(BY_NAME)('sums %s as decimal where it is Bool or an integer', (_, type, ofSum) => {
    const fields = [{ name: 'x', type }];
    const query = { by: [], aggregates: { a: sum('x', { as: 'decimal' }) } };
    if (!/^U?[Ii]nt64$/.test(ofSum)) {
      expect(bad(query, fields)).toThrow(
        /sum of column "x" of type .* as decimal, wanted a column of integers or booleans/,
      );
      return;
    }
    const [aggregate] = check(query, fields).aggregates;
    expect(aggregate).toMatchObject({ function: 'sum', type: decimal(128, 38, 0) });
    expect(aggregate.input.kind).not.toBe('dictionary');
  });

  it('lists the columns there are where one is unknown, and the nearest', () => {
    const fields = ['origin', 'destination', 'delay'].map((name) => ({ name, type: utf8 }));
    expect(bad({ by: ['orign'] }, fields)).toThrow(
      /^by\[0\]: got unknown column "orign", wanted one of "origin", "destination", "delay"; is it "origin"\?$/,
    );
    expect(bad({ by: ['ORIGIN'] }, fields)).toThrow(/is it "origin"/);
    expect(bad({ by: ['x'] }, fields)).toThrow(/one of "origin", "destination", "delay"$/);
    expect(bad({ by: ['x'] }, [])).toThrow(/the input has none/);
    const many = Array.from({ length: 1000 }, (_, i) => ({ name: `column ${i}`, type: utf8 }));
    expect(bad({ by: [], aggregates: { a: count('nothing like it') } }, many)).toThrow(
      /"column 19", 980 more$/,
    );
  });

  it('refuses a name that two input columns share, where it is used', () => {
    expect(bad({ by: ['twice'] })).toThrow(/by\[0\]: got column "twice", a name that 2 input columns share/);
    expect(bad({ by: [], aggregates: { n: count('twice') } })).toThrow(QueryError);
    expect(check({ by: ['k'], aggregates: {} }, FIELDS).keys).toHaveLength(1);
  });

  it('refuses an output name used twice', () => {
    expect(bad({ by: ['k', 'k'] })).toThrow(/two output columns called "k"/);
    expect(bad({ by: ['k', desc('k')] })).toThrow(QueryError);
    expect(bad({ by: ['k'], aggregates: { k: count() } })).toThrow(/called "k"/);
    expect(bad({ by: [], aggregates: [named('s', count()), named('s', sum('k'))] })).toThrow(/called "s"/);
    expect(bad({ by: ['text', asc('k').as('text')] })).toThrow(/called "text"/);
  });

  const wrong: [query: unknown, message: RegExp][] = [
    [undefined, /^query: got undefined/],
    [null, /^query: got null/],
    ['by k', /^query: got "by k"/],
    [[], /^query: got an array/],
    [{}, /^query\.by: got undefined/],
    [{ by: 'k' }, /^query\.by: got "k", wanted an array/],
    [{ by: { sets: [] } }, /^query\.by: got an object.*grouping sets/],
    [{ by: { sets: [['k']], cube: 1 } }, /^query\.by: got an object.*grouping sets/],
    [{ by: { sets: ['k'] } }, /^query\.by\.sets\[0\]: got "k"/],
    [{ by: { sets: [['k'], ['k', 'k']] } }, /^query\.by\.sets\[1\]: got a key that comes twice/],
    [{ by: { sets: [['k'], [desc('k')]] } }, /^query\.by\.sets\[1\]\[0\]: got another key called "k"/],
    [{ by: rollup('k'), aggregates: { grouping: count() } }, /two output columns called "grouping"/],
    [{ by: ['k'], aggregate: {} }, /^query: got a property "aggregate"/],
    [{ by: ['k'], Where: 1 }, /^query: got a property "Where"/],
    [{ by: ['k'], where: {} }, /^query\.where: got an object, wanted a condition/],
    [{ by: ['k'], having: {} }, /^query\.having/],
    [{ by: ['k'], sort: 'k' }, /^query\.sort: got "k"/],
    [{ by: ['k'], sort: ['v'] }, /^sort\[0\]: got unknown output column "v", wanted one of "k"/],
    [{ by: ['k'], sort: [bucket('k', 3)] }, /^sort\[0\]: got buckets/],
    [{ by: [], aggregates: { l: list('k') }, sort: ['l'] }, /^sort\[0\]: got column "l" of type List/],
    [{ by: ['k'], having: gt('v', 1) }, /^query\.having: got unknown output column "v"/],
    [{ by: ['k'], limit: -1 }, /^query\.limit: got -1, wanted a whole number/],
    [{ by: ['k'], limit: 1.5 }, /^query\.limit: got 1.5/],
    [{ by: ['k'], limit: '3' }, /^query\.limit: got "3"/],
    [{ by: [7] }, /^by\[0\]: got 7/],
    [{ by: ['k', null] }, /^by\[1\]: got null/],
    [{ by: [['k']] }, /^by\[0\]: got an array/],
    [{ by: [{ name: 'k', descending: false, nulls: 'last' }] }, /^by\[0\]\.key: got undefined/],
    [{ by: [{ key: 'k', descending: false, nulls: 'last' }] }, /^by\[0\]\.name: got undefined/],
    [{ by: [{ key: 'k', name: 'k', descending: 'yes', nulls: 'last' }] }, /^by\[0\]\.descending: got "yes"/],
    [{ by: [{ key: 'k', name: 'k', descending: true, nulls: 'middle' }] }, /^by\[0\]\.nulls: got "middle"/],
    [{ by: [{ ...asc('k'), bucket: 10 }] }, /^by\[0\]\.bucket: got 10/],
    [{ by: [{ ...asc('k'), width: 10 }] }, /^by\[0\]: got an option "width"/],
    [
      { by: [rollup('k')] },
      /^by\[0\]: got grouping sets, wanted a key; sets stand alone, as by: rollup\(\.\.\.\)$/,
    ],
    [{ by: [], aggregates: 'count' }, /^query\.aggregates: got "count"/],
    [{ by: [], aggregates: null }, /^query\.aggregates: got null/],
    [{ by: [], aggregates: new Map([['n', count()]]) }, /^query\.aggregates: got an iterable object/],
    [
      { by: [], aggregates: [count()] },
      /^query\.aggregates\[0\]: got an object, wanted a \[name, aggregate\] pair/,
    ],
    [{ by: [], aggregates: [['n']] }, /^query\.aggregates\[0\]/],
    [{ by: [], aggregates: [[3, count()]] }, /^query\.aggregates\[0\]\[0\]: got 3/],
    [{ by: [], aggregates: { n: 'count' } }, /^aggregate "n": got "count"/],
    [
      { by: [], aggregates: { n: {} } },
      /^aggregate "n": got undefined, wanted one of count, countDistinct, sum, mean, variance/,
    ],
    [{ by: [], aggregates: { n: { aggregate: 'average', column: 'k' } } }, /^aggregate "n": got "average"/],
    [{ by: [], aggregates: { n: { aggregate: 'toString', column: 'k' } } }, /^aggregate "n": got "toString"/],
    [{ by: [], aggregates: { n: { aggregate: 'sum' } } }, /^aggregate "n": got sum of undefined/],
    [{ by: [], aggregates: { n: { aggregate: 'count', column: 3 } } }, /^aggregate "n": got count of 3/],
    [
      { by: [], aggregates: { n: { ...count(), where: {} } } },
      /^aggregate "n", where: got an object, wanted a condition/,
    ],
    [{ by: [], aggregates: { n: { ...count(), when: 1 } } }, /^aggregate "n": got an option "when"/],
    [
      { by: [], aggregates: { n: { ...sum('k'), second: 'v' } } },
      /^aggregate "n": got sum of two columns, wanted one/,
    ],
    [{ by: [], aggregates: { n: { aggregate: 'top', column: 'k' } } }, /^aggregate "n", option n: got none/],
    [
      { by: [], aggregates: { n: { aggregate: 'argMin', column: 'k' } } },
      /^aggregate "n": got argMin of undefined/,
    ],
    [{ by: [], aggregates: { n: { ...sum('k'), as: 'float' } } }, /^aggregate "n", option as: got "float"/],
    [
      { by: [], aggregates: { n: { ...mean('k'), as: 'decimal' } } },
      /^aggregate "n", option as: got "decimal"/,
    ],
    [
      { by: [], aggregates: { n: { ...count(), as: 'decimal' } } },
      /^aggregate "n", option as: got "decimal"/,
    ],
  ];
  it.each(wrong)('refuses %j', (query, message) => {
    expect(bad(query)).toThrow(QueryError);
    expect(bad(query)).toThrow(message);
  });

  it('takes properties that are undefined for absent', () => {
    expect(
      bad({ by: ['k'], aggregates: { n: { ...count(), where: undefined } }, where: undefined }),
    ).not.toThrow();
  });

  it('keeps every message on one line', () => {
    expect(bad({ by: ['a\nb'] }, [{ name: 'c\nd', type: utf8 }])).toThrow(/^[^\n]*$/);
  });
});

describe('types of the answer', () => {
  it('are inferred from the query', () => {
    const infer = <const Q extends Query>(_query: Q): Aggregation<Q>['table'] | undefined => undefined;
    const table = infer({
      by: ['k', desc('text'), asc('v').as('w')],
      aggregates: { n: count(), m: mean('v'), s: sum('k') },
    });
    expectTypeOf(table).toEqualTypeOf<
      | Table<{ k: ArrowType; text: ArrowType; w: ArrowType } & { n: Int64; m: Float64; s: ArrowType }>
      | undefined
    >();
    const more = infer({
      by: rollup('k', desc('text')),
      aggregates: {
        m: median('v'),
        q: quantile('v', 0.5),
        low: quantile('v', 0.5, { interpolation: 'lower' }),
        t: top('k', 3),
      },
    });
    expectTypeOf(more).toEqualTypeOf<
      | Table<
          { k: ArrowType; text: ArrowType } & { m: Float64; q: Float64; low: ArrowType; t: List } & {
            grouping: Int32;
          }
        >
      | undefined
    >();
    const pairs = infer({ by: [], aggregates: [named('10', count()), named('9', mean('v'))] });
    expectTypeOf(pairs).toMatchTypeOf<Table<{ '10': Int64; '9': Float64 }> | undefined>();
  });
});
