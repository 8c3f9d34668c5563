import type { Scaled } from '../core/exact.js';
import { integerOf } from './carrier.js';
import { integerAt, type Parts, type Selected } from './parts.js';
import { type Operand, valueIn } from './relation.js';

/**
 * A number is the sum of its limbs: each a whole number below 2^84, times 2^(32 * place), in units of the type (of a float the
 * least double above zero, 2^-1074). So sums of limbs, and of products of two, stay far from the bounds of Int128 and Int256 in any
 * table: 2^40 rows of 2^84, 2^80 of 2^168.
 */
interface Limb {
  /** A number, or SQL where it differs from row to row. */
  readonly place: number | string;
  /** SQL, an Int128. */
  readonly value: string;
}

/** An exact sum, selected in parts. */
export type ExactSum = (group: Selected) => bigint;

/** Selects the exact sum of the values of an operand, over the rows on which `condition` is true. */
export function selectSum(operand: Operand, condition: string, parts: Parts): ExactSum {
  return selectTotal(limbsOf(operand), condition, parts);
}

/** The exact sum of the finite values of floats: numbers of far fewer digits than in units of the least double. */
export function selectFloatSum(
  operand: Operand,
  condition: string,
  parts: Parts,
): (group: Selected) => Scaled {
  const total = selectScaled([floatLimb(valueIn(operand))], condition, parts);
  return (group) => {
    const { n, exponent } = total(group);
    return { n, exponent: exponent - 1074 };
  };
}

/** The exact sum of the products of two operands, in units of both. */
export function selectProducts(x: Operand, y: Operand, condition: string, parts: Parts): ExactSum {
  const products = limbsOf(x).flatMap((a) =>
    limbsOf(y).map((b) => ({
      place: placeSum(a.place, b.place),
      value: `(toInt256(${a.value}) * toInt256(${b.value}))`,
    })),
  );
  return selectTotal(products, condition, parts);
}

function placeSum(a: number | string, b: number | string): number | string {
  return typeof a === 'number' && typeof b === 'number' ? a + b : `toUInt16(${a} + ${b})`;
}

function selectTotal(limbs: readonly Limb[], condition: string, parts: Parts): ExactSum {
  return limbs.every(({ place }) => typeof place === 'number')
    ? selectPlaces(limbs, condition, parts)
    : selectMap(limbs, condition, parts);
}

function selectPlaces(limbs: readonly Limb[], condition: string, parts: Parts): ExactSum {
  const sums = limbs.map(
    ({ place, value }) => [BigInt(place) * 32n, parts.add(`sumIf(${value}, ${condition})`)] as const,
  );
  return (group) => sums.reduce((total, [shift, part]) => total + (integerAt(group, part) << shift), 0n);
}

function selectMap(limbs: readonly Limb[], condition: string, parts: Parts): ExactSum {
  const total = selectScaled(limbs, condition, parts);
  return (group) => {
    const { n, exponent } = total(group);
    return n << BigInt(exponent);
  };
}

/** A sum for each place that a row of the group has, put together above the lowest. */
function selectScaled(limbs: readonly Limb[], condition: string, parts: Parts): (group: Selected) => Scaled {
  const places = limbs.map(({ place }) => place).join(', ');
  const values = limbs.map(({ value }) => value).join(', ');
  const map = `sumMapIf([${places}], [${values}], ${condition})`;
  const [keys, sums] = [parts.add(`tupleElement(${map}, 1)`), parts.add(`tupleElement(${map}, 2)`)];
  return (group) => {
    const totals = group.list(sums);
    const shifts = group.list(keys).map((place) => 32 * Number(place));
    const exponent = shifts.length === 0 ? 0 : Math.min(...shifts);
    const n = shifts.reduce(
      (sum, shift, i) => sum + (integerOf(totals[i] ?? 0n) << BigInt(shift - exponent)),
      0n,
    );
    return { n, exponent };
  };
}

function limbsOf(operand: Operand): Limb[] {
  const { type } = operand;
  const value = valueIn(operand);
  if (type.kind === 'float') return [floatLimb(value)];
  const bits = type.kind === 'decimal' ? type.bits : 64;
  if (bits <= 64) return [{ place: 0, value: `toInt128(${value})` }];
  // Words of 64 bits: the last is signed, as the shift is one of the sign too.
  const words = bits / 64;
  return Array.from({ length: words }, (_, i) => {
    const shifted = `bitShiftRight(${value}, ${64 * i})`;
    const word = i === words - 1 ? shifted : `bitAnd(${shifted}, toInt${bits}('18446744073709551615'))`;
    return { place: 2 * i, value: `toInt128(${word})` };
  });
}

/**
 * A finite double is m * 2^(s - 1074), m below 2^53, where s is the exponent's bits less one, or 0 where they are 0: by how many bits
 * m is shifted within its place, and which place, are s mod 32 and s div 32.
 */
function floatLimb(value: string): Limb {
  const bits = `reinterpretAsUInt64(toFloat64(${value}))`;
  const exponent = `bitAnd(bitShiftRight(${bits}, 52), 2047)`;
  const shift = `(greatest(${exponent}, 1) - 1)`;
  const hidden = `bitShiftLeft(toUInt64(${exponent} > 0), 52)`;
  const magnitude = `toInt128(bitAnd(${bits}, 4503599627370495) + ${hidden})`;
  const sign = `(1 - 2 * toInt8(bitShiftRight(${bits}, 63)))`;
  return {
    place: `toUInt16(intDiv(${shift}, 32))`,
    value: `(bitShiftLeft(${magnitude}, toUInt8(${shift} % 32)) * ${sign})`,
  };
}
