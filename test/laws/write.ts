import {
  type Bool,
  type Data,
  type Dictionary,
  type Int,
  type Int32,
  makeData,
  type Utf8,
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
  const data = kind.dictionary
    ? writeDictionary(kind, all, memory, random)
    : writePlain(kind, all, memory, random);
  return before + after === 0 ? data : data.slice(before, values.length);
}

function writePlain(kind: Kind, values: readonly (Raw | null)[], memory: Memory, random: Random): Data {
  const type = typeOf(kind.name);
  const common = { length: values.length, ...validity(values, memory, random) };
  if (kind.values === 'bool') {
    const bits = values.map((value) => (value === null ? random.below(2) === 1 : value === true));
    return makeData({ ...common, type: type as Bool, data: writeBits(bits, memory) });
  }
  if (kind.values === 'text') {
    return makeData({
      ...common,
      type: type as Utf8,
      ...writeTexts(values as (Uint8Array | null)[], memory, random),
    });
  }
  const bytes = writeWords(values as (bigint | null)[], kind.width, memory, random);
  const { ArrayType } = type as Int32;
  return makeData({ ...common, type: type as Int, data: new ArrayType(bytes) });
}

function writeDictionary(kind: Kind, values: readonly (Raw | null)[], memory: Memory, random: Random): Data {
  const type = typeOf(kind.name) as Dictionary;
  const distinct = new Map<string, Uint8Array | null>();
  for (const value of values) if (value !== null) distinct.set(textOf(value), value as Uint8Array);
  const room = (MOST_ENTRIES.get(kind.width) ?? 1e6) - distinct.size;
  const spare = Array.from({ length: Math.min(room, random.below(4)) }, (_, i): Uint8Array | null => {
    if (random.below(2) === 0) return null;
    const twin = [...distinct.values()][i] ?? null;
    return random.below(2) === 0 ? twin : new TextEncoder().encode(`unused ${i}`);
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
  const plain: Kind = { ...kind, name: 'utf8', width: 0, dictionary: false };
  const dictionary = new Vector([writePlain(plain, entries, memory, random)]);
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

const scratch = new Uint8Array(8);
const wide = new DataView(scratch.buffer);

function writeWords(
  values: readonly (bigint | null)[],
  width: number,
  memory: Memory,
  random: Random,
): ArrayBufferLike {
  const buffer = new memory(values.length * width);
  const bytes = new Uint8Array(buffer);
  values.forEach((value, i) => {
    wide.setBigUint64(0, BigInt.asUintN(64, value ?? random.wide()), true);
    bytes.set(scratch.subarray(0, width), i * width);
  });
  return buffer;
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
