import * as fc from 'fast-check';
import type { Random } from '../support/random.js';

/** A value before it is written: whole numbers of any width, bits of a float, bytes of a text. */
export type Raw = bigint | boolean | Uint8Array;

/** A type of column, with the values that are worth trying. */
export interface Kind {
  /** As in test/support/notation.ts. */
  readonly name: string;
  /** Bytes of a value, of a dictionary's code; 0 for bits and texts. */
  readonly width: number;
  readonly values: 'int' | 'float' | 'bool' | 'text' | 'time';
  readonly dictionary: boolean;
  readonly arbitrary: fc.Arbitrary<Raw>;
  /** One of many different values. */
  random(random: Random): Raw;
  /** The order of keys, written anew, so that "sorted" is sorted in an engine's eyes too. */
  compare(a: Raw, b: Raw): number;
  /** How fast-check shows it in a counterexample. */
  [fc.toStringMethod](): string;
}

function kindOf(kind: Omit<Kind, typeof fc.toStringMethod>): Kind {
  return { ...kind, [fc.toStringMethod]: () => kind.name };
}

const lesser = (a: bigint | number | boolean, b: bigint | number | boolean): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** Sums of these overflow seldom enough that most answers are answers. */
function integers(least: bigint, most: bigint): fc.Arbitrary<bigint> {
  const clamp = (x: bigint): bigint => (x < least ? least : x > most ? most : x);
  return fc.oneof(
    { weight: 6, arbitrary: fc.bigInt(-9n, 9n).map(clamp) },
    { weight: 3, arbitrary: fc.bigInt(least / 4096n, most / 4096n) },
    { weight: 1, arbitrary: fc.bigInt(least, most) },
    { weight: 1, arbitrary: fc.constantFrom(least, least + 1n, most - 1n, most) },
  );
}

function intKind(name: string, bits: number, signed: boolean, values: 'int' | 'time'): Kind {
  const least = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const most = least + (1n << BigInt(bits)) - 1n;
  return kindOf({
    name,
    width: bits / 8,
    values,
    dictionary: false,
    arbitrary: integers(least, most),
    random: (random) => {
      const wide = random.wide();
      // Half of them near each other, so that a counting table or one word may hold them for a while.
      const x = random.bits() & 1 ? wide : wide & 0xffffn;
      return signed ? BigInt.asIntN(bits, x) : BigInt.asUintN(bits, x);
    },
    compare: lesser as Kind['compare'],
  });
}

const SPECIAL = [
  0,
  -0,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  1.7e308,
  -1.7e308,
  5e-324,
  -5e-324,
  2.2250738585072014e-308,
  1e-310,
  1e100,
  -1e100,
  1,
  2 ** 53,
  2 ** -53,
  0.1,
];

const scratch = new DataView(new ArrayBuffer(8));

export function floatOfBits(bits: bigint, width: number): number {
  if (width === 4) scratch.setUint32(0, Number(bits));
  else scratch.setBigUint64(0, bits);
  return width === 4 ? scratch.getFloat32(0) : scratch.getFloat64(0);
}

export function bitsOfFloat(x: number, width: number): bigint {
  if (width === 8) {
    scratch.setFloat64(0, x);
    return scratch.getBigUint64(0);
  }
  scratch.setFloat32(0, x);
  return BigInt(scratch.getUint32(0));
}

/** NaNs are the greatest, and zeros are one. */
function compareFloats(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return lesser(a, b);
}

function floatKind(width: 4 | 8): Kind {
  const bits = (x: number): bigint => bitsOfFloat(x, width);
  const top = (1n << BigInt(8 * width)) - 1n;
  return kindOf({
    name: width === 8 ? 'f64' : 'f32',
    width,
    values: 'float',
    dictionary: false,
    arbitrary: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: -99, max: 99 }).map((x) => bits(x / 10)) },
      { weight: 2, arbitrary: fc.constantFrom(...SPECIAL).map(bits) },
      { weight: 2, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map(bits) },
      // any pattern: NaNs of every kind, subnormals, all exponents
      { weight: 2, arbitrary: fc.bigInt(0n, top) },
      { weight: 1, arbitrary: fc.integer({ min: -1070, max: 1020 }).map((e) => bits(2 ** e)) },
    ),
    random: (random) => {
      const choice = random.below(8);
      if (choice === 0) return random.wide() & top;
      return bits((random.below(2_000_001) - 1_000_000) / (choice < 4 ? 1 : 1000));
    },
    compare: (a, b) => compareFloats(floatOfBits(a as bigint, width), floatOfBits(b as bigint, width)),
  });
}

const encoder = new TextEncoder();
const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** Beginnings that texts share, of lengths about those at which words of 7 and 8 bytes end. */
const prefixes = fc
  .tuple(
    fc.constantFrom(0, 1, 6, 7, 8, 13, 14, 15, 21, 48, 55, 56, 57, 63, 64, 70),
    fc.constantFrom('p', 'ä', '\0'),
  )
  .map(([length, letter]) => letter.repeat(length));

const texts: fc.Arbitrary<Raw> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('', '\0', '\0\0', 'a', 'a\0', 'a\0\0', 'ab', 'b').map(bytesOf) },
  { weight: 3, arbitrary: fc.string({ maxLength: 12 }).map(bytesOf) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(prefixes, fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b', '\0', 'é', '𐀀', '\uffff') }))
      .map(([prefix, rest]) => bytesOf(prefix + rest)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map(bytesOf) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 18 }).map((bytes) => Uint8Array.from(bytes)) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 5000 }).map((n) => bytesOf('long '.repeat(n / 5))) },
);

function textKind(name: string, width: number): Kind {
  return kindOf({
    name,
    width,
    values: 'text',
    dictionary: width > 0,
    arbitrary: texts,
    random: (random) => {
      const prefix = ['', 'key ', 'a longer beginning that all share '][random.below(3)];
      return bytesOf(`${prefix}${random.below(100_000).toString(36)}`);
    },
    compare: (a, b) => Buffer.compare(a as Uint8Array, b as Uint8Array),
  });
}

const bool = kindOf({
  name: 'bool',
  width: 0,
  values: 'bool',
  dictionary: false,
  arbitrary: fc.boolean(),
  random: (random) => random.below(2) === 1,
  compare: lesser as Kind['compare'],
});

const widths = [8, 16, 32, 64];

export const INTS: readonly Kind[] = [
  ...widths.map((bits) => intKind(`i${bits}`, bits, true, 'int')),
  ...widths.map((bits) => intKind(`u${bits}`, bits, false, 'int')),
];
export const FLOATS: readonly Kind[] = [floatKind(4), floatKind(8)];
export const TEXTS: readonly Kind[] = [
  textKind('utf8', 0),
  textKind('dict<i8,utf8>', 1),
  textKind('dict<u8,utf8>', 1),
  textKind('dict<i16,utf8>', 2),
  textKind('dict<i32,utf8>', 4),
  textKind('dict<u32,utf8>', 4),
];
export const TIMES: readonly Kind[] = [
  intKind('date32', 32, true, 'time'),
  intKind('date64', 64, true, 'time'),
  ...['s', 'ms', 'us,UTC', 'ns'].map((unit) => intKind(`timestamp[${unit}]`, 64, true, 'time')),
];
export const KINDS: readonly Kind[] = [...INTS, ...FLOATS, bool, ...TEXTS, ...TIMES];
