import { bytesFor, isSet, setBit } from './bits.js';
import { byteWidth, offsetWidth } from './byte-width.js';
import { type Column, isValid } from './column.js';
import { inputError } from './errors.js';
import { joinBytes } from './join-bytes.js';
import { packViews } from './pack-views.js';
import { offsetReader, valueReader } from './read-values.js';
import { slice } from './slice.js';
import { layoutOf } from './type.js';

/**
 * One column of the rows of several of one type, in order, in new memory. Meant for dictionaries that come in
 * pieces: it works row by row. The pieces must be valid (`validateColumn`), and no dictionaries themselves.
 * @throws InputError where 32-bit offsets cannot hold the sum of the bytes.
 */
export function concat(pieces: readonly [Column, ...Column[]], place: string): Column {
  const [{ type }] = pieces;
  const length = pieces.reduce((rows, piece) => rows + piece.length, 0);
  const nulls = pieces.reduce((rows, piece) => rows + piece.nulls, 0);
  return {
    type,
    length,
    nulls,
    bitOffset: 0,
    ...(nulls > 0 && type.kind !== 'null' ? { validity: packBits(pieces, length, isValid) } : {}),
    ...content(pieces, length, place),
  };
}

type Content = Pick<Column, 'values' | 'offsets' | 'buffers' | 'items'>;

function content(pieces: readonly [Column, ...Column[]], length: number, place: string): Content {
  const [{ type }] = pieces;
  switch (layoutOf(type).form) {
    case 'none':
      return { values: new Uint8Array(0) };
    case 'bits':
      return { values: packBits(pieces, length, bitOf) };
    case 'offsets':
      return joinSpans(pieces, length, place);
    case 'views':
      return joinViews(pieces);
    case 'nested':
      return joinLists(pieces, length, place);
    default: {
      const width = byteWidth(type);
      if (width === undefined) throw inputError(place, 'a dictionary in pieces', 'one in a single piece');
      return { values: joinBytes(pieces.map((piece) => piece.values.subarray(0, piece.length * width))) };
    }
  }
}

function bitOf(column: Column, row: number): boolean {
  const bit = column.bitOffset + row;
  return isSet(column.values, bit);
}

function packBits(
  pieces: readonly Column[],
  length: number,
  isOne: (column: Column, row: number) => boolean,
): Uint8Array {
  const bits = new Uint8Array(bytesFor(length));
  let bit = 0;
  for (const piece of pieces) {
    for (let row = 0; row < piece.length; row++, bit++) {
      if (isOne(piece, row)) setBit(bits, bit);
    }
  }
  return bits;
}

function joinSpans(pieces: readonly [Column, ...Column[]], length: number, place: string): Content {
  const width = offsetWidth(pieces[0].type) ?? 4;
  const offsets = new Uint8Array((length + 1) * width);
  const view = new DataView(offsets.buffer);
  const parts: Uint8Array[] = [];
  let row = 0;
  let bytes = 0;
  for (const piece of pieces) {
    const offset = offsetReader(piece);
    const start = offset(0);
    parts.push(piece.values.subarray(start, offset(piece.length)));
    for (let i = 1; i <= piece.length; i++) {
      const end = bytes + offset(i) - start;
      row += 1;
      if (width === 8) view.setBigInt64(row * 8, BigInt(end), true);
      else view.setInt32(row * 4, end, true);
    }
    bytes += offset(piece.length) - start;
    if (width === 4 && bytes > 0x7fffffff) {
      throw inputError(place, `${bytes} bytes of text`, 'at most 2147483647, what 32-bit offsets can reach');
    }
  }
  return { offsets, values: joinBytes(parts) };
}

function joinLists(pieces: readonly [Column, ...Column[]], length: number, place: string): Content {
  const offsets = new DataView(new ArrayBuffer((length + 1) * 4));
  let row = 0;
  let end = 0;
  const items = (piece: Column): Column => {
    if (piece.items === undefined || piece.offsets === undefined)
      throw inputError(place, 'a nested column', 'lists with items');
    const { buffer, byteOffset, byteLength } = piece.offsets;
    const from = new DataView(buffer, byteOffset, byteLength);
    const first = from.getInt32(0, true);
    for (let i = 1; i <= piece.length; i++)
      offsets.setInt32(++row * 4, end + from.getInt32(i * 4, true) - first, true);
    const last = from.getInt32(piece.length * 4, true);
    end += last - first;
    if (end > 0x7fffffff)
      throw inputError(place, `${end} items of lists`, 'at most 2147483647, what 32-bit offsets can reach');
    return slice(piece.items, first, last);
  };
  const [first, ...rest] = pieces;
  return {
    items: concat([items(first), ...rest.map(items)], place),
    offsets: new Uint8Array(offsets.buffer),
    values: new Uint8Array(0),
  };
}

function joinViews(pieces: readonly Column[]): Content {
  return packViews(
    pieces.flatMap((piece) => {
      const read = valueReader(piece);
      return Array.from({ length: piece.length }, (_, row) => read(row) as Uint8Array | null);
    }),
  );
}
