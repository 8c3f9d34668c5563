import {
  Field as ArrowField,
  type DataType as ArrowType,
  type Data,
  type Dictionary,
  type Int,
  type List,
  makeData,
  type Null,
  RecordBatch,
  Schema,
  Struct,
  Table,
  type Utf8,
  type Utf8View,
  Vector,
} from 'apache-arrow';
import { arrowType } from './arrow-type.js';
import { offsetWidth } from './byte-width.js';
import type { Batch, Column } from './column.js';
import { type Field, layoutOf } from './type.js';

/** The schema of these fields, every one nullable. */
export function schemaOf(fields: readonly Field[]): Schema {
  return new Schema(fields.map(({ name, type }) => new ArrowField(name, arrowType(type), true)));
}

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
  switch (layoutOf(column.type).form) {
    case 'none':
      return makeData({ type: type as Null, length });
    case 'offsets': {
      const valueOffsets = offsetsOf(column) as Int32Array;
      return makeData({ ...common, type: type as Utf8, data: column.values, valueOffsets });
    }
    case 'views': {
      const variadicBuffers = [...(column.buffers ?? [])];
      return makeData({ ...common, type: type as Utf8View, views: column.values, variadicBuffers });
    }
    case 'codes': {
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
    case 'nested':
      return listOf(type as List, column);
    default:
      return makeData({
        ...common,
        type: type as Int,
        data: typed(type.ArrayType as TypedArray, column.values) as Int32Array,
      });
  }
}

function listOf(type: List, { items, offsets, length, bitOffset: offset, nulls, validity }: Column): Data {
  if (items === undefined || offsets === undefined)
    throw new TypeError('only lists of the answer are made into Arrow');
  const child = dataOf(type.valueType, items);
  const valueOffsets = typed<Int32Array>(Int32Array, offsets);
  return makeData({
    type,
    length,
    offset,
    nullCount: nulls,
    nullBitmap: nulls > 0 ? validity : undefined,
    valueOffsets,
    child,
  });
}

function offsetsOf(column: Column): Int32Array | BigInt64Array {
  const bytes = column.offsets ?? new Uint8Array(8);
  const large = offsetWidth(column.type) === 8;
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
