/** The value of an IEEE 754 binary16 from its bits. */
export function fromFloat16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** The bits of a value that a binary16 holds without rounding; every NaN is 0x7e00. */
export function toFloat16(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude === Number.POSITIVE_INFINITY) return sign | 0x7c00;
  // Below 2^-14 a value counts steps of 2^-24, and the exponent field is 0.
  if (magnitude < 2 ** -14) return sign | (magnitude * 2 ** 24);
  const [bits] = new Uint32Array(Float32Array.of(magnitude).buffer);
  // A binary32 has 13 more bits of fraction, all of them 0 here, and 112 more of exponent bias.
  return sign | ((bits >>> 13) - (112 << 10));
}

/** The float of `bits` bits nearest to a double, ties to even; beyond the range an infinity. */
export function roundFloat(bits: 16 | 32 | 64, x: number): number {
  if (bits === 64) return x;
  const single = Math.fround(x);
  if (bits === 32 || x === 0 || !Number.isFinite(x)) return single;
  const magnitude = Math.abs(x);
  const exponent = Math.max(-14, exponentOf(magnitude));
  const step = 2 ** (exponent - 10);
  // Adding and taking away 2^52 rounds a number below it to a whole one, ties to even.
  const rounded = (magnitude / step + 2 ** 52 - 2 ** 52) * step;
  return Math.sign(x) * (rounded > 65_504 ? Number.POSITIVE_INFINITY : rounded);
}

/** The whole e with 2^e <= x < 2^(e + 1), of a normal double above 0; below all of them -1023. */
function exponentOf(x: number): number {
  const [, high] = new Uint32Array(Float64Array.of(x).buffer);
  return (high >>> 20) - 1023;
}
