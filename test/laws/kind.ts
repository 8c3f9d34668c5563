import * as fc from 'fast-check';
import type { Random } from '../support/random.js';
import { bytesOf, manyTexts, texts } from './texts.js';

/** A value before it is written: whole numbers of any width, bits of a float, bytes. */
export type Raw = bigint | boolean | Uint8Array;

/** A type of column, with the values that are worth trying. */
export interface Kind {
  /** As in test/support/type-notation.ts. */
  readonly name: string;
  /** How values lie: numbers of a width, bits, bytes of any length or of a fixed one, nothing at all. */
  readonly form: 'words' | 'bits' | 'bytes' | 'fixed' | 'null';
  /** Bytes of a value; of a dictionary, of its codes. 0 where it has none. */
  readonly width: number;
  /** Which aggregates beside count, min and max there are. */
  readonly sums: 'sum and mean' | 'sum' | 'none';
  /** Of a dictionary, the kind of its entries. */
  readonly entry?: Kind;
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
const compareWords = lesser as Kind['compare'];

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

function wordKind(name: string, width: number, sums: Kind['sums'], least: bigint, most: bigint): Kind {
  return kindOf({
    name,
    form: 'words',
    width,
    sums,
    arbitrary: integers(least, most),
    random: (random) => {
      const wide = (random.wide() << 192n) | (random.wide() << 128n) | (random.wide() << 64n) | random.wide();
      // Half of them near each other, so that a counting table or one word may hold them for a while.
      const near = (random.bits() & 1) === 0 || most <= 0xffffn;
      return near ? (wide & 0xffffn) % (most + 1n) : least + (wide % (most - least + 1n));
    },
    compare: compareWords,
  });
}

function intKind(name: string, bits: number, signed: boolean, sums: Kind['sums']): Kind {
  const least = signed ? -(1n << BigInt(bits - 1)) : 0n;
  return wordKind(name, bits / 8, sums, least, least + (1n << BigInt(bits)) - 1n);
}

function decimalKind(bits: number, precision: number, scale: number): Kind {
  const most = 10n ** BigInt(precision) - 1n;
  return wordKind(`decimal${bits}(${precision},${scale})`, bits / 8, 'sum and mean', -most, most);
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

/** The number that some bits are, by the widths of IEEE 754. */
export function floatOfBits(bits: bigint, width: number): number {
  if (width === 8) {
    scratch.setBigUint64(0, bits);
    return scratch.getFloat64(0);
  }
  if (width === 4) {
    scratch.setUint32(0, Number(bits));
    return scratch.getFloat32(0);
  }
  const [exponent, fraction] = [Number(bits >> 10n) & 31, Number(bits) & 1023];
  const sign = bits >> 15n === 1n ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

export function bitsOfFloat(x: number, width: 4 | 8): bigint {
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

function floatKind(name: string, width: 2 | 4 | 8): Kind {
  const top = (1n << BigInt(8 * width)) - 1n;
  // any pattern: NaNs of every kind, subnormals, all exponents
  const patterns = fc.bigInt(0n, top);
  const chosen = (from: 4 | 8): fc.Arbitrary<bigint> =>
    fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: -99, max: 99 }).map((x) => bitsOfFloat(x / 10, from)) },
      { weight: 2, arbitrary: fc.constantFrom(...SPECIAL).map((x) => bitsOfFloat(x, from)) },
      { weight: 2, arbitrary: fc.double({ noNaN: true }).map((x) => bitsOfFloat(x, from)) },
      { weight: 2, arbitrary: patterns },
      { weight: 1, arbitrary: fc.integer({ min: -1070, max: 1020 }).map((e) => bitsOfFloat(2 ** e, from)) },
    );
  return kindOf({
    name,
    form: 'words',
    width,
    sums: 'sum and mean',
    arbitrary:
      width === 2 ? fc.oneof(patterns, fc.constantFrom(0n, 0x8000n, 0x7c00n, 0xfc00n, 1n)) : chosen(width),
    random: (random) => {
      const choice = random.below(8);
      if (choice === 0 || width === 2) return random.wide() & top;
      return bitsOfFloat((random.below(2_000_001) - 1_000_000) / (choice < 4 ? 1 : 1000), width);
    },
    compare: (a, b) => compareFloats(floatOfBits(a as bigint, width), floatOfBits(b as bigint, width)),
  });
}

const compareBytes = (a: Raw, b: Raw): number => Buffer.compare(a as Uint8Array, b as Uint8Array);

function bytesKind(name: string): Kind {
  return kindOf({
    name,
    form: 'bytes',
    width: 0,
    sums: 'none',
    arbitrary: texts,
    random: manyTexts,
    compare: compareBytes,
  });
}

function fixedKind(width: number): Kind {
  return kindOf({
    name: `fixed(${width})`,
    form: 'fixed',
    width,
    sums: 'none',
    arbitrary: fc
      .array(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), { minLength: width, maxLength: width, size: 'max' })
      .map((bytes) => Uint8Array.from(bytes)),
    random: (random) => bytesOf(random.below(1e6).toString(36).padStart(width, '0')).subarray(-width),
    compare: compareBytes,
  });
}

const bool = kindOf({
  name: 'bool',
  form: 'bits',
  width: 0,
  sums: 'sum and mean',
  arbitrary: fc.boolean(),
  random: (random) => random.below(2) === 1,
  compare: compareWords,
});

/** A column without a value; what its recipes hold is not written. */
const none = kindOf({ ...bool, name: 'null', form: 'null', sums: 'none' });

function dictionaryKind(codes: string, width: number, entry: Kind): Kind {
  return kindOf({ ...entry, name: `dict<${codes},${entry.name}>`, width, entry });
}

const widths = [8, 16, 32, 64];

export const INTS: readonly Kind[] = [
  ...widths.map((bits) => intKind(`i${bits}`, bits, true, 'sum and mean')),
  ...widths.map((bits) => intKind(`u${bits}`, bits, false, 'sum and mean')),
];
export const DECIMALS: readonly Kind[] = [
  decimalKind(32, 9, 2),
  decimalKind(64, 18, 0),
  decimalKind(128, 38, 4),
  decimalKind(256, 76, 10),
];
const [half, single, double] = [floatKind('f16', 2), floatKind('f32', 4), floatKind('f64', 8)];
const utf8 = bytesKind('utf8');
const views = bytesKind('utf8_view');

export const TEXTS: readonly Kind[] = [
  utf8,
  ...['large_utf8', 'binary', 'large_binary', 'binary_view'].map(bytesKind),
  views,
  fixedKind(3),
  fixedKind(16),
  dictionaryKind('i8', 1, utf8),
  dictionaryKind('u8', 1, utf8),
  dictionaryKind('i16', 2, views),
  dictionaryKind('i32', 4, utf8),
  dictionaryKind('u64', 8, bytesKind('binary')),
];
export const TIMES: readonly Kind[] = [
  intKind('date32', 32, true, 'none'),
  intKind('date64', 64, true, 'none'),
  ...['time32[s]', 'time32[ms]'].map((name) => intKind(name, 32, true, 'none')),
  ...['time64[us]', 'time64[ns]'].map((name) => intKind(name, 64, true, 'none')),
  ...['s', 'ms', 'us,UTC', 'ns'].map((unit) => intKind(`timestamp[${unit}]`, 64, true, 'none')),
  ...['s', 'ns'].map((unit) => intKind(`duration[${unit}]`, 64, true, 'sum')),
  intKind('interval', 32, true, 'none'),
];
const DICTIONARIES: readonly Kind[] = [
  dictionaryKind('i32', 4, INTS[1]),
  dictionaryKind('i64', 8, double),
  dictionaryKind('u16', 2, DECIMALS[2]),
  dictionaryKind('i16', 2, bool),
  dictionaryKind('u8', 1, TIMES[0]),
];
export const KINDS: readonly Kind[] = [
  ...INTS,
  half,
  single,
  double,
  // twice, since they are asked for the most
  double,
  utf8,
  bool,
  ...DECIMALS,
  ...TEXTS,
  ...TIMES,
  ...DICTIONARIES,
  none,
];
