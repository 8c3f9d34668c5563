import {
  DenseUnion,
  Dictionary,
  Field,
  FixedSizeList,
  Int8,
  Int32,
  Int64,
  Interval,
  IntervalUnit,
  LargeList,
  List,
  Map_,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  RecordBatchReader,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Table,
  Time,
  TimestampMicrosecond,
  TimestampNanosecond,
  TimeUnit,
  tableFromIPC,
  tableToIPC,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { count, createReference, type Input, InputError, max, min, open, QueryError, sum } from 'rangefold';
import { describe, expect, it } from 'vitest';
import { cellsOf } from '../support/cells.js';
import { rejection } from '../support/files.js';
import { batchOf, dataOf } from '../support/notation.js';

type Data = ReturnType<typeof makeData>;
type ArrowType = Data['type'];

const engine = createReference();
const ofK = { by: ['k'], aggregates: { n: count() } } as const;
const rowsOf = async (input: Input): Promise<readonly (readonly string[])[]> =>
  cellsOf((await engine.aggregate(input, ofK)).table).rows;

/** A batch with a column `k` of this data, and a column `x` beside it. */
function withColumn(data: Data): RecordBatch {
  const x = dataOf({ type: 'i8', repeat: [1, data.length] });
  return batchOf([
    ['k', data],
    ['x', x],
  ]);
}

const item = new Field('item', new Int8(), true);
const entries = new Field(
  'entries',
  new Struct<{ key: Utf8; value: Int8 }>([
    new Field('key', new Utf8()),
    new Field('value', new Int8(), true),
  ]),
);
const utf8Codes = new Dictionary(new Utf8(), new Int8());

/** The rows of "Limits of types" in README.md, in that order. */
describe('limits of types', () => {
  it.each<[string, ArrowType]>([
    ['List', new List(item)],
    ['LargeList', new LargeList(item)],
    ['FixedSizeList', new FixedSizeList(2, item)],
    ['Struct', new Struct([item])],
    ['Map', new Map_(entries)],
    ['Union', new DenseUnion([0], [item])],
    ['Interval[DayTime]', new Interval(IntervalUnit.DAY_TIME)],
    ['Interval[MonthDayNano]', new Interval(IntervalUnit.MONTH_DAY_NANO)],
    ['a dictionary of dictionaries', new Dictionary(utf8Codes, new Int8())],
    ['Time of another width', new Time(TimeUnit.SECOND, 64)],
  ])('%s is refused where a query names the column', async (_, type) => {
    const schema = new Schema([new Field('k', type, true), new Field('x', new Int8(), true)]);
    const input = new Table(schema, []);
    for (const query of [ofK, { by: [], aggregates: { n: count('k') } }]) {
      const error = await rejection(engine.aggregate(input, query));
      expect(error).toBeInstanceOf(QueryError);
      expect(error.message).toMatch(/column "k" of type/);
    }
    const { table } = await engine.aggregate(input, { by: ['x'], aggregates: { s: sum('x') } });
    expect(table.numRows).toBe(0);
  });

  it.each([
    ['RunEndEncoded', 22],
    ['ListView', 25],
    ['LargeListView', 26],
  ])('%s is an InputError of open', async (name, id) => {
    const bytesOf = (type: ArrowType): Uint8Array =>
      tableToIPC(new Table(new Schema([new Field('k', type, true)]), []), 'stream');
    const list = bytesOf(new List(item));
    // The one byte in which List and LargeList differ is the number of the type.
    const at = bytesOf(new LargeList(item)).findIndex((byte, i) => byte !== list[i]);
    list[at] = id;
    expect(() => tableFromIPC(list)).toThrow(`Unrecognized type: "${name}" (${id})`);
    expect(await rejection(open(list))).toBeInstanceOf(InputError);
  });

  it('codes of 64 bits are read', async () => {
    const data = dataOf({ type: 'dict<i64,utf8>', dictionary: ['b', 'a'], values: [0, 1, 0] });
    expect(() => new Vector([data]).get(0)).toThrow(/BigInt/);
    expect(await rowsOf(withColumn(data))).toEqual([
      ['"a" 61', '1'],
      ['"b" 62', '2'],
    ]);
  });

  it('codes and offsets out of range are an InputError', async () => {
    const code = dataOf({ type: 'dict<i8,utf8>', dictionary: ['a'], values: [0, 5] });
    expect(new Vector([code]).get(1)).toBeNull();
    expect((await rejection(rowsOf(withColumn(code)))).message).toMatch(
      /^batch 0, column "k": got code 5 in row 1/,
    );
    const offset = dataOf({ type: 'utf8', values: ['a', 'b'] });
    (offset.valueOffsets as Int32Array)[2] = 99;
    expect(new Vector([offset]).get(1)).toBe('b');
    const error = await rejection(rowsOf(withColumn(offset)));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(/^batch 0, column "k": got a last offset of 99/);
  });

  it('timestamps are exact', async () => {
    const wide = 1_700_000_000_000_000_001n;
    const micro = makeData({ type: new TimestampMicrosecond(), data: BigInt64Array.of(wide, wide - 1n) });
    const nano = makeData({ type: new TimestampNanosecond(), data: BigInt64Array.of(wide, wide - 1n) });
    expect(new Vector([nano]).get(0)).toBe(new Vector([nano]).get(1));
    for (const data of [micro, nano]) {
      expect(await rowsOf(withColumn(data))).toEqual([
        [`${wide - 1n}`, '1'],
        [`${wide}`, '1'],
      ]);
    }
  });

  it('a column shorter than its table has nulls behind', async () => {
    const table = new Table({
      x: vectorFromArray([1, 2, 3], new Int32()),
      k: vectorFromArray([5n], new Int64()),
    });
    const nulls = table.batches.reduce((sum, { data }) => sum + data.children[1].nullCount, 0);
    expect(nulls).toBe(2);
    expect(await rowsOf(table)).toEqual([
      ['5', '1'],
      ['null', '2'],
    ]);
  });

  it('a null count of 0 makes every row a value', async () => {
    const data = makeData({
      type: new Int8(),
      length: 2,
      nullCount: 0,
      nullBitmap: Uint8Array.of(0),
      data: Int8Array.of(1, 2),
    });
    expect([...new Vector([data])]).toEqual([1, 2]);
    expect(await rowsOf(withColumn(data))).toEqual([
      ['1', '1'],
      ['2', '1'],
    ]);
  });

  it('batches with dictionary types of their own are taken as an array', async () => {
    const batches = [['a', 'b'], ['b']].map((values) =>
      withColumn(dataOf({ type: 'dict<i8,utf8>', values })),
    );
    expect(() => new Table(batches)).toThrow(/schemas must be equivalent/);
    expect(await rowsOf(batches)).toEqual([
      ['"a" 61', '1'],
      ['"b" 62', '2'],
    ]);
  });

  it.each(['utf8_view', 'binary_view'])(
    'a slice of %s is read as it is, and answers are written whole',
    async (type) => {
      const slice = withColumn(dataOf({ type, values: ['x', 'a text of many bytes', 'b'] })).slice(1, 3);
      const sliceBack = (): unknown => [
        ...(tableFromIPC(tableToIPC(new Table([slice]))).getChild('k') ?? []),
      ];
      expect(sliceBack).toThrow(/data buffer is too short/);
      const { table } = await engine.aggregate(slice, ofK);
      const back = tableFromIPC(tableToIPC(table));
      expect(back.getChild('k')?.toJSON()).toEqual(table.getChild('k')?.toJSON());
      expect(table.numRows).toBe(2);
    },
  );

  it('a dictionary that is replaced comes in a stream', async () => {
    const type = new Dictionary(new Utf8(), new Int8(), 7);
    const batches = [['a'], ['b']].map(
      (values) => new RecordBatch({ k: vectorFromArray(values, type).data[0] } as Record<string, Data>),
    );
    expect(() => RecordBatchFileWriter.writeAll(batches).toUint8Array(true)).toThrow(
      /replacement dictionaries/,
    );
    const stream = RecordBatchStreamWriter.writeAll(batches).toUint8Array(true);
    expect(await rowsOf(RecordBatchReader.from(stream))).toEqual([
      ['"a" 61', '1'],
      ['"b" 62', '1'],
    ]);
  });

  it('an empty time zone is none', async () => {
    const data = makeData({ type: new TimestampMicrosecond(''), data: BigInt64Array.of(1n) });
    const { table } = await engine.aggregate(withColumn(data), ofK);
    expect((table.schema.fields[0].type as TimestampMicrosecond).timezone ?? null).toBeNull();
  });

  it('an extension type is its storage', async () => {
    const metadata = new Map([['ARROW:extension:name', 'arrow.uuid']]);
    const data = dataOf({ type: 'fixed(1)', values: ['0x01'] });
    const schema = new Schema([new Field('k', data.type, true, metadata)]);
    const batch = new RecordBatch(
      schema,
      makeData({ type: new Struct(schema.fields), length: 1, nullCount: 0, children: [data] }),
    );
    const { table } = await engine.aggregate(batch, ofK);
    expect(cellsOf(table)).toEqual({ columns: ['k: FixedSizeBinary[1]', 'n: Int64'], rows: [['01', '1']] });
    expect(table.schema.fields[0].metadata.size).toBe(0);
  });

  it('a decimal of too many digits is taken as it is', async () => {
    const data = dataOf({ type: 'decimal128(3,0)', values: ['99999', '1'] });
    const { table } = await engine.aggregate(withColumn(data), {
      by: [],
      aggregates: { hi: max('k'), lo: min('k'), s: sum('k') },
    });
    expect(cellsOf(table).rows).toEqual([['99999', '1', '100000']]);
  });
});
