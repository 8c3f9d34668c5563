import { KIND_U8, KIND_U64, MOMENT_FLOAT, MOMENT_SIGNED, MOMENT_UNSIGNED } from './kernels/layout.js';
import type { ColumnProgram } from './program.js';
import { isFloat } from './storage.js';

/** How the kernels of moments read a column's values of 8 bytes. */
export function formOf({ storage }: ColumnProgram): number {
  if (storage.shape !== 'number') throw new TypeError('moments of values that have no word');
  if (isFloat(storage.kind)) return MOMENT_FLOAT;
  return storage.kind >= KIND_U8 && storage.kind <= KIND_U64 ? MOMENT_UNSIGNED : MOMENT_SIGNED;
}
