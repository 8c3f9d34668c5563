import {
  type Binary,
  type Bool,
  type Data,
  type Dictionary,
  type Int,
  type Int32,
  type LargeUtf8,
  makeData,
  type Null,
  type Utf8View,
  Vector,
} from 'apache-arrow';
import type { Random } from '../support/random.js';
import { typeOf } from '../support/type-notation.js';
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
  const { entry } = kind;
  const data =
    entry === undefined
      ? writePlain(kind, all, memory, random)
      : writeDictionary(kind, entry, all, memory, random);
  return before + after === 0 ? data : data.slice(before, values.length);
}

function writePlain(kind: Kind, values: readonly (Raw | null)[], memory: Memory, random: Random): Data {
  const type = typeOf(kind.name);
  const { length } = values;
  if (kind.form === 'null') return makeData({ type: type as Null, length });
  const common = { length, ...validity(values, memory, random) };
  switch (kind.form) {
    case 'bits': {
      const bits = values.map((value) => (value === null ? random.below(2) === 1 : value === true));
      return makeData({ ...common, type: type as Bool, data: writeBits(bits, memory) });
    }
    case 'bytes': {
      const parts = values as (Uint8Array | null)[];
      if (kind.name.endsWith('_view')) {
        return makeData({ ...common, type: type as Utf8View, ...writeViews(parts, memory, random) });
      }
      const filled = parts.map((part) => part ?? new Uint8Array(random.below(3)).fill(0xff));
      const data = joined(filled, memory);
      return kind.name.startsWith('large_')
        ? makeData({ ...common, type: type as LargeUtf8, valueOffsets: wideOffsets(filled, memory), data })
        : makeData({ ...common, type: type as Binary, valueOffsets: offsets(filled, memory), data });
    }
    default: {
      const buffer =
        kind.form === 'fixed'
          ? joined(
              (values as (Uint8Array | null)[]).map((value) => value ?? garbageOf(kind.width, random)),
              memory,
            ).buffer
          : writeWords(values as (bigint | null)[], kind.width, memory, random);
      return makeData({ ...common, type: type as Int, data: new (type as Int32).ArrayType(buffer) });
    }
  }
}

const garbageOf = (width: number, random: Random): Uint8Array =>
  new Uint8Array(width).fill(random.below(256));

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
  const dictionary = new Vector([writePlain(entry, entries, memory, random)]);
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
    for (let b = 0; b < width; b++, rest >>= 8n) bytes[i * width + b] = Number(rest & 0xffn);
  });
  return buffer;
}

function joined(parts: readonly Uint8Array[], memory: Memory): Uint8Array {
  const data = new Uint8Array(new memory(parts.reduce((sum, { length }) => sum + length, 0)));
  let at = 0;
  for (const part of parts) {
    data.set(part, at);
    at += part.length;
  }
  return data;
}

function offsets(parts: readonly Uint8Array[], memory: Memory): Int32Array {
  const ends = new Int32Array(new memory((parts.length + 1) * 4));
  parts.forEach((part, i) => {
    ends[i + 1] = ends[i] + part.length;
  });
  return ends;
}

function wideOffsets(parts: readonly Uint8Array[], memory: Memory): BigInt64Array {
  const ends = new BigInt64Array(new memory((parts.length + 1) * 8));
  parts.forEach((part, i) => {
    ends[i + 1] = ends[i] + BigInt(part.length);
  });
  return ends;
}

/** Up to 12 bytes in place, else a beginning and a place in one of several buffers. (Arrow columnar format, views.) */
function writeViews(
  parts: readonly (Uint8Array | null)[],
  memory: Memory,
  random: Random,
): { readonly views: Uint8Array; readonly variadicBuffers: Uint8Array[] } {
  const views = new Uint8Array(new memory(16 * parts.length));
  const view = new DataView(views.buffer);
  // bytes that no view points to may stand anywhere
  const buffers = Array.from({ length: 1 + random.below(3) }, () => [garbageOf(random.below(5), random)]);
  const ends = buffers.map(([first]) => first.length);
  parts.forEach((part, row) => {
    if (part === null) {
      views.fill(random.below(2) === 0 ? 0xff : 0, 16 * row, 16 * row + 16);
      return;
    }
    view.setInt32(16 * row, part.length, true);
    if (part.length <= 12) {
      views.set(part, 16 * row + 4);
      return;
    }
    const buffer = random.below(buffers.length);
    views.set(part.subarray(0, 4), 16 * row + 4);
    view.setInt32(16 * row + 8, buffer, true);
    view.setInt32(16 * row + 12, ends[buffer], true);
    buffers[buffer].push(part);
    ends[buffer] += part.length;
  });
  return { views, variadicBuffers: buffers.map((all) => joined(all, memory)) };
}
