import {
  Field as ArrowField,
  TimeUnit as ArrowTimeUnit,
  type DataType as ArrowType,
  Binary,
  BinaryView,
  Bool,
  type Data,
  Date_,
  DateUnit,
  Decimal,
  Dictionary,
  Duration,
  FixedSizeBinary,
  Float,
  Int,
  type Int32,
  Interval,
  IntervalUnit,
  LargeBinary,
  LargeUtf8,
  List,
  makeData,
  Null,
  Precision,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Time,
  Timestamp,
  type Type,
  Utf8,
  Utf8View,
  Vector,
} from 'apache-arrow';
import type { Batch, Column } from './column.js';
import type { DataType, Field, IntType, TimeUnit } from './type.js';
import { typeName } from './type.js';

/** The schema of these fields, every one nullable. */
export function schemaOf(fields: readonly Field[]): Schema {
  return new Schema(fields.map(({ name, type }) => new ArrowField(name, arrowType(type), true)));
}

/** An Arrow type. A dictionary type is a new dictionary each time. */
export function arrowType(type: DataType): ArrowType {
  switch (type.kind) {
    case 'null':
      return new Null();
    case 'bool':
      return new Bool();
    case 'int':
      return intType(type);
    case 'float':
      return new Float({ 16: Precision.HALF, 32: Precision.SINGLE, 64: Precision.DOUBLE }[type.bits]);
    case 'decimal':
      return new Decimal(type.scale, type.precision, type.bits);
    case 'utf8':
      return type.form === 'plain' ? new Utf8() : type.form === 'large' ? new LargeUtf8() : new Utf8View();
    case 'binary':
      return type.form === 'plain'
        ? new Binary()
        : type.form === 'large'
          ? new LargeBinary()
          : new BinaryView();
    case 'fixedBinary':
      return new FixedSizeBinary(type.width);
    case 'date':
      return new Date_(type.unit === 'day' ? DateUnit.DAY : DateUnit.MILLISECOND);
    case 'time':
      return new Time(TIME_UNITS[type.unit], type.unit === 's' || type.unit === 'ms' ? 32 : 64);
    case 'timestamp':
      return new Timestamp(TIME_UNITS[type.unit], type.zone);
    case 'duration':
      return new Duration(TIME_UNITS[type.unit]);
    case 'interval':
      return new Interval(IntervalUnit.YEAR_MONTH);
    case 'dictionary':
      return new Dictionary(arrowType(type.value), intType(type.index), null, type.ordered);
    case 'list':
      return new List(new ArrowField('item', arrowType(type.item), true));
    case 'other':
      throw new TypeError(`no Arrow type can be made of ${type.name}`);
  }
}

function intType({ signed, bits }: IntType): Int32 {
  // apache-arrow's own types give each width a class and a key; at run time the two arguments are all there is.
  return new Int<Type.Int32>(signed as true, bits as 32) as Int32;
}

const TIME_UNITS: Readonly<Record<TimeUnit, ArrowTimeUnit>> = {
  s: ArrowTimeUnit.SECOND,
  ms: ArrowTimeUnit.MILLISECOND,
  us: ArrowTimeUnit.MICROSECOND,
  ns: ArrowTimeUnit.NANOSECOND,
};

/**
 * A record batch over the bytes of `batch` (copied only where a buffer is not aligned to its values). `schema` is
 * `schemaOf` the columns' fields. A column without nulls gets no validity.
 */
export function recordBatchOf(schema: Schema, batch: Batch): RecordBatch {
  const children = batch.columns.map((column, i) => dataOf(schema.fields[i].type, column));
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length: batch.rows, nullCount: 0, children }));
}

/** A table of record batches of one schema; of no rows where there are none. */
export function tableOf(schema: Schema, batches: readonly RecordBatch[]): Table {
  return new Table(schema, [...batches]);
}

function dataOf(type: ArrowType, column: Column): Data {
  const { length, bitOffset: offset, nulls } = column;
  const common = {
    length,
    offset,
    nullCount: nulls,
    ...(nulls > 0 && column.validity !== undefined ? { nullBitmap: column.validity } : {}),
  };
  switch (column.type.kind) {
    case 'null':
      return makeData({ type: type as Null, length });
    case 'utf8':
    case 'binary':
      return column.type.form === 'view'
        ? makeData({
            ...common,
            type: type as Utf8View,
            views: column.values,
            variadicBuffers: [...(column.buffers ?? [])],
          })
        : makeData({
            ...common,
            type: type as Utf8,
            data: column.values,
            valueOffsets: offsetsOf(column) as Int32Array,
          });
    case 'dictionary': {
      const { dictionary } = column;
      if (dictionary === undefined) throw new TypeError('a dictionary column without its dictionary');
      const { dictionary: valueType, indices } = type as Dictionary;
      return makeData<Dictionary>({
        ...common,
        type: type as Dictionary,
        data: typed(indices.ArrayType as TypedArray, column.values) as Int32Array,
        dictionary: new Vector([dataOf(valueType, dictionary)]),
      });
    }
    case 'list': {
      const { items } = column;
      if (items === undefined) throw new TypeError('a list column without its items');
      const child = dataOf((type as List).valueType, items);
      return makeData({
        ...common,
        type: type as List,
        valueOffsets: offsetsOf(column) as Int32Array,
        child,
      });
    }
    case 'other':
      throw new TypeError(`no Arrow column can be made of ${typeName(column.type)}`);
    default:
      return makeData({
        ...common,
        type: type as Int,
        data: typed(type.ArrayType as TypedArray, column.values) as Int32Array,
      });
  }
}

function offsetsOf(column: Column): Int32Array | BigInt64Array {
  const bytes = column.offsets ?? new Uint8Array(8);
  const large =
    (column.type.kind === 'utf8' || column.type.kind === 'binary') && column.type.form === 'large';
  return typed<Int32Array | BigInt64Array>(large ? BigInt64Array : Int32Array, bytes);
}

interface TypedArray<T extends ArrayBufferView = ArrayBufferView> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

function typed<T extends ArrayBufferView>(ctor: TypedArray<T>, bytes: Uint8Array): T {
  const size = ctor.BYTES_PER_ELEMENT;
  const aligned = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  return new ctor(aligned.buffer, aligned.byteOffset, Math.floor(aligned.byteLength / size));
}
