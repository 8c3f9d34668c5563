import { bytesFor, setBit } from './bits.js';
import { byteWidth } from './byte-width.js';
import type { Column } from './column.js';
import { toFloat16 } from './float16.js';
import { packViews } from './pack-views.js';
import type { Value } from './read-values.js';
import { type DataType, layoutOf, typeName } from './type.js';

/** One value of the answer: of a list its items. */
export type Cell = Value | null | readonly (Value | null)[];

/** A column of these values in new memory: zero under a null, no validity where nothing is null, one form of NaN. */
export function build(type: DataType, cells: readonly Cell[]): Column {
  if (type.kind === 'list')
    return buildList(
      type,
      cells.map((cell) => listOf(type, cell)),
    );
  const values = cells.map(plainOf);
  const nulls = values.filter((value) => value === null).length;
  return {
    type,
    length: values.length,
    nulls,
    bitOffset: 0,
    ...(nulls > 0 && type.kind !== 'null' ? { validity: pack(values.map((value) => value !== null)) } : {}),
    ...content(type, values),
  };
}

type List = readonly (Value | null)[];

function listOf(type: DataType, cell: Cell): List | null {
  if (cell === null || Array.isArray(cell)) return cell;
  throw new TypeError(`no column of ${typeName(type)} can hold ${typeof cell}`);
}

function plainOf(cell: Cell): Value | null {
  if (Array.isArray(cell)) throw new TypeError('only a column of lists can hold a list');
  return cell as Value | null;
}

function buildList(type: DataType & { readonly kind: 'list' }, lists: readonly (List | null)[]): Column {
  const offsets = new DataView(new ArrayBuffer((lists.length + 1) * 4));
  let end = 0;
  for (const [i, list] of lists.entries()) {
    end += list?.length ?? 0;
    if (end > 0x7fffffff)
      throw new RangeError('more than 2147483647 items of lists in one column of the answer');
    offsets.setInt32((i + 1) * 4, end, true);
  }
  const nulls = lists.filter((list) => list === null).length;
  return {
    type,
    length: lists.length,
    nulls,
    bitOffset: 0,
    ...(nulls > 0 ? { validity: pack(lists.map((list) => list !== null)) } : {}),
    values: new Uint8Array(0),
    offsets: new Uint8Array(offsets.buffer),
    items: build(
      type.item,
      lists.flatMap((list) => list ?? []),
    ),
  };
}

type Content = Pick<Column, 'values' | 'offsets' | 'buffers'>;

function content(type: DataType, values: readonly (Value | null)[]): Content {
  // Only bytes are values of the types that have offsets or views.
  const bytes = values as readonly (Uint8Array | null)[];
  const layout = layoutOf(type);
  switch (layout.form) {
    case 'none':
      return { values: new Uint8Array(0) };
    case 'bits':
      return { values: pack(values.map((value) => value === true)) };
    case 'offsets':
      return spans(layout.width, bytes);
    case 'views':
      return packViews(bytes);
    default:
      return { values: slots(type, values) };
  }
}

function pack(bits: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(bytesFor(bits.length));
  for (const [i, bit] of bits.entries()) {
    if (bit) setBit(bytes, i);
  }
  return bytes;
}

function spans(width: 4 | 8, parts: readonly (Uint8Array | null)[]): Content {
  const offsets = new DataView(new ArrayBuffer((parts.length + 1) * width));
  let end = 0;
  for (const [i, part] of parts.entries()) {
    end += part?.length ?? 0;
    if (width === 4 && end > 0x7fffffff)
      throw new RangeError('more than 2147483647 bytes of text in one column of the answer');
    if (width === 8) offsets.setBigInt64((i + 1) * 8, BigInt(end), true);
    else offsets.setInt32((i + 1) * 4, end, true);
  }
  return {
    offsets: new Uint8Array(offsets.buffer),
    values: Buffer.concat(parts.filter((part) => part !== null)),
  };
}

function slots(type: DataType, values: readonly (Value | null)[]): Uint8Array {
  const width = byteWidth(type);
  if (width === undefined) throw new TypeError(`no column of ${typeName(type)} can be built`);
  const bytes = new Uint8Array(values.length * width);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) {
    const at = i * width;
    if (typeof value === 'number') putFloat(view, at, width, value);
    else if (typeof value === 'bigint') putInteger(view, at, width, value);
    else if (value instanceof Uint8Array && value.length === width) bytes.set(value, at);
    else if (value !== null) throw new TypeError(`no column of ${typeName(type)} can hold ${typeof value}`);
  }
  return bytes;
}

// JavaScript leaves it open which bits a NaN gets when it is stored, so they are written as an integer.
function putFloat(view: DataView, at: number, width: number, value: number): void {
  if (width === 2) view.setUint16(at, toFloat16(value), true);
  else if (Number.isNaN(value)) putInteger(view, at, width, width === 8 ? 0x7ff8000000000000n : 0x7fc00000n);
  else if (width === 8) view.setFloat64(at, value, true);
  else view.setFloat32(at, value, true);
}

/** The lowest `width` bytes of an integer in two's complement, least significant first. */
function putInteger(view: DataView, at: number, width: number, value: bigint): void {
  if (width === 1) view.setUint8(at, Number(BigInt.asUintN(8, value)));
  else if (width === 2) view.setUint16(at, Number(BigInt.asUintN(16, value)), true);
  else if (width === 4) view.setUint32(at, Number(BigInt.asUintN(32, value)), true);
  else {
    for (let byte = 0; byte < width; byte += 8) {
      view.setBigUint64(at + byte, BigInt.asUintN(64, value >> BigInt(8 * byte)), true);
    }
  }
}
