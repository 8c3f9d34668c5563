import { type DataType, layoutOf, typeName, valueType } from '../core/type.js';
import {
  BYTES_FIXED,
  BYTES_OFFSETS,
  BYTES_VIEWS,
  KIND_BIT,
  KIND_F16,
  KIND_F32,
  KIND_F64,
  KIND_I8,
  KIND_I16,
  KIND_I32,
  KIND_I64,
  KIND_U8,
  KIND_U16,
  KIND_U32,
  KIND_U64,
} from './kernels/layout.js';

/** How the values of a type lie in memory, as far as the kernels care. */
export type Storage = NumberStorage | BytesStorage;

/** Numbers of up to 64 bits, and bits: compared as encoded words. A Null column is one of bits that are all null. */
export interface NumberStorage {
  readonly shape: 'number';
  /** KIND_*. */
  readonly kind: number;
  /** Bytes of a value; 0 for bits. */
  readonly width: number;
}

/** Texts, binary values and wide decimals: compared by their bytes, through a text pool. */
export interface BytesStorage {
  readonly shape: 'bytes';
  /** BYTES_*. */
  readonly form: number;
  /** Bytes of an offset, a value or a view. */
  readonly width: number;
  /** The values are numbers of `width` bytes, whose bytes are put in order first. */
  readonly decimal: boolean;
}

const WIDTHS = new Map([
  [KIND_I8, 1],
  [KIND_I16, 2],
  [KIND_I32, 4],
  [KIND_I64, 8],
  [KIND_U8, 1],
  [KIND_U16, 2],
  [KIND_U32, 4],
  [KIND_U64, 8],
  [KIND_F16, 2],
  [KIND_F32, 4],
  [KIND_F64, 8],
  [KIND_BIT, 0],
]);

/** Bytes of a value of a kind; 0 for bits. */
export function widthOf(kind: number): number {
  return WIDTHS.get(kind) ?? 0;
}

const number = (kind: number): NumberStorage => ({ shape: 'number', kind, width: widthOf(kind) });
const bytes = (form: number, width: number, decimal = false): BytesStorage => ({
  shape: 'bytes',
  form,
  width,
  decimal,
});

/** The kind of an integer type. */
export function integerKind(bits: number, signed: boolean): number {
  const power = Math.log2(bits) - 3;
  return signed ? KIND_I8 + power : KIND_U8 + power;
}

/** The storage of a type's values; of a dictionary type, that of its entries. */
export function storageOf(type: DataType): Storage {
  const layout = layoutOf(valueType(type));
  switch (layout.form) {
    case 'none':
    case 'bits':
      return number(KIND_BIT);
    case 'integer':
      return layout.bits <= 64
        ? number(integerKind(layout.bits, layout.signed))
        : bytes(BYTES_FIXED, layout.bits / 8, true);
    case 'float':
      return number(layout.bits === 16 ? KIND_F16 : layout.bits === 32 ? KIND_F32 : KIND_F64);
    case 'bytes':
      return bytes(BYTES_FIXED, layout.width);
    case 'offsets':
      return bytes(BYTES_OFFSETS, layout.width);
    case 'views':
      return bytes(BYTES_VIEWS, 16);
    case 'codes':
    case 'nested':
      throw new TypeError(`type: got ${typeName(type)}, wanted one that the kernels hold`);
  }
}

/** The least and the greatest encoded word of a kind. */
export function wordsOfKind(kind: number): [bigint, bigint] {
  const middle = 1n << 63n;
  if (kind === KIND_BIT) return [0n, 1n];
  if (kind <= KIND_I64) {
    const half = 1n << BigInt(8 * widthOf(kind) - 1);
    return [middle - half, middle + half - 1n];
  }
  if (kind <= KIND_U64) return [0n, (1n << BigInt(8 * widthOf(kind))) - 1n];
  return [0n, (1n << 64n) - 1n];
}

/** What is added to an integer of a kind to get its encoded word. */
export function signOf(kind: number): bigint {
  return kind <= KIND_I64 ? 1n << 63n : 0n;
}

/** Whether values are integers of at most 64 bits. */
export function isInteger(storage: Storage): storage is NumberStorage {
  return storage.shape === 'number' && storage.kind <= KIND_U64;
}

export function isFloat(kind: number): boolean {
  return kind === KIND_F16 || kind === KIND_F32 || kind === KIND_F64;
}

/** The encoded word that decodes to 0, which stands under a null. */
export function zeroWord(kind: number): bigint {
  return kind <= KIND_I64 || isFloat(kind) ? 1n << 63n : 0n;
}
