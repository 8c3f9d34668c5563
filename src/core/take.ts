import { byteWidth, offsetWidth } from './byte-width.js';
import { type Column, isValid } from './column.js';
import { packViews } from './pack-views.js';
import { offsetReader, valueReader } from './read-values.js';
import { layoutOf, typeName } from './type.js';

/**
 * The rows of a column at these places, in this order, in new memory; zeros under nulls. The column must be valid
 * (`validateColumn`), no dictionary and no list.
 * @throws RangeError where 32-bit offsets cannot hold the bytes.
 */
export function take(column: Column, rows: readonly number[]): Column {
  const { type } = column;
  const nulls = rows.reduce((count, row) => count + (isValid(column, row) ? 0 : 1), 0);
  const validity =
    nulls > 0 && type.kind !== 'null' ? { validity: bitsOf(rows, (row) => isValid(column, row)) } : {};
  return { type, length: rows.length, nulls, bitOffset: 0, ...validity, ...content(column, rows) };
}

function content(
  column: Column,
  rows: readonly number[],
): Pick<Column, 'values' | 'offsets' | 'buffers' | 'items'> {
  const { type, values, bitOffset } = column;
  switch (layoutOf(type).form) {
    case 'none':
      return { values: new Uint8Array(0) };
    case 'bits':
      return {
        values: bitsOf(rows, (row) => {
          const bit = bitOffset + row;
          return isValid(column, row) && ((values[bit >> 3] >> (bit & 7)) & 1) === 1;
        }),
      };
    case 'offsets':
      return spansOf(column, rows);
    case 'views': {
      const read = valueReader(column);
      return packViews(rows.map((row) => read(row) as Uint8Array | null));
    }
    case 'nested':
      return listsOf(column, rows);
    default: {
      const width = byteWidth(type);
      if (width === undefined) throw new TypeError(`rows of ${typeName(type)} cannot be taken`);
      const out = new Uint8Array(rows.length * width);
      for (const [i, row] of rows.entries()) {
        if (isValid(column, row)) out.set(values.subarray(row * width, (row + 1) * width), i * width);
      }
      return { values: out };
    }
  }
}

function bitsOf(rows: readonly number[], isSet: (row: number) => boolean): Uint8Array {
  const bits = new Uint8Array((rows.length + 7) >> 3);
  for (const [i, row] of rows.entries()) if (isSet(row)) bits[i >> 3] |= 1 << (i & 7);
  return bits;
}

function spansOf(column: Column, rows: readonly number[]): Pick<Column, 'values' | 'offsets'> {
  const offset = offsetReader(column);
  const width = offsetWidth(column.type) ?? 4;
  const spans = rows.map((row): [number, number] =>
    isValid(column, row) ? [offset(row), offset(row + 1)] : [0, 0],
  );
  const size = spans.reduce((sum, [from, to]) => sum + to - from, 0);
  if (width === 4 && size > 0x7fff_ffff) {
    throw new RangeError(`bytes of a column: got ${size}, wanted at most ${0x7fff_ffff}`);
  }
  const values = new Uint8Array(size);
  const offsets = new DataView(new ArrayBuffer(width * (rows.length + 1)));
  let end = 0;
  for (const [i, [from, to]] of spans.entries()) {
    values.set(column.values.subarray(from, to), end);
    end += to - from;
    if (width === 8) offsets.setBigInt64(8 * (i + 1), BigInt(end), true);
    else offsets.setInt32(4 * (i + 1), end, true);
  }
  return { values, offsets: new Uint8Array(offsets.buffer) };
}

function listsOf(
  { items, offsets }: Column,
  rows: readonly number[],
): Pick<Column, 'values' | 'offsets' | 'items'> {
  if (items === undefined || offsets === undefined) throw new TypeError('a list column without its items');
  const from = new DataView(offsets.buffer, offsets.byteOffset, offsets.byteLength);
  const to = new DataView(new ArrayBuffer(4 * (rows.length + 1)));
  const taken: number[] = [];
  for (const [i, row] of rows.entries()) {
    const end = from.getInt32(4 * (row + 1), true);
    for (let item = from.getInt32(4 * row, true); item < end; item++) taken.push(item);
    to.setInt32(4 * (i + 1), taken.length, true);
  }
  return { values: new Uint8Array(0), offsets: new Uint8Array(to.buffer), items: take(items, taken) };
}
