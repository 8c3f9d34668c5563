import {
  Bool,
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  DurationSecond,
  FixedSizeBinary,
  Float16,
  Float32,
  Float64,
  Int8,
  Int32,
  Int64,
  IntervalYearMonth,
  LargeUtf8,
  makeData,
  Null,
  RecordBatchStreamWriter,
  TimeMicrosecond,
  TimeSecond,
  TimestampNanosecond,
  tableFromIPC,
  Uint64,
  Utf8,
  Utf8View,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { arrowType, typeOf } from '../../dist/core/arrow-type.js';
import { columnOf } from '../../dist/core/from-arrow.js';
import { type Value, valueReader } from '../../dist/core/read-values.js';
import { recordBatchOf, schemaOf, tableOf } from '../../dist/core/to-arrow.js';
import { typeName } from '../../dist/core/type.js';

type Data = ReturnType<typeof makeData>;

function valuesOf(data: Data): (Value | null)[] {
  const read = valueReader(columnOf(data));
  return Array.from({ length: data.length }, (_, row) => read(row));
}

function roundTrip(data: Data): Data {
  const type = typeOf(data.type);
  const schema = schemaOf([{ name: 'x', type }]);
  const batch = recordBatchOf(schema, { rows: data.length, columns: [columnOf(data)] });
  return batch.data.children[0];
}

const filled = (type: DataType, values: unknown[]): Data => vectorFromArray(values as never[], type).data[0];

const CASES: [name: string, data: Data][] = [
  ['Bool', filled(new Bool(), [true, null, false, true, true])],
  ['Int8', filled(new Int8(), [-128, null, 0, 1, 127])],
  ['Int64', filled(new Int64(), [-(2n ** 63n), null, 0n, 1n, 2n ** 63n - 1n])],
  ['Uint64', filled(new Uint64(), [2n ** 64n - 1n, null, 0n, 1n, 2n])],
  ['Float16', filled(new Float16(), [1.5, null, -2, 0, 65504])],
  ['Float32', filled(new Float32(), [1.5, null, -0, 0, Number.POSITIVE_INFINITY])],
  ['Float64', filled(new Float64(), [5e-324, null, -0, 1, 1.7976931348623157e308])],
  ['Utf8', filled(new Utf8(), ['', null, 'b', 'ccc', 'é'])],
  ['LargeUtf8', filled(new LargeUtf8(), ['', null, 'b', 'ccc', 'é'])],
  [
    'Date32',
    filled(
      new DateDay(),
      [0, null, 1, 2, 3].map((d) => (d === null ? null : new Date(d * 864e5))),
    ),
  ],
  [
    'Date64',
    filled(
      new DateMillisecond(),
      [0, null, 1, 2, 3].map((d) => (d === null ? null : new Date(d * 864e5))),
    ),
  ],
  ['Time[s]', filled(new TimeSecond(), [0, null, 1, 2, 3])],
  ['Time[us]', filled(new TimeMicrosecond(), [0n, null, 1n, 2n, 3n])],
  [
    'Timestamp[ns, UTC]',
    makeData({ type: new TimestampNanosecond('UTC'), data: new BigInt64Array([1n, -1n, 2n, 3n, 4n]) }),
  ],
  ['Duration[s]', filled(new DurationSecond(), [0n, null, 1n, 2n, 3n])],
  ['Interval[YearMonth]', makeData({ type: new IntervalYearMonth(), data: new Int32Array([1, 2, 3, 4, 5]) })],
  [
    'FixedSizeBinary(2)',
    makeData({ type: new FixedSizeBinary(2), data: Uint8Array.from({ length: 10 }, (_, i) => i) }),
  ],
  [
    'Decimal128(10, 2)',
    makeData({
      type: new Decimal(2, 10, 128),
      data: Uint32Array.from({ length: 20 }, (_, i) => (i < 4 ? 0xffffffff : i)),
    }),
  ],
  ['Utf8View', makeData({ type: new Utf8View(), length: 5, views: new Uint8Array(80), variadicBuffers: [] })],
  ['Dictionary<Int32, Utf8>', filled(new Dictionary(new Utf8(), new Int32()), ['x', null, 'y', 'x', ''])],
  ['Null', makeData({ type: new Null(), length: 5 })],
];

describe('to-arrow undoes from-arrow', () => {
  it.each(CASES)('%s', (name, data) => {
    const back = roundTrip(data);
    expect(typeName(typeOf(back.type))).toBe(name);
    expect(valuesOf(back)).toEqual(valuesOf(data));
    const slice = data.slice(1, 3);
    expect(valuesOf(roundTrip(slice))).toEqual(valuesOf(data).slice(1, 4));
  });

  it('reads a decimal in two’s complement over all its words', () => {
    expect(valuesOf(CASES.find(([name]) => name === 'Decimal128(10, 2)')?.[1] as Data)[0]).toBe(-1n);
  });
});

describe('recordBatchOf', () => {
  it('leaves validity out where nothing is null', () => {
    const data = roundTrip(filled(new Int32(), [1, 2]));
    expect(data.nullCount).toBe(0);
    expect(data.nullBitmap?.length ?? 0).toBe(0);
  });

  it('copies a buffer that is not aligned, and no other', () => {
    const aligned = new Uint8Array(16);
    const odd = aligned.subarray(1, 9);
    odd[0] = 7;
    const type = { kind: 'int', bits: 64, signed: true } as const;
    const make = (values: Uint8Array): Data =>
      recordBatchOf(schemaOf([{ name: 'x', type }]), {
        rows: 1,
        columns: [{ type, length: 1, nulls: 0, bitOffset: 0, values }],
      }).data.children[0];
    expect(make(odd).values[0]).toBe(7n);
    expect(make(aligned.subarray(0, 8)).values.buffer).toBe(aligned.buffer);
  });

  it('keeps the rows of a batch without columns', () => {
    expect(recordBatchOf(schemaOf([]), { rows: 3, columns: [] }).numRows).toBe(3);
  });

  it('makes nullable fields, and batches that survive a file', () => {
    const schema = schemaOf([{ name: '', type: { kind: 'utf8', form: 'plain' } }]);
    expect(schema.fields.map((field) => [field.name, field.nullable])).toEqual([['', true]]);
    const batch = recordBatchOf(schema, { rows: 2, columns: [columnOf(filled(new Utf8(), ['a', null]))] });
    const bytes = RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true);
    expect(tableFromIPC(bytes).getChildAt(0)?.toJSON()).toEqual(['a', null]);
  });
});

describe('tableOf', () => {
  it('has the schema where there are no batches', () => {
    const table = tableOf(schemaOf([{ name: 'k', type: { kind: 'date', unit: 'day' } }]), []);
    expect(table.numRows).toBe(0);
    expect(table.schema.fields.map((field) => [field.name, `${field.type}`])).toEqual([['k', 'Date32<DAY>']]);
  });
});

describe('arrowType', () => {
  it('refuses a type that it does not know', () => {
    expect(() => arrowType({ kind: 'other', name: 'Union' })).toThrow(/Union/);
  });
});
