import type { DataType as ArrowType, Float64, Int64, Table } from 'apache-arrow';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { count, max, mean, min, named, sum } from '../../dist/core/aggregates.js';
import type { Aggregation, Query } from '../../dist/core/aggregator.js';
import { check } from '../../dist/core/check.js';
import { QueryError } from '../../dist/core/errors.js';
import { asc, desc } from '../../dist/core/keys.js';
import type { DataType, Field } from '../../dist/core/type.js';
import { typeName } from '../../dist/core/type.js';

const int = (bits: 8 | 16 | 32 | 64, signed = true): DataType => ({ kind: 'int', bits, signed });
const utf8: DataType = { kind: 'utf8', form: 'plain' };
const dictionary = (value: DataType): DataType => ({
  kind: 'dictionary',
  index: { kind: 'int', bits: 32, signed: true },
  value,
  ordered: false,
});
const OFFERED: DataType[] = [
  ...([8, 16, 32, 64] as const).flatMap((bits) => [int(bits), int(bits, false)]),
  { kind: 'float', bits: 32 },
  { kind: 'float', bits: 64 },
  { kind: 'bool' },
  utf8,
  { kind: 'date', unit: 'day' },
  { kind: 'date', unit: 'ms' },
  { kind: 'timestamp', unit: 'ns', zone: null },
  { kind: 'timestamp', unit: 's', zone: 'Europe/Berlin' },
  dictionary(utf8),
];
const LATER: DataType[] = [
  { kind: 'null' },
  { kind: 'float', bits: 16 },
  { kind: 'decimal', bits: 128, precision: 10, scale: 2 },
  { kind: 'utf8', form: 'large' },
  { kind: 'utf8', form: 'view' },
  { kind: 'binary', form: 'plain' },
  { kind: 'fixedBinary', width: 4 },
  { kind: 'time', unit: 'ms' },
  { kind: 'duration', unit: 's' },
  { kind: 'interval' },
  dictionary(int(32)),
];
const NESTED: DataType[] = [
  { kind: 'list', item: utf8 },
  { kind: 'other', name: 'Struct<{x:Bool}>' },
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

  it.each(OFFERED.map((type) => [typeName(type), type] as const))('offers %s as key and value', (_, type) => {
    const value = type.kind === 'dictionary' ? type.value : type;
    const aggregates = { n: count('x'), least: min('x'), most: max('x') };
    expect(
      check({ by: ['x'], aggregates: { ...aggregates } }, [{ name: 'x', type }]).output.map((f) => f.type),
    ).toEqual([value, int(64), value, value]);
  });

  it.each(LATER.map((type) => [typeName(type), type] as const))('does not offer %s yet', (_, type) => {
    const fields = [{ name: 'x', type }];
    expect(bad({ by: ['x'] }, fields)).toThrow(/by\[0\]: got column "x" of type .*not offered yet/);
    expect(bad({ by: [], aggregates: { m: min('x') } }, fields)).toThrow(
      /aggregate "m": got min of column "x".*not offered/,
    );
    expect(bad({ by: [], aggregates: { m: count('x') } }, fields)).toThrow(QueryError);
  });

  it.each(NESTED.map((type) => [typeName(type), type] as const))('refuses %s everywhere', (_, type) => {
    const fields = [{ name: 'x', type }];
    expect(bad({ by: ['x'] }, fields)).toThrow(
      /by\[0\]: got column "x" of type .* wanted a type that has an order/,
    );
    for (const aggregate of [count('x'), sum('x'), min('x')]) {
      expect(bad({ by: [], aggregates: { a: aggregate } }, fields)).toThrow(QueryError);
    }
  });

  it('gives sums and means of numbers and booleans their types', () => {
    const result = (type: DataType): string[] =>
      check({ by: [], aggregates: { s: sum('x'), m: mean('x') } }, [{ name: 'x', type }]).output.map((f) =>
        typeName(f.type),
      );
    for (const bits of [8, 16, 32, 64] as const) {
      expect(result(int(bits))).toEqual(['Int64', 'Float64']);
      expect(result(int(bits, false))).toEqual(['Uint64', 'Float64']);
    }
    expect(result({ kind: 'bool' })).toEqual(['Int64', 'Float64']);
    expect(result({ kind: 'float', bits: 32 })).toEqual(['Float64', 'Float64']);
  });

  it.each(OFFERED.slice(11).map((type) => [typeName(type), type] as const))(
    'refuses sum and mean of %s',
    (name, type) => {
      const fields = [{ name: 'x', type }];
      const message = `aggregate "a": got sum of column "x" of type ${name}, wanted a column of integers, floats or booleans`;
      expect(bad({ by: [], aggregates: { a: sum('x') } }, fields)).toThrow(message);
      expect(bad({ by: [], aggregates: { a: mean('x') } }, fields)).toThrow(/mean of column "x"/);
    },
  );

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
    [{ by: ['k'], aggregate: {} }, /^query: got a property "aggregate"/],
    [{ by: ['k'], Where: 1 }, /^query: got a property "Where"/],
    [{ by: ['k'], where: {} }, /^query\.where: got an object, wanted none: it is not offered yet/],
    [{ by: ['k'], having: {} }, /^query\.having/],
    [{ by: ['k'], sort: ['k'] }, /^query\.sort/],
    [{ by: ['k'], limit: 3 }, /^query\.limit: got 3/],
    [{ by: [7] }, /^by\[0\]: got 7/],
    [{ by: ['k', null] }, /^by\[1\]: got null/],
    [{ by: [['k']] }, /^by\[0\]: got an array/],
    [{ by: [{ name: 'k', descending: false, nulls: 'last' }] }, /^by\[0\]\.key: got undefined/],
    [{ by: [{ key: 'k', descending: false, nulls: 'last' }] }, /^by\[0\]\.name: got undefined/],
    [{ by: [{ key: 'k', name: 'k', descending: 'yes', nulls: 'last' }] }, /^by\[0\]\.descending: got "yes"/],
    [{ by: [{ key: 'k', name: 'k', descending: true, nulls: 'middle' }] }, /^by\[0\]\.nulls: got "middle"/],
    [{ by: [{ ...asc('k'), bucket: 10 }] }, /^by\[0\]: got an option "bucket"/],
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
      /^aggregate "n": got undefined, wanted one of count, sum, mean, min, max/,
    ],
    [{ by: [], aggregates: { n: { aggregate: 'median', column: 'k' } } }, /^aggregate "n": got "median"/],
    [{ by: [], aggregates: { n: { aggregate: 'toString', column: 'k' } } }, /^aggregate "n": got "toString"/],
    [{ by: [], aggregates: { n: { aggregate: 'sum' } } }, /^aggregate "n": got sum of undefined/],
    [{ by: [], aggregates: { n: { aggregate: 'count', column: 3 } } }, /^aggregate "n": got count of 3/],
    [{ by: [], aggregates: { n: { ...count(), where: {} } } }, /^aggregate "n": got an option "where"/],
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
    const pairs = infer({ by: [], aggregates: [named('10', count()), named('9', mean('v'))] });
    expectTypeOf(pairs).toMatchTypeOf<Table<{ '10': Int64; '9': Float64 }> | undefined>();
  });
});
