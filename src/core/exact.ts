/**
 * Exact arithmetic on integers of any size, rounded once at the end. Plain rather than fast: this is the definition
 * that quicker ways are held against, and what they call in rare cases.
 */

/** An exact real number: `n` times 2 to the `exponent`. */
export interface Scaled {
  readonly n: bigint;
  readonly exponent: number;
}

/** An exact rational number: `n / d`, d above 0. */
export interface Ratio {
  readonly n: bigint;
  readonly d: bigint;
}

/** Every finite double is a whole multiple of 2^-1074, the least one above zero. */
const LEAST = -1074;
const FRACTION_BITS = 52;
const LARGEST_EXPONENT = 1023;

const scratch = new DataView(new ArrayBuffer(8));

/** A finite double as a whole multiple of 2^-1074. */
export function unitsOf(x: number): bigint {
  scratch.setFloat64(0, x);
  const bits = scratch.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = biased === 0 ? fraction : (fraction | 0x10000000000000n) << BigInt(biased - 1);
  return bits >> 63n === 1n ? -magnitude : magnitude;
}

/** A finite double as the ratio that it is. */
export function exactRatio(x: number): Ratio {
  return Number.isInteger(x) ? { n: BigInt(x), d: 1n } : { n: unitsOf(x), d: 1n << BigInt(-LEAST) };
}

/** Adds doubles without error, in any order. NaN and infinities are remembered, not added. */
export class ExactSum {
  #units = 0n;
  #nan = false;
  #plusInfinity = false;
  #minusInfinity = false;

  add(x: number): void {
    if (Number.isNaN(x)) this.#nan = true;
    else if (x === Number.POSITIVE_INFINITY) this.#plusInfinity = true;
    else if (x === Number.NEGATIVE_INFINITY) this.#minusInfinity = true;
    else this.#units += unitsOf(x);
  }

  /** Adds a whole multiple of 2^-1074. */
  addScaled({ n, exponent }: Scaled): void {
    if (exponent !== LEAST) throw new RangeError(`exponent: got ${exponent}, wanted ${LEAST}`);
    this.#units += n;
  }

  /** The sum rounded once: NaN if any was NaN or both infinities came, else the infinity; exact zero is +0. */
  sum(): number {
    return this.#special() ?? roundScaled(this.#units, LEAST);
  }

  /** The sum divided by `count` (above 0), rounded once. */
  mean(count: bigint): number {
    return this.#special() ?? meanOf({ n: this.#units, exponent: LEAST }, count);
  }

  #special(): number | undefined {
    if (this.#nan || (this.#plusInfinity && this.#minusInfinity)) return Number.NaN;
    if (this.#plusInfinity) return Number.POSITIVE_INFINITY;
    return this.#minusInfinity ? Number.NEGATIVE_INFINITY : undefined;
  }
}

/** `n` times 2^`exponent`, rounded to the nearest double, ties to even; beyond the range an infinity. Zero is +0. */
export function roundScaled(n: bigint, exponent: number): number {
  return exponent >= 0 ? roundQuotient(n << BigInt(exponent), 1n) : roundQuotient(n, 1n << BigInt(-exponent));
}

/** The exact quotient of an exact sum and a count (above 0), rounded as {@link roundScaled}. */
export function meanOf({ n, exponent }: Scaled, count: bigint): number {
  return exponent >= 0
    ? roundQuotient(n << BigInt(exponent), count)
    : roundQuotient(n, count << BigInt(-exponent));
}

/**
 * `numerator / denominator` rounded to the nearest double, ties to even; beyond the range an infinity. The exact
 * zero is +0; a negative quotient too small for any double is -0.
 * @param denominator above 0.
 */
export function roundQuotient(numerator: bigint, denominator: bigint): number {
  if (denominator <= 0n) throw new RangeError(`denominator: got ${denominator}, wanted one above 0`);
  if (numerator === 0n) return 0;
  const n = numerator < 0n ? -numerator : numerator;
  const sign = numerator < 0n ? -1 : 1;
  const exponent = floorLog2(n, denominator);
  if (exponent > LARGEST_EXPONENT) return sign * Number.POSITIVE_INFINITY;
  // The spacing of doubles at this magnitude; it grows no finer below the normal ones.
  const unit = Math.max(exponent - FRACTION_BITS, LEAST);
  const [top, bottom] = unit >= 0 ? [n, denominator << BigInt(unit)] : [n << BigInt(-unit), denominator];
  let quotient = top / bottom;
  const twice = 2n * (top % bottom);
  if (twice > bottom || (twice === bottom && quotient % 2n === 1n)) quotient += 1n;
  // At most 2^53 units, so both factors are exact, and their product is a double or beyond the range.
  return sign * Number(quotient) * powerOfTwo(unit);
}

/**
 * The square root of `numerator / denominator` rounded to the nearest double, ties to even.
 * @param numerator not below 0.
 * @param denominator above 0.
 */
export function roundSquareRoot(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0;
  // The root in steps of 2^-shift has more than 60 bits, so every double and every middle between two is a whole number
  // of steps; where something is left over, half a step stands for it and rounds to the same side.
  const shift = 64 - (floorLog2(numerator, denominator) >> 1);
  const [n, d] =
    shift >= 0
      ? [numerator << BigInt(2 * shift), denominator]
      : [numerator, denominator << BigInt(-2 * shift)];
  const root = integerRoot(n / d);
  const halves = root * root * d === n ? 2n * root : 2n * root + 1n;
  return roundScaled(halves, -shift - 1);
}

/** The whole part of the square root, by Newton's method from above. */
function integerRoot(n: bigint): bigint {
  let root = 1n << BigInt((bitLength(n) >> 1) + 1);
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** The whole e with 2^e <= n / d < 2^(e + 1). */
function floorLog2(n: bigint, d: bigint): number {
  const guess = bitLength(n) - bitLength(d);
  const reaches = guess >= 0 ? n >= d << BigInt(guess) : n << BigInt(-guess) >= d;
  return reaches ? guess : guess - 1;
}

function bitLength(n: bigint): number {
  const hex = n.toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex[0], 16)) + 28;
}

/** 2^e for e from -1074 to 1023, put together from its bits: exact by construction. */
function powerOfTwo(e: number): number {
  scratch.setBigUint64(0, e >= -1022 ? BigInt(e + 1023) << 52n : 1n << BigInt(e - LEAST));
  return scratch.getFloat64(0);
}
