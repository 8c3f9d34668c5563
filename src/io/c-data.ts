import { byteOf, bytesFor, countBits } from '../core/bits.js';
import { byteWidth, offsetWidth } from '../core/byte-width.js';
import type { Column } from '../core/column.js';
import type { BytesForm, DataType, Field, IntType, TimeUnit } from '../core/type.js';

/*
 * Arrow's C data interface in the memory of a 32-bit WebAssembly module: structures that say where the buffers of a
 * column lie, so that nothing is copied.
 * Source: https://arrow.apache.org/docs/format/CDataInterface.html
 */

/** The fields of a struct type, which is how the interface hands over the schema of a record batch. */
export function fieldsAt(memory: ArrayBufferLike, address: number): Field[] {
  const view = new DataView(memory);
  return childrenOf(view, address, schemaLayout).map((child) => ({
    name: textAt(view, view.getUint32(child + 4, true)),
    type: typeAt(view, child),
  }));
}

/**
 * The columns at `indices` of a struct array, as views into `memory`: they last until it grows, or the array is
 * released. The producer is trusted with offsets and codes.
 */
export function columnsAt(
  memory: ArrayBufferLike,
  address: number,
  fields: readonly Field[],
  indices: readonly number[],
): Column[] {
  const view = new DataView(memory);
  const children = childrenOf(view, address, arrayLayout);
  const offset = int64(view, address + 16);
  const length = int64(view, address);
  return indices.map((index) => columnAt(view, children[index], fields[index].type, offset, length));
}

/** Rows of the struct array at `address`. */
export function rowsAt(memory: ArrayBufferLike, address: number): number {
  return int64(new DataView(memory), address);
}

interface Layout {
  readonly count: number;
  readonly children: number;
}
const schemaLayout: Layout = { count: 24, children: 32 };
const arrayLayout: Layout = { count: 32, children: 44 };

function childrenOf(view: DataView, address: number, { count, children }: Layout): number[] {
  const list = view.getUint32(address + children, true);
  return Array.from({ length: int64(view, address + count) }, (_, i) => view.getUint32(list + 4 * i, true));
}

function int64(view: DataView, address: number): number {
  return Number(view.getBigInt64(address, true));
}

function textAt(view: DataView, address: number): string {
  let end = address;
  while (view.getUint8(end) !== 0) end += 1;
  return new TextDecoder().decode(new Uint8Array(view.buffer, address, end - address));
}

function typeAt(view: DataView, schema: number): DataType {
  const format = textAt(view, view.getUint32(schema, true));
  const type = typeOfFormat(format) ?? nestedType(view, schema, format);
  const dictionary = view.getUint32(schema + 36, true);
  if (dictionary === 0 || type.kind !== 'int') return type;
  const ordered = (view.getUint32(schema + 16, true) & 1) === 1;
  return { kind: 'dictionary', index: type, value: typeAt(view, dictionary), ordered };
}

function nestedType(view: DataView, schema: number, format: string): DataType {
  const children = childrenOf(view, schema, schemaLayout);
  if (format === '+l' && children.length === 1) return { kind: 'list', item: typeAt(view, children[0]) };
  const name = nestedNames[format.slice(0, 3)] ?? nestedNames[format.slice(0, 2)];
  return { kind: 'other', name: name ?? `the format ${JSON.stringify(format)}` };
}

const nestedNames: Readonly<Record<string, string>> = {
  '+L': 'LargeList',
  '+w': 'FixedSizeList',
  '+s': 'Struct',
  '+m': 'Map',
  '+u': 'Union',
  '+r': 'RunEndEncoded',
  '+vl': 'ListView',
  '+vL': 'LargeListView',
  tiD: 'Interval[DayTime]',
  tin: 'Interval[MonthDayNano]',
};

function typeOfFormat(format: string): DataType | undefined {
  const known = plainFormats[format];
  if (known !== undefined) return known;
  if (format.startsWith('w:')) return { kind: 'fixedBinary', width: Number(format.slice(2)) };
  if (format.startsWith('d:')) {
    const [precision, scale, bits = 128] = format.slice(2).split(',').map(Number);
    if (bits !== 32 && bits !== 64 && bits !== 128 && bits !== 256) return undefined;
    return { kind: 'decimal', bits, precision, scale };
  }
  const unit = units[format[2]];
  if (unit === undefined) return undefined;
  if (format.startsWith('ts')) return { kind: 'timestamp', unit, zone: format.slice(4) || null };
  if (format.startsWith('tt')) return { kind: 'time', unit };
  return format.startsWith('tD') ? { kind: 'duration', unit } : undefined;
}

const units: Readonly<Record<string, TimeUnit>> = { s: 's', m: 'ms', u: 'us', n: 'ns' };

const plainFormats: Readonly<Record<string, DataType>> = {
  n: { kind: 'null' },
  b: { kind: 'bool' },
  c: int(8, true),
  C: int(8, false),
  s: int(16, true),
  S: int(16, false),
  i: int(32, true),
  I: int(32, false),
  l: int(64, true),
  L: int(64, false),
  e: { kind: 'float', bits: 16 },
  f: { kind: 'float', bits: 32 },
  g: { kind: 'float', bits: 64 },
  z: bytes('binary', 'plain'),
  Z: bytes('binary', 'large'),
  vz: bytes('binary', 'view'),
  u: bytes('utf8', 'plain'),
  U: bytes('utf8', 'large'),
  vu: bytes('utf8', 'view'),
  tdD: { kind: 'date', unit: 'day' },
  tdm: { kind: 'date', unit: 'ms' },
  tiM: { kind: 'interval' },
};

function int(bits: IntType['bits'], signed: boolean): DataType {
  return { kind: 'int', bits, signed };
}

function bytes(kind: 'utf8' | 'binary', form: BytesForm): DataType {
  return { kind, form };
}

/** `skip` and `length`: the rows of the parent, a child's array may be longer. */
function columnAt(view: DataView, array: number, type: DataType, skip: number, length: number): Column {
  const start = int64(view, array + 16) + skip;
  const list = view.getUint32(array + 40, true);
  const buffer = (i: number): number => view.getUint32(list + 4 * i, true);
  const slice = (i: number, from: number, size: number): Uint8Array =>
    size === 0 ? new Uint8Array(0) : new Uint8Array(view.buffer, buffer(i) + from, size);
  const bits = (i: number): Uint8Array => slice(i, byteOf(start), bytesFor(start + length) - byteOf(start));

  if (type.kind === 'null') return { type, length, nulls: length, bitOffset: 0, values: new Uint8Array(0) };
  const bitOffset = start & 7;
  const head = { type, length, bitOffset, ...validityOf() };
  if (type.kind === 'bool') return { ...head, values: bits(1) };
  const width = offsetWidth(type);
  if (width !== undefined) {
    const offsets = slice(1, start * width, (length + 1) * width);
    return { ...head, offsets, values: slice(2, 0, lastOffset(offsets, width)) };
  }
  const rows = byteWidth(type);
  if (rows === undefined) throw new TypeError(`columns of ${type.kind} are not read`);
  const values = slice(1, start * rows, length * rows);
  if (type.kind === 'dictionary') {
    const dictionary = view.getUint32(array + 48, true);
    return {
      ...head,
      values,
      dictionary: columnAt(view, dictionary, type.value, 0, int64(view, dictionary)),
    };
  }
  return type.kind === 'utf8' || type.kind === 'binary'
    ? { ...head, values, buffers: viewBuffers() }
    : { ...head, values };

  function validityOf(): Pick<Column, 'nulls' | 'validity'> {
    if (int64(view, array + 8) === 0 || buffer(0) === 0) return { nulls: 0 };
    const validity = bits(0);
    const nulls = length - countBits(validity, start & 7, length);
    return nulls === 0 ? { nulls } : { nulls, validity };
  }

  /** The last of a view array's buffers holds the sizes of those between it and the views. */
  function viewBuffers(): Uint8Array[] {
    const count = int64(view, array + 24);
    return Array.from({ length: count - 3 }, (_, i) =>
      slice(i + 2, 0, int64(view, buffer(count - 1) + 8 * i)),
    );
  }
}

function lastOffset(offsets: Uint8Array, width: 4 | 8): number {
  const view = new DataView(offsets.buffer, offsets.byteOffset + offsets.length - width, width);
  return width === 8 ? Number(view.getBigInt64(0, true)) : view.getInt32(0, true);
}
