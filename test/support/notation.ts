import {
  type Binary,
  type Bool,
  type Data,
  type DataType,
  type Decimal,
  Dictionary,
  Field,
  type FixedSizeBinary,
  type Int,
  type Int32,
  type LargeUtf8,
  makeData,
  type Null,
  RecordBatch,
  Schema,
  Struct,
  Type,
  type Utf8View,
  Vector,
} from 'apache-arrow';
import { bytesOf, type Cell, floatBits, unscaledOf } from './cell.js';
import { typeOf } from './types.js';

/** A column as JSON has it. */
export interface ColumnNotation {
  /** A name that `typeOf` knows. */
  readonly type: string;
  readonly values?: readonly Cell[];
  /** A value, and how often it comes. */
  readonly repeat?: readonly [Cell, number];
  /** From, up to but not including. */
  readonly range?: readonly [number, number];
  /** Values, in turn, `length` of them. */
  readonly cycle?: readonly Cell[];
  readonly length?: number;
  /** Rows of which the column is a slice: offset and length into `values`. */
  readonly slice?: readonly [number, number];
  /** The entries of a dictionary; `values` are codes then. */
  readonly dictionary?: readonly Cell[];
  /** How many entries came first, and with each delta; default: all at once. */
  readonly deltas?: readonly number[];
  /** Data buffers that long views are dealt to in turn; default 1. */
  readonly buffers?: number;
}

/** What a buffer is made in: ArrayBuffer or SharedArrayBuffer. */
type Memory = new (bytes: number) => ArrayBufferLike;

/** A column in memory of its own. Slots under a null are filled with ones where they can be: no engine may look at them. */
export function dataOf(notation: ColumnNotation, Memory: Memory = ArrayBuffer): Data {
  const type = typeOf(notation.type);
  const data =
    type instanceof Dictionary
      ? dictionaryOf(type, notation, Memory)
      : filled(type, cellsOf(notation), Memory, notation.buffers);
  return notation.slice === undefined ? data : data.slice(...notation.slice);
}

function cellsOf({ values, repeat, range, cycle, length = 0 }: ColumnNotation): readonly Cell[] {
  if (values !== undefined) return values;
  if (repeat !== undefined) return Array<Cell>(repeat[1]).fill(repeat[0]);
  if (range !== undefined) return Array.from({ length: range[1] - range[0] }, (_, i) => range[0] + i);
  if (cycle !== undefined) return Array.from({ length }, (_, i) => cycle[i % cycle.length]);
  throw new Error('a column without values');
}

function dictionaryOf(type: Dictionary, notation: ColumnNotation, Memory: Memory): Data {
  const cells = cellsOf(notation);
  const entries = notation.dictionary ?? [...new Set(cells.filter((cell) => cell !== null))];
  const codes =
    notation.dictionary === undefined
      ? cells.map((cell) => (cell === null ? null : entries.indexOf(cell)))
      : cells;
  let start = 0;
  const chunks = (notation.deltas ?? [entries.length]).map((length) => {
    start += length;
    return filled(type.dictionary, entries.slice(start - length, start), Memory, notation.buffers);
  });
  const dictionary = new Vector(chunks);
  const { length, nullCount, nullBitmap, values } = filled(type.indices, codes, Memory);
  return makeData({ type, length, nullCount, nullBitmap, data: values as Int32Array, dictionary });
}

function filled(type: DataType, cells: readonly Cell[], Memory: Memory, buffers = 1): Data {
  const { length } = cells;
  const nullCount = cells.filter((cell) => cell === null).length;
  const present = cells.map((cell) => cell !== null);
  const common =
    nullCount === 0 ? { length, nullCount } : { length, nullCount, nullBitmap: bits(present, Memory) };
  switch (type.typeId) {
    case Type.Null:
      return makeData({ type: type as Null, length });
    case Type.Bool: {
      const flags = cells.map((cell) => cell !== false);
      return makeData({ ...common, type: type as Bool, data: bits(flags, Memory) });
    }
    case Type.Utf8:
    case Type.Binary:
    case Type.LargeUtf8:
    case Type.LargeBinary: {
      const parts = cells.map((cell) => (cell === null ? new Uint8Array([0xff]) : bytesOf(cell)));
      const large = type.typeId === Type.LargeUtf8 || type.typeId === Type.LargeBinary;
      const data = joined(parts, Memory);
      if (large)
        return makeData({
          ...common,
          type: type as LargeUtf8,
          valueOffsets: wideOffsets(parts, Memory),
          data,
        });
      return makeData({ ...common, type: type as Binary, valueOffsets: offsets(parts, Memory), data });
    }
    case Type.Utf8View:
    case Type.BinaryView:
      return makeData({ ...common, type: type as Utf8View, ...views(cells, Memory, buffers) });
    case Type.List:
    case Type.Struct:
      if (length > 0) throw new Error('a nested column can only be empty');
      return makeData({ type: type as Null, length });
    default: {
      const data = words(type, cells, Memory);
      return makeData({ ...common, type: type as Int, data: new (type as Int32).ArrayType(data) });
    }
  }
}

function bits(flags: readonly boolean[], Memory: Memory): Uint8Array {
  const bytes = new Uint8Array(new Memory((flags.length + 7) >> 3));
  for (const [i, flag] of flags.entries()) if (flag) bytes[i >> 3] |= 1 << (i & 7);
  return bytes;
}

function joined(parts: readonly Uint8Array[], Memory: Memory): Uint8Array {
  const data = new Uint8Array(new Memory(parts.reduce((bytes, part) => bytes + part.length, 0)));
  let at = 0;
  for (const part of parts) {
    data.set(part, at);
    at += part.length;
  }
  return data;
}

function offsets(parts: readonly Uint8Array[], Memory: Memory): Int32Array {
  const ends = new Int32Array(new Memory((parts.length + 1) * 4));
  for (const [i, part] of parts.entries()) ends[i + 1] = ends[i] + part.length;
  return ends;
}

function wideOffsets(parts: readonly Uint8Array[], Memory: Memory): BigInt64Array {
  const ends = new BigInt64Array(new Memory((parts.length + 1) * 8));
  for (const [i, part] of parts.entries()) ends[i + 1] = ends[i] + BigInt(part.length);
  return ends;
}

/** Source: the Arrow columnar format, "Variable-size Binary View Layout". */
function views(
  cells: readonly Cell[],
  Memory: Memory,
  buffers: number,
): { readonly views: Uint8Array; readonly variadicBuffers: Uint8Array[] } {
  const all = new Uint8Array(new Memory(cells.length * 16)).fill(0xff);
  const view = new DataView(all.buffer);
  const parts = Array.from({ length: buffers }, (): Uint8Array[] => []);
  const ends = Array<number>(buffers).fill(0);
  let next = 0;
  for (const [row, cell] of cells.entries()) {
    if (cell === null) continue;
    const bytes = bytesOf(cell);
    all.fill(0, row * 16, (row + 1) * 16);
    view.setInt32(row * 16, bytes.length, true);
    all.set(bytes.subarray(0, bytes.length > 12 ? 4 : 12), row * 16 + 4);
    if (bytes.length <= 12) continue;
    view.setInt32(row * 16 + 8, next, true);
    view.setInt32(row * 16 + 12, ends[next], true);
    parts[next].push(bytes);
    ends[next] += bytes.length;
    next = (next + 1) % buffers;
  }
  return { views: all, variadicBuffers: parts.map((part) => joined(part, Memory)) };
}

/** Values of one width, as the integers that their bytes are. */
function words(type: DataType, cells: readonly Cell[], Memory: Memory): ArrayBufferLike {
  const width = widthOf(type);
  const data = new Memory(cells.length * width);
  const bytes = new Uint8Array(data).fill(0xff);
  for (const [row, cell] of cells.entries()) {
    if (cell === null) continue;
    if (type.typeId === Type.FixedSizeBinary) {
      const value = bytesOf(cell);
      if (value.length !== width) throw new Error(`${cell} is not ${width} bytes long`);
      bytes.set(value, row * width);
      continue;
    }
    let rest = integerOf(type, cell, width);
    for (let i = 0; i < width; i++, rest >>= 8n) bytes[row * width + i] = Number(rest & 0xffn);
  }
  return data;
}

function integerOf(type: DataType, cell: Cell, width: number): bigint {
  if (type.typeId === Type.Float) return floatBits(cell, width as 2 | 4 | 8);
  return type.typeId === Type.Decimal ? unscaledOf(cell, (type as Decimal).scale) : BigInt(String(cell));
}

/** Bytes of a value. */
function widthOf(type: DataType): number {
  if (type.typeId === Type.FixedSizeBinary) return (type as FixedSizeBinary).byteWidth;
  if (type.typeId === Type.Decimal) return (type as Decimal).bitWidth / 8;
  return (type as Int32).ArrayType.BYTES_PER_ELEMENT;
}

/** One record batch of named columns; names may repeat. */
export function batchOf(columns: readonly (readonly [name: string, data: Data])[]): RecordBatch {
  const schema = new Schema(columns.map(([name, { type }]) => new Field(name, type, true)));
  const children = columns.map(([, data]) => data);
  const length = children[0]?.length ?? 0;
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }),
  );
}
