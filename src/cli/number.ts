import { type DataType, valueType } from '../core/type.js';

/**
 * A number as it is given to a column: of decimals the digits as they stand, of others a number, or a bigint where a number
 * would lose digits of a whole one.
 */
export function numberOf(digits: string, type: DataType | undefined): number | bigint | string {
  if (type !== undefined && valueType(type).kind === 'decimal') return digits;
  if (/^[+-]?\d+$/.test(digits)) {
    const whole = BigInt(digits.replace('+', ''));
    return BigInt.asIntN(54, whole) === whole ? Number(whole) : whole;
  }
  if (/infinity$/i.test(digits))
    return digits.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(digits);
}

export function isNumber(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
}
