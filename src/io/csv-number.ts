/*
 * Numbers from ASCII bytes. Most are short, and read without making a string; the rest go through a string and are
 * as exact as BigInt and Number make them.
 */

const zero = 48;
const minus = 45;
const plus = 43;
const point = 46;

/** Up to 15 digits a double holds every integer. */
const exactDigits = 15;

/**
 * An integer; undefined where the text is none. Where `strict`, text that another writing of the same number would
 * not give back is none: leading zeros, a plus, the zero with a minus.
 */
export function integerAt(
  bytes: Uint8Array,
  start: number,
  end: number,
  strict: boolean,
): number | bigint | undefined {
  const sign = bytes[start];
  const from = sign === minus || sign === plus ? start + 1 : start;
  if (from >= end) return undefined;
  if (strict && (sign === plus || (bytes[from] === zero && (end - from > 1 || sign === minus))))
    return undefined;
  let value = 0;
  for (let at = from; at < end; at++) {
    const digit = bytes[at] - zero;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  if (end - from > exactDigits) return BigInt(textAt(bytes, sign === plus ? from : start, end));
  // No -0: it is no integer.
  return sign === minus ? 0 - value : value;
}

/** 10^22 is the greatest power of ten that a double holds exactly. */
const powers = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

const decimalForm = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const specialForm = /^[+-]?(?:inf|infinity|nan)$/i;

/**
 * The double nearest to a number as decimal text, or NaN or an infinity by name; undefined where the text is no such
 * number or too great for a double. Where `strict`, also for leading zeros, a plus, and integers beyond 2^53.
 */
export function floatAt(bytes: Uint8Array, start: number, end: number, strict: boolean): number | undefined {
  const sign = bytes[start];
  const from = sign === minus || sign === plus ? start + 1 : start;
  if (strict && (sign === plus || (bytes[from] === zero && isDigit(bytes[from + 1]) && from + 1 < end))) {
    return undefined;
  }
  let mantissa = 0;
  let fraction = -1;
  let at = from;
  for (; at < end; at++) {
    const byte = bytes[at];
    if (isDigit(byte)) {
      mantissa = mantissa * 10 + (byte - zero);
      if (fraction >= 0) fraction += 1;
    } else if (byte === point && fraction === -1) fraction = 0;
    else break;
  }
  const digits = end - from - (fraction === -1 ? 0 : 1);
  if (at < end || digits < 1 || digits > exactDigits) return longFloat(textAt(bytes, start, end), strict);
  // Both are exact, so the quotient is rounded once: this is the nearest double.
  const value = fraction > 0 ? mantissa / powers[fraction] : mantissa;
  return sign === minus ? -value : value;
}

function longFloat(text: string, strict: boolean): number | undefined {
  if (decimalForm.test(text)) {
    const value = Number(text);
    if (!Number.isFinite(value)) return undefined;
    return strict && /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(value) ? undefined : value;
  }
  if (!specialForm.test(text)) return undefined;
  if (/nan$/i.test(text)) return Number.NaN;
  return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= zero + 9;
}

/** Only called where all bytes are ASCII, or for text that is then found to be no number. */
function textAt(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
