// Exact arithmetic on doubles as whole multiples of 2^-1074, the least of them: an oracle that shares no code with
// the engines and rounds nothing.

const view = new DataView(new ArrayBuffer(8));

function bitsOf(x: number): bigint {
  view.setFloat64(0, x);
  return view.getBigUint64(0);
}

function doubleOf(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

/** A finite double in units of 2^-1074. (IEEE 754: exponent 0 holds the subnormal ones, which have no hidden bit.) */
export function unitsOf(x: number): bigint {
  const bits = bitsOf(Math.abs(x));
  const exponent = bits >> 52n;
  const fraction = bits & ((1n << 52n) - 1n);
  const units = exponent === 0n ? fraction : (fraction + (1n << 52n)) << (exponent - 1n);
  return x < 0 ? -units : units;
}

/** Half way between the greatest double and the power of two above it: what is as large or larger rounds to an infinity. */
const TOO_LARGE = unitsOf(Number.MAX_VALUE) + unitsOf(2 ** 970);

const abs = (x: bigint): bigint => (x < 0n ? -x : x);

/**
 * Whether `x` is the double nearest to `units / count`, and of two as near the even one: by its definition, from the
 * distances of `x` and of both its neighbours.
 */
export function isNearest(x: number, units: bigint, count = 1n): boolean {
  if (Number.isNaN(x)) return false;
  if (abs(units) >= TOO_LARGE * count) {
    return x === (units > 0n ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
  }
  if (!Number.isFinite(x)) return false;
  if (units === 0n) return Object.is(x, 0);
  const distance = (y: number): bigint => abs(units - unitsOf(y) * count);
  const own = distance(x);
  const even = bitsOf(x) % 2n === 0n;
  return neighboursOf(x).every((other) => {
    const theirs = distance(other);
    return own < theirs || (own === theirs && even);
  });
}

function neighboursOf(x: number): number[] {
  if (x === 0) return [Number.MIN_VALUE, -Number.MIN_VALUE];
  const bits = bitsOf(x);
  return [doubleOf(bits - 1n), doubleOf(bits + 1n)].filter(Number.isFinite);
}
