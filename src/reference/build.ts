import { byteWidth } from '../core/byte-width.js';
import type { Column } from '../core/column.js';
import type { Value } from '../core/read-values.js';
import { type DataType, typeName } from '../core/type.js';

/** A column of these values in new memory: zero under a null, no validity where nothing is null, one form of NaN. */
export function build(type: DataType, values: readonly (Value | null)[]): Column {
  const nulls = values.filter((value) => value === null).length;
  return {
    type,
    length: values.length,
    nulls,
    bitOffset: 0,
    ...(nulls > 0 ? { validity: pack(values.map((value) => value !== null)) } : {}),
    ...content(type, values),
  };
}

function content(type: DataType, values: readonly (Value | null)[]): Pick<Column, 'values' | 'offsets'> {
  switch (type.kind) {
    case 'bool':
      return { values: pack(values.map((value) => value === true)) };
    case 'utf8':
      return spans(values.map((value) => (value === null ? new Uint8Array(0) : (value as Uint8Array))));
    default:
      return { values: slots(type, values) };
  }
}

function pack(bits: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array((bits.length + 7) >> 3);
  for (const [i, bit] of bits.entries()) {
    if (bit) bytes[i >> 3] |= 1 << (i & 7);
  }
  return bytes;
}

function spans(parts: readonly Uint8Array[]): Pick<Column, 'values' | 'offsets'> {
  const offsets = new DataView(new ArrayBuffer((parts.length + 1) * 4));
  let end = 0;
  for (const [i, part] of parts.entries()) {
    end += part.length;
    if (end > 0x7fffffff)
      throw new RangeError('more than 2147483647 bytes of text in one column of the answer');
    offsets.setInt32((i + 1) * 4, end, true);
  }
  return { offsets: new Uint8Array(offsets.buffer), values: Buffer.concat(parts) };
}

function slots(type: DataType, values: readonly (Value | null)[]): Uint8Array {
  const width = byteWidth(type) ?? 0;
  const view = new DataView(new ArrayBuffer(values.length * width));
  for (const [i, value] of values.entries()) {
    const at = i * width;
    if (typeof value === 'number') putFloat(view, at, width, value);
    else if (typeof value === 'bigint') putInteger(view, at, width, value);
    else if (value !== null) throw new TypeError(`no column of ${typeName(type)} can hold ${typeof value}`);
  }
  return new Uint8Array(view.buffer);
}

// JavaScript leaves it open which bits a NaN gets when it is stored, so they are written as an integer.
function putFloat(view: DataView, at: number, width: number, value: number): void {
  if (Number.isNaN(value)) putInteger(view, at, width, width === 8 ? 0x7ff8000000000000n : 0x7fc00000n);
  else if (width === 8) view.setFloat64(at, value, true);
  else view.setFloat32(at, value, true);
}

function putInteger(view: DataView, at: number, width: number, value: bigint): void {
  if (width === 8) view.setBigUint64(at, BigInt.asUintN(64, value), true);
  else if (width === 4) view.setUint32(at, Number(BigInt.asUintN(32, value)), true);
  else if (width === 2) view.setUint16(at, Number(BigInt.asUintN(16, value)), true);
  else view.setUint8(at, Number(BigInt.asUintN(8, value)));
}
