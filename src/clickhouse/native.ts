import type { Value } from '../core/read-values.js';
import type { Carrier } from './carrier.js';

/** A column to be sent: values by row, null where there is none. */
export interface Sent {
  readonly name: string;
  readonly carrier: Carrier;
  readonly nullable: boolean;
  readonly read: (row: number) => Value | null;
}

/**
 * A block in the format `Native` of ClickHouse (https://clickhouse.com/docs/interfaces/formats/Native): how many columns and rows, then
 * of each column its name, its type, a byte for each row that is 1 where it is null, and the values.
 * @param rows which rows, in this order
 */
export function nativeBlock(columns: readonly Sent[], rows: readonly number[]): Uint8Array {
  const pieces: Uint8Array[] = [numbers(columns.length, rows.length)];
  for (const { name, carrier, nullable, read } of columns) {
    const type = nullable ? `Nullable(${carrier})` : carrier;
    const values = rows.map(read);
    pieces.push(texts([name, type].map((text) => new TextEncoder().encode(text))));
    if (nullable) pieces.push(nullsOf(values));
    pieces.push(carrier === 'String' ? texts(values) : wordsOf(carrier, values));
  }
  return Buffer.concat(pieces);
}

function nullsOf(values: readonly (Value | null)[]): Uint8Array {
  const nulls = new Uint8Array(values.length);
  for (const [row, value] of values.entries()) if (value === null) nulls[row] = 1;
  return nulls;
}

/** Each text after its length; of no text the empty one. */
function texts(values: readonly (Value | null)[]): Uint8Array {
  let size = 0;
  for (const value of values) {
    const length = lengthOf(value);
    size += length + (length < 128 ? 1 : numbers(length).length);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const value of values) {
    at = putNumber(bytes, at, lengthOf(value));
    if (!(value instanceof Uint8Array)) continue;
    bytes.set(value, at);
    at += value.length;
  }
  return bytes;
}

function lengthOf(value: Value | null): number {
  return value instanceof Uint8Array ? value.length : 0;
}

function numbers(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(8 * values.length);
  let end = 0;
  for (const value of values) end = putNumber(bytes, end, value);
  return bytes.subarray(0, end);
}

/** Seven bits a byte, the lowest first; the highest bit says that another follows. @returns where it ends. */
function putNumber(bytes: Uint8Array, at: number, value: number): number {
  let end = at;
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes[end++] = (rest % 128) | 128;
  bytes[end++] = rest;
  return end;
}

function wordsOf(carrier: Carrier, values: readonly (Value | null)[]): Uint8Array {
  const width = Number(/\d+$/.exec(carrier)?.[0]) / 8;
  const bytes = new Uint8Array(values.length * width);
  const view = new DataView(bytes.buffer);
  for (const [row, value] of values.entries()) {
    const at = row * width;
    if (value === null) continue;
    if (typeof value === 'number') {
      if (width === 8) view.setFloat64(at, value, true);
      else view.setFloat32(at, value, true);
    } else {
      let rest = BigInt(value as bigint | boolean);
      if (width === 1) view.setUint8(at, Number(BigInt.asUintN(8, rest)));
      else if (width === 2) view.setUint16(at, Number(BigInt.asUintN(16, rest)), true);
      else if (width === 4) view.setUint32(at, Number(BigInt.asUintN(32, rest)), true);
      else
        for (let byte = 0; byte < width; byte += 8, rest >>= 64n)
          view.setBigUint64(at + byte, BigInt.asUintN(64, rest), true);
    }
  }
  return bytes;
}
