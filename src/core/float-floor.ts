import { exactRatio, type Ratio, roundQuotient } from './exact.js';

/** The greatest float of `bits` bits that is not above a finite real: -Infinity where every finite one is. */
export function floatFloor(bits: 16 | 32 | 64, real: Ratio): number {
  // Floats of fewer bits are doubles too, so the floor among doubles loses nothing.
  const nearest = roundQuotient(real.n, real.d);
  const double = isAbove(nearest, real) ? below(nearest) : nearest;
  if (bits === 64) return double;
  if (bits === 32) {
    const single = Math.fround(double);
    return single > double ? belowSingle(single) : single;
  }
  return halfFloor(double);
}

function isAbove(x: number, { n, d }: Ratio): boolean {
  if (!Number.isFinite(x)) return x > 0;
  const exact = exactRatio(x);
  return exact.n * d > n * exact.d;
}

const scratch = new DataView(new ArrayBuffer(8));

/** The next double below one that is not -Infinity: its bits count up from 0 with its magnitude. */
function below(x: number): number {
  if (x === 0) return -Number.MIN_VALUE;
  scratch.setFloat64(0, x);
  scratch.setBigInt64(0, scratch.getBigInt64(0) + (x > 0 ? -1n : 1n));
  return scratch.getFloat64(0);
}

function belowSingle(x: number): number {
  if (x === 0) return -(2 ** -149);
  scratch.setFloat32(0, x);
  scratch.setInt32(0, scratch.getInt32(0) + (x > 0 ? -1 : 1));
  return scratch.getFloat32(0);
}

const HALF_MAX = 65_504;

/** Half floats count steps of 2^-24 below 2^-14, and have 11 significant bits above. */
function halfFloor(x: number): number {
  if (x < -HALF_MAX) return Number.NEGATIVE_INFINITY;
  if (x >= HALF_MAX) return x === Number.POSITIVE_INFINITY ? x : HALF_MAX;
  scratch.setFloat64(0, x);
  const exponent = ((scratch.getUint16(0) >> 4) & 0x7ff) - 1023;
  const step = 2 ** (Math.max(exponent, -14) - 10);
  return Math.floor(x / step) * step;
}
