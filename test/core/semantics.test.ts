import { describe, expect, it } from 'vitest';
import { columnOf } from '../../dist/core/from-arrow.js';
import { type Value, valueReader } from '../../dist/core/read-values.js';
import { canonical, compareGroups, compareKeys, compareWithNulls } from '../../dist/core/semantics.js';
import type { DataType } from '../../dist/core/type.js';
import { dataOf } from '../support/notation.js';
import { SAMPLES } from '../support/types.js';

const utf8: DataType = { kind: 'utf8', form: 'plain' };
const int: DataType = { kind: 'int', bits: 64, signed: true };
const float: DataType = { kind: 'float', bits: 64 };
const text = (s: string): Uint8Array => new TextEncoder().encode(s);

/** Values of each type in ascending order, as the Arrow format and IEEE 754 give it. */
const ASCENDING: [name: string, type: DataType, values: Value[]][] = [
  ['booleans', { kind: 'bool' }, [false, true]],
  ['integers', int, [-(2n ** 63n), -256n, -1n, 0n, 1n, 256n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n]],
  ['unsigned integers', { kind: 'int', bits: 64, signed: false }, [0n, 1n, 2n ** 63n, 2n ** 64n - 1n]],
  [
    'floats',
    float,
    [Number.NEGATIVE_INFINITY, -1.5, -5e-324, 0, 5e-324, 1, 1e308, Number.POSITIVE_INFINITY, Number.NaN],
  ],
  // U+FFFD is three bytes from 0xEF, U+10000 four from 0xF0; by UTF-16 units they stand the other way round.
  ['text', utf8, ['', '\0', 'Z', 'a', 'a\0', 'ab', 'é', '\ufffd', '\u{10000}'].map(text)],
  [
    'dictionaries by value',
    { kind: 'dictionary', index: { kind: 'int', bits: 8, signed: true }, value: utf8, ordered: true },
    ['bar', 'foo'].map(text),
  ],
  ['timestamps', { kind: 'timestamp', unit: 'ns', zone: null }, [-1n, 0n, 1n]],
];

describe('compareKeys', () => {
  it.each(ASCENDING)('orders %s', (_, type, values) => {
    for (const [i, a] of values.entries()) {
      for (const [j, b] of values.entries()) {
        expect([i, j, Math.sign(compareKeys(type, a, b))]).toEqual([i, j, Math.sign(i - j)]);
      }
    }
  });

  it.each(SAMPLES)('orders %s as it is read', (name, ascending) => {
    const column = columnOf(dataOf({ type: name, values: ascending }));
    const read = valueReader(column);
    const values = ascending.map((_, row) => read(row)) as Value[];
    for (const [i, a] of values.entries()) {
      for (const [j, b] of values.entries()) {
        expect([i, j, Math.sign(compareKeys(column.type, a, b))]).toEqual([i, j, Math.sign(i - j)]);
      }
    }
  });

  it('holds -0 and +0 for one key, and all NaN', () => {
    expect(compareKeys(float, -0, 0)).toBe(0);
    const payload = new Float64Array(new BigUint64Array([0xfff8000000000123n]).buffer)[0];
    expect(compareKeys(float, payload, Number.NaN)).toBe(0);
  });
});

describe('canonical', () => {
  it('emits -0 as +0 and leaves other values', () => {
    expect(Object.is(canonical(-0), 0)).toBe(true);
    expect(canonical(Number.NaN)).toBeNaN();
    expect(canonical(-5e-324)).toBe(-5e-324);
    expect(canonical(0n)).toBe(0n);
  });
});

describe('compareWithNulls', () => {
  const order = (descending: boolean, nullsFirst: boolean): (Value | null)[] =>
    [2n, null, 1n, 3n].sort((a, b) => compareWithNulls({ type: int, descending, nullsFirst }, a, b));

  it('turns the values only, nulls stand where they are told to', () => {
    expect(order(false, false)).toEqual([1n, 2n, 3n, null]);
    expect(order(true, false)).toEqual([3n, 2n, 1n, null]);
    expect(order(false, true)).toEqual([null, 1n, 2n, 3n]);
    expect(order(true, true)).toEqual([null, 3n, 2n, 1n]);
  });

  it('holds null for equal to null', () => {
    expect(compareWithNulls({ type: int, descending: true, nullsFirst: true }, null, null)).toBe(0);
  });
});

describe('compareGroups', () => {
  it('compares the first key first', () => {
    const keys = [
      { type: int, descending: true, nullsFirst: false },
      { type: utf8, descending: false, nullsFirst: true },
    ];
    const groups: (Value | null)[][] = [
      [null, text('a')],
      [1n, null],
      [3n, text('b')],
      [3n, text('a')],
      [1n, text('a')],
      [null, null],
    ];
    const sorted = [...groups].sort((a, b) => compareGroups(keys, a, b));
    expect(sorted).toEqual([groups[3], groups[2], groups[1], groups[4], groups[5], groups[0]]);
  });
});
