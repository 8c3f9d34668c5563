import {
  Bool,
  type DataType,
  FixedSizeBinary,
  Int16,
  LargeUtf8,
  makeData,
  Null,
  Utf8,
  Utf8View,
  vectorFromArray,
} from 'apache-arrow';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countBits } from '../../dist/core/bits.js';
import type { Column } from '../../dist/core/column.js';
import { concat } from '../../dist/core/concat.js';
import { columnOf } from '../../dist/core/from-arrow.js';
import { type Value, valueReader } from '../../dist/core/read-values.js';
import { validateColumn } from '../../dist/core/validate-column.js';

const valuesOf = (column: Column): (Value | null)[] => {
  const read = valueReader(column);
  return Array.from({ length: column.length }, (_, row) => read(row));
};

const column = (type: DataType, values: unknown[]): Column =>
  columnOf(vectorFromArray(values as never[], type).data[0]);

const view = (text: string): Column => {
  const bytes = new TextEncoder().encode(text);
  const views = new Uint8Array(16);
  new DataView(views.buffer).setInt32(0, bytes.length, true);
  if (bytes.length <= 12) views.set(bytes, 4);
  return columnOf(makeData({ type: new Utf8View(), length: 1, views, variadicBuffers: [bytes] }));
};

describe('concat', () => {
  it.each<[string, Column, Column]>([
    ['Bool', column(new Bool(), [true, null, false]), column(new Bool(), [true, true])],
    ['Int16', column(new Int16(), [1, null, -3]), column(new Int16(), [4])],
    [
      'Utf8',
      column(new Utf8(), ['a', '', null]),
      columnOf(vectorFromArray(['x', 'bb', 'c'], new Utf8()).data[0].slice(1, 2)),
    ],
    ['LargeUtf8', column(new LargeUtf8(), ['a', null]), column(new LargeUtf8(), ['bb', ''])],
    ['Utf8View', view('a text of more than twelve bytes'), view('another text of more than twelve')],
    ['Utf8View in place', view('short'), view('a text of more than twelve bytes')],
    [
      'FixedSizeBinary',
      columnOf(makeData({ type: new FixedSizeBinary(2), data: Uint8Array.of(1, 2, 3, 4) })),
      columnOf(makeData({ type: new FixedSizeBinary(2), data: Uint8Array.of(5, 6) })),
    ],
    [
      'Null',
      columnOf(makeData({ type: new Null(), length: 1 })),
      columnOf(makeData({ type: new Null(), length: 2 })),
    ],
  ])('has the rows of both pieces of %s', (_, a, b) => {
    const joined = concat([a, b, a], 'k');
    expect(valuesOf(joined)).toEqual([...valuesOf(a), ...valuesOf(b), ...valuesOf(a)]);
    expect(joined.nulls).toBe(2 * a.nulls + b.nulls);
    expect(() => validateColumn(joined, 'k')).not.toThrow();
    if (joined.type.kind === 'null') expect(joined.validity).toBeUndefined();
  });

  it('gathers views anew, so that their bytes depend on the rows only', () => {
    const long = 'a text of more than twelve bytes';
    const joined = concat([view('short'), view(long), view('short'), view(long)], 'k');
    expect(joined.buffers?.map((buffer) => new TextDecoder().decode(buffer))).toEqual([long + long]);
    expect(joined).toEqual(concat([joined], 'k'));
  });
});

describe('countBits', () => {
  it('counts as one looks at each bit', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 4, maxLength: 9 }),
        fc.nat(15),
        fc.nat(16),
        (bytes, start, length) => {
          let ones = 0;
          for (let bit = start; bit < start + length; bit++) ones += (bytes[bit >> 3] >> (bit & 7)) & 1;
          expect(countBits(bytes, start, length)).toBe(ones);
        },
      ),
    );
  });
});
