import {
  type Bool,
  type Data,
  type Dictionary,
  type Int,
  type Int32,
  type LargeUtf8,
  makeData,
  type Null,
  type Utf8,
  type Utf8View,
  Vector,
} from 'apache-arrow';
import type { Random } from '../support/random.js';
import { typeOf } from '../support/types.js';
import type { Kind, Raw } from './kind.js';

/** What a buffer is made in: ArrayBuffer or SharedArrayBuffer. */
export type Memory = new (bytes: number) => ArrayBufferLike;

/** The most entries of a dictionary whose codes have `width` bytes; a signed code has a bit less. */
const MOST_ENTRIES = new Map([
  [1, 127],
  [2, 32_767],
]);

/**
 * A column of these values, cut out of a longer one: rows before and behind it are garbage, and so is what lies under
 * a null. A dictionary has its entries in any order, some twice, some that no row uses, and some that are null.
 */
export function write(kind: Kind, values: readonly (Raw | null)[], memory: Memory, random: Random): Data {
  const before = random.below(3) * random.below(12);
  const after = random.below(3);
  const garbage = (length: number): (Raw | null)[] =>
    Array.from({ length }, () =>
      random.below(2) === 0 || values.length === 0 ? null : values[random.below(values.length)],
    );
  const all = [...garbage(before), ...values, ...garbage(after)];
  const data =
    kind.entry === undefined
      ? writePlain(kind, all, memory, random)
      : writeDictionary(kind, kind.entry, all, memory, random);
  return before + after === 0 ? data : data.slice(before, values.length);
}

function writePlain(kind: Kind, values: readonly (Raw | null)[], memory: Memory, random: Random): Data {
  const type = typeOf(kind.name);
  const common = { length: values.length, ...validity(values, memory, random) };
  // What each storage holds is told by its kind: whole numbers, booleans or bytes.
  const bytes = values as readonly (Uint8Array | null)[];
  switch (kind.storage) {
    case 'none':
      return makeData({ type: type as Null, length: values.length });
    case 'bits': {
      const bits = values.map((value) => (value === null ? random.below(2) === 1 : value === true));
      return makeData({ ...common, type: type as Bool, data: writeBits(bits, memory) });
    }
    case 'offsets':
      return makeData({ ...common, type: type as Utf8, ...writeTexts(bytes, memory, random) });
    case 'wide offsets': {
      const { valueOffsets, data } = writeTexts(bytes, memory, random);
      const wide = new BigInt64Array(new memory(valueOffsets.length * 8));
      valueOffsets.forEach((offset, i) => {
        wide[i] = BigInt(offset);
      });
      return makeData({ ...common, type: type as LargeUtf8, valueOffsets: wide, data });
    }
    case 'views':
      return makeData({ ...common, type: type as Utf8View, ...writeViews(bytes, memory, random) });
    case 'bytes':
    case 'words': {
      const words =
        kind.storage === 'bytes'
          ? writeFixed(bytes, kind.width, memory, random)
          : writeWords(values as (bigint | null)[], kind.width, memory, random);
      const { ArrayType } = type as Int32;
      return makeData({ ...common, type: type as Int, data: new ArrayType(words) });
    }
  }
}

function writeDictionary(
  kind: Kind,
  entry: Kind,
  values: readonly (Raw | null)[],
  memory: Memory,
  random: Random,
): Data {
  const type = typeOf(kind.name) as Dictionary;
  const distinct = new Map<string, Raw>();
  for (const value of values) if (value !== null) distinct.set(textOf(value), value);
  const room = (MOST_ENTRIES.get(kind.width) ?? 1e6) - distinct.size;
  const spare = Array.from({ length: Math.min(room, random.below(4)) }, (_, i): Raw | null => {
    if (random.below(2) === 0) return null;
    const twin = [...distinct.values()][i] ?? null;
    return random.below(2) === 0 ? twin : entry.random(random);
  });
  const entries = random.shuffled([...distinct.values(), ...spare]);
  const places = new Map<string, number[]>();
  entries.forEach((entry, code) => {
    const text = entry === null ? 'null' : textOf(entry);
    places.set(text, [...(places.get(text) ?? []), code]);
  });
  // A null is a null code, or the code of a null entry: both are the same null.
  const codes = values.map((value) => {
    const known = places.get(value === null ? 'null' : textOf(value)) ?? [];
    return known.length === 0 || (value === null && random.below(2) === 0)
      ? null
      : BigInt(known[random.below(known.length)]);
  });
  // In one piece, or in two, as a delta leaves it.
  const cut = random.below(2) === 0 ? entries.length : random.below(entries.length + 1);
  const pieces = [entries.slice(0, cut), entries.slice(cut)].filter(
    (piece, i) => i === 0 || piece.length > 0,
  );
  const dictionary = new Vector(pieces.map((piece) => writePlain(entry, piece, memory, random)));
  const { ArrayType } = type.indices as Int32;
  return makeData({
    type,
    length: codes.length,
    ...validity(codes, memory, random),
    data: new ArrayType(writeWords(codes, kind.width, memory, random)),
    dictionary,
  });
}

export function textOf(value: Raw): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
}

/** A bitmap may also be there where nothing is null. */
function validity(
  values: readonly unknown[],
  memory: Memory,
  random: Random,
): { readonly nullCount: number; readonly nullBitmap?: Uint8Array } {
  const nullCount = values.filter((value) => value === null).length;
  if (nullCount === 0 && random.below(4) > 0) return { nullCount };
  return {
    nullCount,
    nullBitmap: writeBits(
      values.map((value) => value !== null),
      memory,
    ),
  };
}

function writeBits(bits: readonly boolean[], memory: Memory): Uint8Array {
  const bytes = new Uint8Array(new memory((bits.length + 7) >> 3));
  bits.forEach((bit, i) => {
    if (bit) bytes[i >> 3] |= 1 << (i & 7);
  });
  return bytes;
}

/** Two's complement, least significant byte first. */
function writeWords(
  values: readonly (bigint | null)[],
  width: number,
  memory: Memory,
  random: Random,
): ArrayBufferLike {
  const buffer = new memory(values.length * width);
  const bytes = new Uint8Array(buffer);
  values.forEach((value, i) => {
    let rest = value ?? random.wide();
    for (let byte = 0; byte < width; byte++, rest >>= 8n) bytes[i * width + byte] = Number(rest & 0xffn);
  });
  return buffer;
}

function writeFixed(
  values: readonly (Uint8Array | null)[],
  width: number,
  memory: Memory,
  random: Random,
): ArrayBufferLike {
  const buffer = new memory(values.length * width);
  const bytes = new Uint8Array(buffer);
  values.forEach((value, i) => {
    if (value === null) bytes.fill(random.below(256), i * width, (i + 1) * width);
    else bytes.set(value, i * width);
  });
  return buffer;
}

/** Long values lie in up to three buffers, in any of them. What lies under a null is no view. */
function writeViews(
  values: readonly (Uint8Array | null)[],
  memory: Memory,
  random: Random,
): { readonly views: Uint8Array; readonly variadicBuffers: Uint8Array[] } {
  const views = new Uint8Array(new memory(values.length * 16));
  const view = new DataView(views.buffer);
  const parts = Array.from({ length: 1 + random.below(3) }, (): number[] => []);
  values.forEach((value, i) => {
    const at = i * 16;
    if (value === null) {
      views.fill(random.below(2) * 255, at, at + 16);
      return;
    }
    view.setInt32(at, value.length, true);
    views.set(value.subarray(0, value.length > 12 ? 4 : 12), at + 4);
    if (value.length <= 12) return;
    const buffer = random.below(parts.length);
    view.setInt32(at + 8, buffer, true);
    view.setInt32(at + 12, parts[buffer].length, true);
    for (const byte of value) parts[buffer].push(byte);
  });
  const variadicBuffers = parts.map((part) => {
    const bytes = new Uint8Array(new memory(part.length));
    bytes.set(part);
    return bytes;
  });
  return { views, variadicBuffers };
}

function writeTexts(
  values: readonly (Uint8Array | null)[],
  memory: Memory,
  random: Random,
): { readonly valueOffsets: Int32Array; readonly data: Uint8Array } {
  const parts = values.map((value) => value ?? new Uint8Array(random.below(3)).fill(0xff));
  const valueOffsets = new Int32Array(new memory((values.length + 1) * 4));
  parts.forEach((part, i) => {
    valueOffsets[i + 1] = valueOffsets[i] + part.length;
  });
  const data = new Uint8Array(new memory(valueOffsets[values.length]));
  parts.forEach((part, i) => {
    data.set(part, valueOffsets[i]);
  });
  return { valueOffsets, data };
}
