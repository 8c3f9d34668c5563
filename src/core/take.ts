import { bytesFor, isSet, setBit } from './bits.js';
import { byteWidth, offsetWidth } from './byte-width.js';
import { type Column, isValid } from './column.js';
import { packViews } from './pack-views.js';
import { offsetReader, valueReader } from './read-values.js';
import { layoutOf, typeName } from './type.js';

/**
 * The rows of a column at these places, in this order, in new memory; zeros under nulls. The column must be valid
 * (`validateColumn`) and no dictionary.
 * @throws RangeError where 32-bit offsets cannot hold the bytes.
 */
export function take(column: Column, rows: Uint32Array): Column {
  const { type } = column;
  const nulls = nullsAt(column, rows);
  const validity =
    nulls > 0 && type.kind !== 'null' ? { validity: bitsOf(rows, (row) => isValid(column, row)) } : {};
  return { type, length: rows.length, nulls, bitOffset: 0, ...validity, ...content(column, rows) };
}

function nullsAt(column: Column, rows: Uint32Array): number {
  if (column.validity === undefined) return column.type.kind === 'null' ? rows.length : 0;
  let nulls = 0;
  for (const row of rows) if (!isValid(column, row)) nulls++;
  return nulls;
}

function content(
  column: Column,
  rows: Uint32Array,
): Pick<Column, 'values' | 'offsets' | 'buffers' | 'items'> {
  const { type, values, bitOffset } = column;
  switch (layoutOf(type).form) {
    case 'none':
      return { values: new Uint8Array(0) };
    case 'bits':
      return {
        values: bitsOf(rows, (row) => isValid(column, row) && isSet(values, bitOffset + row)),
      };
    case 'offsets':
      return spansOf(column, rows);
    case 'views': {
      const read = valueReader(column);
      return packViews(Array.from(rows, (row) => read(row) as Uint8Array | null));
    }
    case 'nested':
      return listsOf(column, rows);
    default: {
      const width = byteWidth(type);
      if (width === undefined) throw new TypeError(`rows of ${typeName(type)} cannot be taken`);
      const out = new Uint8Array(rows.length * width);
      const isIn = column.validity === undefined ? undefined : (row: number) => isValid(column, row);
      const words = width % 4 === 0 && values.byteOffset % 4 === 0 ? width / 4 : 0;
      if (words === 0) copyUnits(values, out, width, rows, isIn);
      else copyUnits(wordsOf(values), wordsOf(out), words, rows, isIn);
      return { values: out };
    }
  }
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

/** Copies `width` units a row. (Words of 4 bytes: a copy by `set` takes 20 times as long for values of 8 bytes.) */
function copyUnits(
  from: Uint8Array | Uint32Array,
  to: Uint8Array | Uint32Array,
  width: number,
  rows: Uint32Array,
  isIn: ((row: number) => boolean) | undefined,
): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (isIn !== undefined && !isIn(row)) continue;
    for (let unit = 0; unit < width; unit++) to[i * width + unit] = from[row * width + unit];
  }
}

function bitsOf(rows: Uint32Array, isOne: (row: number) => boolean): Uint8Array {
  const bits = new Uint8Array(bytesFor(rows.length));
  for (let i = 0; i < rows.length; i++) if (isOne(rows[i])) setBit(bits, i);
  return bits;
}

/** Lists are taken by the rows of their items. */
function listsOf(column: Column, rows: Uint32Array): Pick<Column, 'values' | 'offsets' | 'items'> {
  const offset = offsetReader(column);
  const lengthOf = (row: number): number => (isValid(column, row) ? offset(row + 1) - offset(row) : 0);
  const offsets = new Int32Array(rows.length + 1);
  for (let i = 0; i < rows.length; i++) offsets[i + 1] = offsets[i] + lengthOf(rows[i]);
  const places = new Uint32Array(offsets[rows.length]);
  for (let i = 0; i < rows.length; i++) {
    const first = offset(rows[i]);
    for (let place = offsets[i]; place < offsets[i + 1]; place++) places[place] = first + place - offsets[i];
  }
  const items = column.items === undefined ? {} : { items: take(column.items, places) };
  return { values: new Uint8Array(0), offsets: new Uint8Array(offsets.buffer), ...items };
}

function spansOf(column: Column, rows: Uint32Array): Pick<Column, 'values' | 'offsets'> {
  const offset = offsetReader(column);
  const width = offsetWidth(column.type) ?? 4;
  const lengthOf = (row: number): number => (isValid(column, row) ? offset(row + 1) - offset(row) : 0);
  let size = 0;
  for (const row of rows) size += lengthOf(row);
  if (width === 4 && size > 0x7fff_ffff) {
    throw new RangeError(`bytes of a column: got ${size}, wanted at most ${0x7fff_ffff}`);
  }
  const values = new Uint8Array(size);
  const offsets = new DataView(new ArrayBuffer(width * (rows.length + 1)));
  let end = 0;
  for (let i = 0; i < rows.length; i++) {
    const from = offset(rows[i]);
    const length = lengthOf(rows[i]);
    for (let byte = 0; byte < length; byte++) values[end + byte] = column.values[from + byte];
    end += length;
    if (width === 8) offsets.setBigInt64(8 * (i + 1), BigInt(end), true);
    else offsets.setInt32(4 * (i + 1), end, true);
  }
  return { values, offsets: new Uint8Array(offsets.buffer) };
}
