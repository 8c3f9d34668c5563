/**
 * A cell as JSON has it: wide integers and decimals as text, as are the special floats ("NaN", "-0", "Inf", "-Inf");
 * `0x...` is bytes, in a float column its bits, most significant first.
 */
export type Cell = null | boolean | number | string;

/** A cell of an answer, which may be a list. */
export type AnswerCell = Cell | readonly Cell[];

const FLOATS: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  '-0': -0,
  Inf: Number.POSITIVE_INFINITY,
  '-Inf': Number.NEGATIVE_INFINITY,
};

/** The number that a cell of a float column stands for, where it is not given by its bits. */
export function floatOf(cell: Cell): number {
  return typeof cell === 'string' && Object.hasOwn(FLOATS, cell) ? FLOATS[cell] : Number(cell);
}

/** The bytes of a cell of text or binary. */
export function bytesOf(cell: Cell): Uint8Array {
  const text = String(cell);
  return text.startsWith('0x') ? Buffer.from(text.slice(2), 'hex') : new TextEncoder().encode(text);
}

/** The bits of a float of `width` bytes, as a number that is not negative. */
export function floatBits(cell: Cell, width: 2 | 4 | 8): bigint {
  if (typeof cell === 'string' && cell.startsWith('0x')) return BigInt(cell);
  const value = floatOf(cell);
  const view = new DataView(new ArrayBuffer(8));
  if (width === 8) {
    view.setFloat64(0, value);
    return Number.isNaN(value) ? 0x7ff8000000000000n : view.getBigUint64(0);
  }
  view.setFloat32(0, value);
  const single = Number.isNaN(value) ? 0x7fc00000 : view.getUint32(0);
  return BigInt(width === 4 ? single : halfBits(single));
}

/** The binary16 of the value whose binary32 is given; only values that both have. */
function halfBits(single: number): number {
  const sign = (single >>> 31) << 15;
  const exponent = (single >>> 23) & 0xff;
  const fraction = single & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (fraction === 0 ? 0 : 0x200);
  if (exponent >= 113 && exponent <= 142 && (fraction & 0x1fff) === 0) {
    return sign | ((exponent - 112) << 10) | (fraction >> 13);
  }
  if (exponent === 0 && fraction === 0) return sign;
  // Below 2^-14 the leading 1 is written out, and the point moves left.
  const shift = 126 - exponent;
  const whole = 0x800000 | fraction;
  if (exponent > 112 || shift > 24 || whole % 2 ** shift !== 0)
    throw new Error(`no Float16 has the bits ${single}`);
  return sign | (whole >> shift);
}

/** The unscaled integer of a decimal that is written with exactly `scale` decimal places. */
export function unscaledOf(cell: Cell, scale: number): bigint {
  const [, sign, whole, places = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(cell)) ?? [];
  if (whole === undefined || places.length !== Math.max(0, scale)) {
    throw new Error(`${cell} is not written with ${scale} decimal places`);
  }
  const digits = BigInt(sign + whole + places);
  const zeros = 10n ** BigInt(Math.max(0, -scale));
  if (digits % zeros !== 0n) throw new Error(`${cell} is no multiple of ${zeros}`);
  return digits / zeros;
}
