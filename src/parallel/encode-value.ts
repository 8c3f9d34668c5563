import type { Value } from '../core/read-values.js';
import { KIND_I64 } from './kernels/layout.js';

const scratch = new DataView(new ArrayBuffer(8));
const SIGN = 1n << 63n;

/** The encoded word of one value of a kind, as the kernels encode it (see load.ts among them). */
export function encodeValue(kind: number, value: Value): bigint {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'bigint') return kind <= KIND_I64 ? value + SIGN : value;
  if (typeof value !== 'number') throw new TypeError('no number');
  if (Number.isNaN(value)) return 0xfff8_0000_0000_0000n;
  scratch.setFloat64(0, value + 0);
  const bits = scratch.getBigUint64(0);
  return bits >= SIGN ? bits ^ ((1n << 64n) - 1n) : bits | SIGN;
}

/** A number of `width` bytes as bytes that sort as it does: big-endian, the sign bit flipped. */
export function encodeWide(value: bigint, width: number): Uint8Array {
  const moved = BigInt.asUintN(8 * width, value + (1n << BigInt(8 * width - 1)));
  const bytes = new Uint8Array(width);
  for (let i = 0; i < width; i++) bytes[i] = Number((moved >> BigInt(8 * (width - 1 - i))) & 0xffn);
  return bytes;
}
