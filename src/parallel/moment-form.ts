import {
  KIND_BIT,
  KIND_I32,
  KIND_U8,
  KIND_U16,
  KIND_U32,
  KIND_U64,
  MOMENT_FLOAT,
  MOMENT_SIGNED,
  MOMENT_UNSIGNED,
} from './kernels/layout.js';
import { isFloat } from './storage.js';

/** How the kernels of moments read values of a kind, 8 bytes each. */
export function formOf(kind: number): number {
  if (isFloat(kind)) return MOMENT_FLOAT;
  return kind === KIND_U64 ? MOMENT_UNSIGNED : MOMENT_SIGNED;
}

/** Whether squares fit a word; products of two such columns fit as well, but those of unsigned 32 bits. */
export function isNarrow(kind: number, paired: boolean): boolean {
  if (kind === KIND_U32) return !paired;
  return kind <= KIND_I32 || kind === KIND_U8 || kind === KIND_U16 || kind === KIND_BIT;
}
