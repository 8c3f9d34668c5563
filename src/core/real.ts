import { exactRatio, type Ratio } from './exact.js';

/** A number of the extended line, as the order of keys has it: NaN is above everything. */
export type Real = Ratio | 'below all' | 'infinite' | 'NaN';

/** A number as the exact real that it is. */
export function realOf(value: number | bigint): Real {
  if (typeof value === 'bigint') return { n: value, d: 1n };
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return exactRatio(value);
  return value > 0 ? 'infinite' : 'below all';
}

/** A decimal number in text, as `-12.50` or `1e-3`; undefined where it is none. */
export function parseDecimal(text: string): Ratio | undefined {
  const match = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, sign, whole, fraction = '', exponent = '0'] = match;
  const digits = BigInt(`${whole}${fraction}`);
  const power = Number(exponent) - fraction.length;
  const n = sign === '-' ? -digits : digits;
  return power >= 0 ? { n: n * 10n ** BigInt(power), d: 1n } : { n, d: 10n ** BigInt(-power) };
}

/** The greatest whole number of `1 / perOne` that is not above a ratio, counted in those parts. */
export function floorTo({ n, d }: Ratio, perOne: Ratio): bigint {
  return floorDivide(n * perOne.n, d * perOne.d);
}

/** a / b towards minus infinity; b above 0. */
export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
