import type { Value } from '../core/read-values.js';
import { type DataType, layoutOf, valueType } from '../core/type.js';

/**
 * The type in which ClickHouse carries the values of one of ours, as whole numbers, floats or bytes. All SQL is over carriers, so
 * that times, decimals and texts need no rules of the server.
 */
export type Carrier =
  | `${'U' | ''}Int${8 | 16 | 32 | 64}`
  | 'Int128'
  | 'Int256'
  | 'Float32'
  | 'Float64'
  | 'String';

export function carrierOf(type: DataType): Carrier {
  const layout = layoutOf(valueType(type));
  switch (layout.form) {
    // Nothing but nulls is in a column of type Null, so that any carrier will do.
    case 'none':
    case 'bits':
      return 'UInt8';
    case 'integer':
      return `${layout.signed ? '' : 'U'}Int${layout.bits}` as Carrier;
    case 'float':
      return layout.bits === 64 ? 'Float64' : 'Float32';
    default:
      return 'String';
  }
}

/** What is read of a carrier as a value of our type. ClickHouse writes integers of 128 bits and more as their bytes. */
export function valueFrom(type: DataType): (carried: Value) => Value {
  switch (layoutOf(type).form) {
    case 'bits':
      return (carried) => Number(carried) === 1;
    case 'integer':
      return integerOf;
    default:
      return (carried) => carried;
  }
}

export function integerOf(carried: Value): bigint {
  return carried instanceof Uint8Array ? wideInteger(carried) : BigInt(carried);
}

/** Two's complement, least significant byte first. */
function wideInteger(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let value = 0n;
  for (let at = bytes.length - 8; at >= 0; at -= 8) value = (value << 64n) | view.getBigUint64(at, true);
  return BigInt.asIntN(bytes.length * 8, value);
}

/** A value as a constant of SQL. It is made of digits only, so nothing of what a value says is read as SQL. */
export function literal(type: DataType, value: Value): string {
  if (typeof value === 'boolean') return value ? 'toUInt8(1)' : 'toUInt8(0)';
  if (typeof value === 'bigint') return `to${carrierOf(type)}('${value}')`;
  return typeof value === 'number' ? floatLiteral(value) : bytesLiteral(value);
}

/** A Float64 by its bits: decimal digits would be read by rules of the server. */
export function floatLiteral(value: number): string {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  return `reinterpretAsFloat64(toUInt64('${bits.getBigUint64(0)}'))`;
}

export function bytesLiteral(bytes: Uint8Array): string {
  return `unhex('${Buffer.from(bytes).toString('hex')}')`;
}

export function integerLiteral(value: bigint): string {
  return `toInt256('${value}')`;
}
