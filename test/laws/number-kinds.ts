import * as fc from 'fast-check';
import { floatBits } from '../support/cell.js';
import type { Random } from '../support/random.js';
import { type Kind, kindOf, lesser } from './kind.js';

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

export function intKind(name: string, bits: number, signed: boolean, values: Kind['values'] = 'int'): Kind {
  const least = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const most = least + (1n << BigInt(bits)) - 1n;
  return kindOf({
    name,
    width: bits / 8,
    values,
    storage: 'words',
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

export function floatKind(width: 4 | 8): Kind {
  const bits = (x: number): bigint => bitsOfFloat(x, width);
  const top = (1n << BigInt(8 * width)) - 1n;
  return kindOf({
    name: width === 8 ? 'f64' : 'f32',
    width,
    values: 'float',
    storage: 'words',
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

/** The value of a binary16. (IEEE 754, 5 bits of exponent, 10 of fraction) */
export function halfOfBits(bits: bigint): number {
  const exponent = Number((bits >> 10n) & 0x1fn);
  const fraction = Number(bits & 0x3ffn);
  const sign = bits >> 15n === 1n ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** Eighths up to 250 are Float16 values. */
const eighth = (n: number): bigint => floatBits(n / 8, 2);

export const half: Kind = kindOf({
  name: 'f16',
  width: 2,
  values: 'float',
  storage: 'words',
  arbitrary: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: -99, max: 99 }).map(eighth) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(0n, 0x8000n, 0x7e00n, 0x7c00n, 0xfc00n, 0x0001n, 0x8001n, 0x7bffn),
    },
    { weight: 2, arbitrary: fc.bigInt(0n, 0xffffn) },
  ),
  random: (random) => (random.below(8) === 0 ? random.wide() & 0xffffn : eighth(random.below(4001) - 2000)),
  compare: (a, b) => compareFloats(halfOfBits(a as bigint), halfOfBits(b as bigint)),
});

/** Unscaled integers of up to `digits` digits. */
export function decimalKind(bits: number, digits: number, scale: number): Kind {
  const most = 10n ** BigInt(digits) - 1n;
  const anyOf = (random: Random): bigint => {
    const wide = Array.from({ length: bits / 64 + 1 }, () => random.wide()).reduce(
      (a, b) => (a << 64n) | b,
      0n,
    );
    const magnitude = wide % (random.below(2) === 0 ? most + 1n : 10_000n);
    return random.below(2) === 0 ? magnitude : -magnitude;
  };
  return kindOf({
    name: `decimal${bits}(${digits},${scale})`,
    width: bits / 8,
    values: 'decimal',
    storage: 'words',
    arbitrary: integers(-most, most),
    random: anyOf,
    compare: lesser as Kind['compare'],
  });
}

export const bool: Kind = kindOf({
  name: 'bool',
  width: 0,
  values: 'bool',
  storage: 'bits',
  arbitrary: fc.boolean(),
  random: (random) => random.below(2) === 1,
  compare: lesser as Kind['compare'],
});

/** Its rows are null, whatever the values. */
export const none: Kind = kindOf({
  name: 'null',
  width: 0,
  values: 'other',
  storage: 'none',
  arbitrary: fc.constant(false),
  random: () => false,
  compare: () => 0,
});
