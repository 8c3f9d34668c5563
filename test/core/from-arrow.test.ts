import { createRequire } from 'node:module';
import {
  Bool,
  DateDay,
  Dictionary,
  Field,
  Int32,
  Int64,
  LargeUtf8,
  List,
  makeData,
  Null,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimestampMicrosecond,
  Uint8,
  Utf8,
  Utf8View,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { isValid } from '../../dist/core/column.js';
import { batchOf, columnOf, columnOrListOf, fieldsOf } from '../../dist/core/from-arrow.js';
import { valueReader } from '../../dist/core/read-values.js';
import { typeName } from '../../dist/core/type.js';

type Data = ReturnType<typeof makeData>;

function valuesOf(data: Data): unknown[] {
  const column = columnOf(data);
  const read = valueReader(column);
  return Array.from({ length: column.length }, (_, row) => {
    const value = read(row);
    return value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
  });
}

const bits = (...set: number[]): Uint8Array => {
  const bytes = new Uint8Array(8);
  for (const bit of set) bytes[bit >> 3] |= 1 << (bit & 7);
  return bytes;
};

describe('fieldsOf', () => {
  it('tells every type by its id, nested ones as list or other', () => {
    const schema = new Schema([
      new Field('a', new Int64()),
      new Field('t', new TimestampMicrosecond('Europe/Berlin')),
      new Field('d', new Dictionary(new Utf8(), new Int32(), 7, true)),
      new Field('l', new List(new Field('item', new Uint8()))),
      new Field('s', new Struct([new Field('x', new Bool())])),
      new Field('n', new Null()),
    ]);
    expect(fieldsOf(schema).map(({ type }) => typeName(type))).toEqual([
      'Int64',
      'Timestamp[us, Europe/Berlin]',
      'Dictionary<Int32, Utf8>',
      'List<Uint8>',
      'Struct<{x:Bool}>',
      'Null',
    ]);
    expect(fieldsOf(schema)[2]).toEqual({
      name: 'd',
      type: {
        kind: 'dictionary',
        index: { kind: 'int', bits: 32, signed: true },
        value: { kind: 'utf8', form: 'plain' },
        ordered: true,
      },
    });
  });

  it('reads types of another copy of apache-arrow', () => {
    const other = createRequire(import.meta.url)('apache-arrow') as typeof import('apache-arrow');
    const schema = new other.Schema([new other.Field('d', new other.DateDay(), true)]);
    expect(schema.fields[0].type).not.toBeInstanceOf(DateDay);
    expect(fieldsOf(schema)).toEqual([{ name: 'd', type: { kind: 'date', unit: 'day' } }]);
  });

  it('takes the empty time zone for none', () => {
    expect(fieldsOf(new Schema([new Field('t', new TimestampMicrosecond(''))]))[0].type).toEqual({
      kind: 'timestamp',
      unit: 'us',
      zone: null,
    });
  });
});

describe('columnOf', () => {
  const bool = [true, false, null, true, true, false, null, true, null, false, true, true, null, false];

  it.each(Array.from({ length: 12 }, (_, start) => start))('reads a slice of a Bool at bit %i', (start) => {
    const [data] = vectorFromArray(bool, new Bool()).data;
    expect(valuesOf(data.slice(start, bool.length - start))).toEqual(bool.slice(start));
    expect(columnOf(data.slice(start, 2)).nulls).toBe(
      bool.slice(start, start + 2).filter((x) => x === null).length,
    );
  });

  it('reads slices of slices of numbers and text', () => {
    const [text] = vectorFromArray(['a', null, 'ccc', '', 'ee', null], new Utf8()).data;
    expect(valuesOf(text.slice(1, 5).slice(1, 3))).toEqual(['ccc', '', 'ee']);
    const [ints] = vectorFromArray([1n, null, 3n, 4n, null], new Int64()).data;
    expect(valuesOf(ints.slice(1, 4).slice(1, 3))).toEqual([3n, 4n, null]);
  });

  it('shares the bytes of its column', () => {
    const values = new Int32Array([1, 2, 3, 4]);
    const data = makeData({ type: new Int32(), data: values }).slice(1, 2);
    expect(columnOf(data).values.buffer).toBe(values.buffer);
    expect(columnOf(data).values.byteOffset).toBe(4);
    expect(columnOf(data).values.length).toBe(8);
  });

  it('counts nulls where nobody has, and leaves validity out where there are none', () => {
    const data = makeData({ type: new Uint8(), length: 3, data: new Uint8Array(3), nullBitmap: bits(0, 2) });
    expect(columnOf(data)).toMatchObject({ nulls: 1, bitOffset: 0 });
    const full = makeData({
      type: new Uint8(),
      length: 3,
      data: new Uint8Array(3),
      nullBitmap: bits(0, 1, 2),
    });
    expect(columnOf(full).nulls).toBe(0);
    expect(columnOf(full).validity).toBeUndefined();
  });

  it('has every row of a Null column null', () => {
    const column = columnOf(makeData({ type: new Null(), length: 2 }));
    expect(column.nulls).toBe(2);
    expect([0, 1].map((row) => isValid(column, row))).toEqual([false, false]);
  });

  it('reads empty columns without buffers', () => {
    for (const type of [new Int32(), new Utf8(), new Bool(), new LargeUtf8(), new Utf8View()]) {
      expect(columnOf(makeData({ type, length: 0 } as Parameters<typeof makeData>[0])).length).toBe(0);
    }
  });

  it('reads views in place and in several buffers', () => {
    const long = 'a text of more than twelve bytes';
    const views = new Uint8Array(48);
    const view = new DataView(views.buffer);
    view.setInt32(0, 12, true);
    views.set(new TextEncoder().encode('exactly12byt'), 4);
    view.setInt32(16, long.length, true);
    view.setInt32(24, 1, true);
    view.setInt32(28, 2, true);
    const data = makeData({
      type: new Utf8View(),
      length: 3,
      views,
      variadicBuffers: [new Uint8Array(1), new TextEncoder().encode(`..${long}`)],
    });
    expect(valuesOf(data)).toEqual(['exactly12byt', long, '']);
    expect(valuesOf(data.slice(1, 1))).toEqual([long]);
  });

  it('joins a dictionary of several chunks, and keeps one object for all its batches', () => {
    const type = new Dictionary(new Utf8(), new Uint8());
    const dictionary = new Vector([
      ...vectorFromArray(['a', null], new Utf8()).data,
      ...vectorFromArray(['', 'dd'], new Utf8()).data,
    ]);
    const make = (...codes: number[]): Data => makeData({ type, data: Uint8Array.from(codes), dictionary });
    expect(valuesOf(make(3, 0, 1, 2))).toEqual(['dd', 'a', null, '']);
    expect(columnOf(make(0)).dictionary).toBe(columnOf(make(3)).dictionary);
  });

  it('refuses a buffer that is too short, and names the column', () => {
    const data = makeData({ type: new Int32(), length: 3, data: new Int32Array(2) });
    expect(() => columnOf(data, 'batch 4, column "k"')).toThrow(
      /^batch 4, column "k": got a buffer of 8 bytes, wanted 12, for 3 rows$/,
    );
    const text = makeData({
      type: new Utf8(),
      length: 3,
      data: new Uint8Array(9),
      valueOffsets: new Int32Array([0, 1, 2]),
    });
    expect(() => columnOf(text, 'k')).toThrow(/k: got a buffer of 12 bytes, wanted 16/);
    const flags = makeData({ type: new Bool(), length: 17, data: new Uint8Array(2) });
    expect(() => columnOf(flags)).toThrow(/got a buffer of 2 bytes, wanted 3/);
    const bitmap = makeData({
      type: new Uint8(),
      length: 9,
      nullCount: 1,
      data: new Uint8Array(9),
      nullBitmap: new Uint8Array(1),
    });
    expect(() => columnOf(bitmap)).toThrow(/got 1 bytes of validity/);
  });

  it('fills up columns that apache-arrow has made equally long', () => {
    const columns = {
      long: vectorFromArray([1, 2, 3], new Int32()),
      short: vectorFromArray(['x'], new Utf8()),
      flag: vectorFromArray([true], new Bool()),
    };
    const { long, short, flag } = columns;
    const batch = new RecordBatch({ long: long.data[0], short: short.data[0], flag: flag.data[0] });
    const rows = [
      [1n, 2n, 3n],
      ['x', null, null],
      [true, null, null],
    ];
    expect(batch.data.children.map(valuesOf)).toEqual(rows);
    const { batches } = new Table(columns);
    expect(rows.map((_, i) => batches.flatMap((part) => valuesOf(part.data.children[i])))).toEqual(rows);
  });

  it('reads lists, also sliced', () => {
    const list = vectorFromArray([[1], null, [2, 3], []], new List(new Field('item', new Int32(), true)));
    const { type, nulls, offsets, items } = columnOrListOf(list.data[0].slice(1, 3));
    expect(type).toEqual({ kind: 'list', item: { kind: 'int', bits: 32, signed: true } });
    expect(nulls).toBe(1);
    expect(new Int32Array(offsets?.slice().buffer ?? [])).toEqual(Int32Array.of(1, 1, 3, 3));
    expect(items?.length).toBe(3);
  });

  it('refuses nested types, but for lists where they are asked for', () => {
    const ints = vectorFromArray([[1], [2]], new List(new Field('item', new Int32(), true))).data[0];
    expect(() => columnOf(ints, 'column "l"')).toThrow(/column "l": got List<Int32>/);
    const struct = new Struct([new Field('x', new Int32(), true)]);
    const data = vectorFromArray([{ x: 1 }], struct).data[0];
    expect(() => columnOf(data, 'column "s"')).toThrow(/column "s": got Struct/);
    const list = vectorFromArray([[{ x: 1 }]], new List(new Field('item', struct, true))).data[0];
    expect(() => columnOrListOf(list, 'column "l"')).toThrow(/column "l", items: got Struct/);
  });
});

describe('batchOf', () => {
  const schema = new Schema([new Field('a', new Int32(), true), new Field('b', new Uint8(), true)]);
  const [a] = vectorFromArray([1, 2], new Int32()).data;

  it('gives the columns asked for, in that order', () => {
    const [b] = vectorFromArray([3, 4], new Uint8()).data;
    const batch = new RecordBatch(
      schema,
      makeData({ type: new Struct(schema.fields), length: 2, children: [a, b] }),
    );
    expect(batchOf(batch, [1, 0]).columns.map(({ values }) => values[0])).toEqual([3, 1]);
    expect(batchOf(batch, [])).toEqual({ rows: 2, columns: [] });
  });

  it('refuses a column that is not as long as its batch', () => {
    const [b] = vectorFromArray([3, 4, 5], new Uint8()).data;
    const batch = { schema, numRows: 2, data: { children: [a, b] } } as unknown as RecordBatch;
    expect(() => batchOf(batch, [0, 1], 'batch 9')).toThrow(/batch 9, column "b": got 3 rows, wanted 2/);
  });
});
