import {
  Bool,
  type Data,
  type DataType,
  Date_,
  DateUnit,
  Dictionary,
  Field,
  Float,
  Int,
  type Int32,
  makeData,
  Precision,
  RecordBatch,
  Schema,
  Struct,
  Timestamp,
  TimeUnit,
  Utf8,
  Vector,
} from 'apache-arrow';

/** A cell as JSON has it: wide integers and the special floats ("NaN", "-0", "Inf", "-Inf") as text; `0x...` is bytes. */
export type Cell = null | boolean | number | string;

/** A column as JSON has it. */
export interface ColumnNotation {
  /** i8 to i64, u8 to u64, f32, f64, bool, utf8, date32, date64, timestamp[us], timestamp[us,UTC], dict<i8,utf8>. */
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
}

const UNITS: Readonly<Record<string, TimeUnit>> = {
  s: TimeUnit.SECOND,
  ms: TimeUnit.MILLISECOND,
  us: TimeUnit.MICROSECOND,
  ns: TimeUnit.NANOSECOND,
};

/** An Arrow type by its short name. */
export function typeOf(name: string): DataType {
  const [, sign, bits] = /^([iu])(8|16|32|64)$/.exec(name) ?? [];
  if (bits !== undefined) return new Int((sign === 'i') as true, Number(bits) as 32);
  const [, unit, zone] = /^timestamp\[(s|ms|us|ns)(?:,(.+))?\]$/.exec(name) ?? [];
  if (unit !== undefined) return new Timestamp(UNITS[unit], zone);
  const [, index, value] = /^dict<(.+),(.+)>$/.exec(name) ?? [];
  if (index !== undefined) return new Dictionary(typeOf(value), typeOf(index) as Dictionary['indices']);
  switch (name) {
    case 'f32':
      return new Float(Precision.SINGLE);
    case 'f64':
      return new Float(Precision.DOUBLE);
    case 'bool':
      return new Bool();
    case 'utf8':
      return new Utf8();
    case 'date32':
      return new Date_(DateUnit.DAY);
    case 'date64':
      return new Date_(DateUnit.MILLISECOND);
    default:
      throw new Error(`no type ${name}`);
  }
}

const FLOATS: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  '-0': -0,
  Inf: Number.POSITIVE_INFINITY,
  '-Inf': Number.NEGATIVE_INFINITY,
};

export function floatOf(cell: Cell): number {
  return typeof cell === 'string' && Object.hasOwn(FLOATS, cell) ? FLOATS[cell] : Number(cell);
}

export function bytesOf(cell: Cell): Uint8Array {
  const text = String(cell);
  return text.startsWith('0x') ? Buffer.from(text.slice(2), 'hex') : new TextEncoder().encode(text);
}

/** A column in memory of its own, or in `Memory` (SharedArrayBuffer). */
export function dataOf(
  notation: ColumnNotation,
  Memory: new (bytes: number) => ArrayBufferLike = ArrayBuffer,
): Data {
  const type = typeOf(notation.type);
  const data =
    type instanceof Dictionary
      ? dictionaryOf(type, notation, Memory)
      : filled(type, notation.type, cellsOf(notation), Memory);
  return notation.slice === undefined ? data : data.slice(...notation.slice);
}

function cellsOf({ values, repeat, range, cycle, length = 0 }: ColumnNotation): readonly Cell[] {
  if (values !== undefined) return values;
  if (repeat !== undefined) return Array<Cell>(repeat[1]).fill(repeat[0]);
  if (range !== undefined) return Array.from({ length: range[1] - range[0] }, (_, i) => range[0] + i);
  if (cycle !== undefined) return Array.from({ length }, (_, i) => cycle[i % cycle.length]);
  throw new Error('a column without values');
}

function dictionaryOf(
  type: Dictionary,
  notation: ColumnNotation,
  Memory: new (bytes: number) => ArrayBufferLike,
): Data {
  const [, index, value] = /^dict<(.+),(.+)>$/.exec(notation.type) ?? [];
  const entries = notation.dictionary ?? [...new Set(cellsOf(notation).filter((cell) => cell !== null))];
  const cells = cellsOf(notation);
  const codes =
    notation.dictionary === undefined
      ? cells.map((cell) => (cell === null ? null : entries.indexOf(cell)))
      : cells;
  const dictionary = new Vector([filled(type.dictionary, value, entries, Memory)]);
  const { length, nullCount, nullBitmap, values } = filled(type.indices, index, codes, Memory);
  return makeData({ type, length, nullCount, nullBitmap, data: values as Int32Array, dictionary });
}

/** Slots under a null are filled with ones where they can be, for no engine may look at them. */
function filled(
  type: DataType,
  name: string,
  cells: readonly Cell[],
  Memory: new (bytes: number) => ArrayBufferLike,
): Data {
  const { length } = cells;
  const nullCount = cells.filter((cell) => cell === null).length;
  const nullBitmap = bits(
    cells.map((cell) => cell !== null),
    Memory,
  );
  const common = nullCount === 0 ? { length, nullCount } : { length, nullCount, nullBitmap };
  if (name === 'bool') {
    const data = bits(
      cells.map((cell) => cell !== false),
      Memory,
    );
    return makeData({ ...common, type: type as Bool, data });
  }
  if (name === 'utf8') {
    const parts = cells.map((cell) => (cell === null ? new Uint8Array([0xff]) : bytesOf(cell)));
    const valueOffsets = new Int32Array(new Memory((length + 1) * 4));
    for (const [i, part] of parts.entries()) valueOffsets[i + 1] = valueOffsets[i] + part.length;
    const data = new Uint8Array(new Memory(valueOffsets[length]));
    for (const [i, part] of parts.entries()) data.set(part, valueOffsets[i]);
    return makeData({ ...common, type: type as Utf8, valueOffsets, data });
  }
  const { ArrayType } = type as Int32;
  const data = new ArrayType(new Memory(length * ArrayType.BYTES_PER_ELEMENT));
  const wide = ArrayType.BYTES_PER_ELEMENT === 8 && !name.startsWith('f');
  for (const [i, cell] of cells.entries()) {
    const value = cell === null ? -1 : name.startsWith('f') ? floatOf(cell) : Number(cell);
    data[i] = (wide ? BigInt(cell === null ? -1 : String(cell)) : value) as number;
  }
  return makeData({ ...common, type: type as Int, data });
}

function bits(flags: readonly boolean[], Memory: new (bytes: number) => ArrayBufferLike): Uint8Array {
  const bytes = new Uint8Array(new Memory((flags.length + 7) >> 3));
  for (const [i, flag] of flags.entries()) if (flag) bytes[i >> 3] |= 1 << (i & 7);
  return bytes;
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
