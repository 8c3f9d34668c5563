import type {
  Bool,
  Data,
  DataType,
  Decimal,
  FixedSizeBinary,
  Float,
  List,
  RecordBatch,
  Table,
  Utf8,
} from 'apache-arrow';
import { Type } from 'apache-arrow';
import { type AnswerCell, bytesOf, type Cell, floatBits, unscaledOf } from './cell.js';
import { typeOf } from './types.js';

/** An answer as plain text by which two answers are equal exactly where their schemas, values and bits are. */
export interface Cells {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Reads an answer from its buffers, and checks what is promised of every answer's form on the way: nullable fields, no
 * validity where nothing is null, zeros under nulls.
 */
export function cellsOf(table: Table): Cells {
  return {
    columns: table.schema.fields.map(({ name, type, nullable }) => {
      if (!nullable) throw new Error(`field ${name} is not nullable`);
      return `${name}: ${typeText(type)}`;
    }),
    rows: table.batches.flatMap(rowsOf),
  };
}

/** What a type is called here; Arrow's own name of a decimal leaves out its width. */
export function typeText(type: DataType): string {
  return type.typeId === Type.Decimal ? `${type} of ${(type as Decimal).bitWidth} bits` : `${type}`;
}

function rowsOf(batch: RecordBatch): string[][] {
  const columns = batch.data.children.map(textsOf);
  return Array.from({ length: batch.numRows }, (_, row) => columns.map((column) => column[row]));
}

function textsOf(data: Data): string[] {
  const { length, offset, nullBitmap } = data;
  if (data.type.typeId === Type.Null) {
    if (data.nullCount !== length) throw new Error(`${data.nullCount} nulls in ${length} rows of type Null`);
    return Array<string>(length).fill('null');
  }
  const valid = (row: number): boolean =>
    nullBitmap === undefined || nullBitmap === null || nullBitmap.length === 0
      ? true
      : ((nullBitmap[(offset + row) >> 3] >> ((offset + row) & 7)) & 1) === 1;
  const rows = Array.from({ length }, (_, row) => row);
  const nulls = rows.filter((row) => !valid(row)).length;
  if (nulls !== data.nullCount) throw new Error(`${nulls} rows are null, not ${data.nullCount}`);
  if (nulls === 0 && (nullBitmap?.length ?? 0) > 0)
    throw new Error('a validity bitmap where nothing is null');
  const text = textReader(data);
  const zero = text(-1);
  return rows.map((row) => {
    if (valid(row)) return text(row);
    if (text(row) !== zero) throw new Error(`${text(row)} under the null of row ${row}`);
    return 'null';
  });
}

/** Row -1 stands for a slot of zeros. */
function textReader(data: Data): (row: number) => string {
  const { type, offset } = data;
  switch (type.typeId) {
    case Type.Bool: {
      const { values } = data as Data<Bool>;
      return (row) =>
        row < 0 ? 'false' : String(((values[(offset + row) >> 3] >> ((offset + row) & 7)) & 1) === 1);
    }
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Binary:
    case Type.LargeBinary: {
      const { values, valueOffsets } = data as Data<Utf8>;
      if (valueOffsets.length !== data.length + 1) throw new Error(`${valueOffsets.length} offsets`);
      const end = (i: number): number => Number(valueOffsets[i]);
      return (row) => bytesText(type, row < 0 ? new Uint8Array(0) : values.subarray(end(row), end(row + 1)));
    }
    case Type.List:
      return listReader(data as Data<List>);
    case Type.Utf8View:
    case Type.BinaryView: {
      const read = viewReader(data);
      return (row) => bytesText(type, row < 0 ? new Uint8Array(0) : read(row));
    }
    case Type.Float:
    case Type.FixedSizeBinary: {
      const width =
        type.typeId === Type.Float ? 2 << (type as Float).precision : (type as FixedSizeBinary).byteWidth;
      requireLength(data, width);
      return (row) =>
        hex(row < 0 ? new Uint8Array(width) : bytesOfValues(data).subarray(row * width, (row + 1) * width));
    }
    case Type.Decimal: {
      const width = (type as Decimal).bitWidth / 8;
      requireLength(data, width);
      return (row) =>
        row < 0 ? '0' : String(wideInteger(bytesOfValues(data).subarray(row * width, (row + 1) * width)));
    }
    default: {
      const values = data.values as Int32Array;
      requireLength(data, values.BYTES_PER_ELEMENT);
      return (row) => (row < 0 ? '0' : String(values[row]));
    }
  }
}

/** Also checks that the items are those of the lists and no more, and what their field is called. */
function listReader(data: Data<List>): (row: number) => string {
  const { type, valueOffsets, children } = data;
  if (valueOffsets.length !== data.length + 1) throw new Error(`${valueOffsets.length} offsets`);
  const [field] = type.children;
  if (field.name !== 'item' || !field.nullable) throw new Error(`items called ${field}`);
  const [child] = children;
  const first = valueOffsets[0];
  if (first !== 0 && data.length > 0 && data.offset === 0) throw new Error(`a first offset of ${first}`);
  if (child.length !== valueOffsets[data.length]) throw new Error(`${child.length} items`);
  const items = textsOf(child);
  return (row) => listText(row < 0 ? [] : items.slice(valueOffsets[row], valueOffsets[row + 1]));
}

function listText(items: readonly string[]): string {
  return `[${items.join(', ')}]`;
}

function bytesOfValues({ values }: Data): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function requireLength(data: Data, width: number): void {
  const have = bytesOfValues(data).length;
  if (have !== data.length * width) throw new Error(`${have} bytes of values in ${data.length} rows`);
}

/** Also checks what makes the bytes of views a function of the values: in place to 12 bytes, padded, no gaps beyond. */
function viewReader(data: Data): (row: number) => Uint8Array {
  requireLength(data, 16);
  const views = bytesOfValues(data);
  const view = new DataView(views.buffer, views.byteOffset, views.byteLength);
  const buffers = data.variadicBuffers;
  let used = 0;
  for (let row = 0; row < data.length; row++) {
    const length = view.getInt32(row * 16, true);
    if (length <= 12) {
      const rest = views.subarray(row * 16 + 4 + length, (row + 1) * 16);
      if (rest.some((byte) => byte !== 0)) throw new Error(`bytes behind the short view of row ${row}`);
    } else {
      const place = [view.getInt32(row * 16 + 8, true), view.getInt32(row * 16 + 12, true)];
      if (place[0] !== 0 || place[1] !== used)
        throw new Error(`the view of row ${row} points at ${place}, not 0,${used}`);
      used += length;
      const prefix = views.subarray(row * 16 + 4, row * 16 + 8);
      if (hex(prefix) !== hex(buffers[0].subarray(place[1], place[1] + 4)))
        throw new Error(`a prefix in row ${row}`);
    }
  }
  if (buffers.length !== (used === 0 ? 0 : 1) || (used > 0 && buffers[0].length !== used)) {
    throw new Error(
      `buffers of ${buffers.map(({ length }) => length)} bytes for ${used} bytes of long views`,
    );
  }
  return (row) => {
    const length = view.getInt32(row * 16, true);
    if (length <= 12) return views.subarray(row * 16 + 4, row * 16 + 4 + length);
    const from = view.getInt32(row * 16 + 12, true);
    return buffers[view.getInt32(row * 16 + 8, true)].subarray(from, from + length);
  };
}

/** Two's complement, least significant byte first. */
function wideInteger(bytes: Uint8Array): bigint {
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex(bytes.toReversed())}`));
}

/** What {@link cellsOf} must say of a cell that is written in JSON. */
export function expected(name: string, cell: AnswerCell): string {
  if (cell === null) return 'null';
  const [, item] = /^list<(.+)>$/.exec(name) ?? [];
  if (item !== undefined) return listText((cell as readonly Cell[]).map((one) => expected(item, one)));
  return expectedPlain(name, cell as Cell);
}

function expectedPlain(name: string, cell: Cell): string {
  const type = typeOf(name);
  switch (type.typeId) {
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
    case Type.Binary:
    case Type.LargeBinary:
    case Type.BinaryView:
      return bytesText(type, bytesOf(cell));
    case Type.FixedSizeBinary:
      return hex(bytesOf(cell));
    case Type.Float: {
      const width = 2 << (type as Float).precision;
      const bits = floatBits(cell, width as 2 | 4 | 8)
        .toString(16)
        .padStart(width * 2, '0');
      return hex(Buffer.from(bits, 'hex').reverse());
    }
    case Type.Decimal:
      return String(unscaledOf(cell, (type as Decimal).scale));
    default:
      return String(cell);
  }
}

function bytesText(type: DataType, bytes: Uint8Array): string {
  const isText = [Type.Utf8, Type.LargeUtf8, Type.Utf8View].includes(type.typeId);
  return isText ? `${JSON.stringify(new TextDecoder().decode(bytes))} ${hex(bytes)}` : hex(bytes);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
