import {
  FIELD_BASE,
  FIELD_FLIP,
  FIELD_MASK,
  FIELD_NUDGE,
  FIELD_NULL_CODE,
  FIELD_NULL_FIRST,
  FIELD_NULL_SETS,
  FIELD_NULL_SHIFT,
  FIELD_NULL_WORD,
  FIELD_NULLS,
  FIELD_SETS,
  FIELD_SHIFT,
  FIELD_SIZE,
  FIELD_SPAN,
  FIELD_WORD,
  NULLS_APART,
  NULLS_CODED,
  NULLS_NONE,
} from './kernels/layout.js';
import type { FieldLayout, Layout } from './layout.js';
import type { KernelMemory } from './memory.js';
import type { KeyProgram } from './program.js';

const NULLS = { none: NULLS_NONE, coded: NULLS_CODED, apart: NULLS_APART };

/** Writes a layout's fields where the kernels read them; returns the address of the first. */
export function writeFields(memory: KernelMemory, keys: readonly KeyProgram[], layout: Layout): number {
  const at = memory.allocateZeroed(FIELD_SIZE * keys.length);
  const view = new DataView(memory.bytes.buffer, at, FIELD_SIZE * keys.length);
  const written = new Set<number>();
  const sets = (word: number): number => {
    const first = !written.has(word);
    written.add(word);
    return first ? 1 : 0;
  };
  layout.fields.forEach((field: FieldLayout, k) => {
    const key = keys[k];
    const o = k * FIELD_SIZE;
    const first = key.nullsFirst;
    view.setBigUint64(o + FIELD_BASE, field.base, true);
    view.setBigUint64(o + FIELD_SPAN, field.span, true);
    view.setBigUint64(o + FIELD_NULL_CODE, first ? 0n : field.span + 1n, true);
    view.setUint32(o + FIELD_NUDGE, field.nulls === 'coded' && first ? 1 : 0, true);
    view.setUint32(o + FIELD_WORD, field.word, true);
    view.setUint32(o + FIELD_SHIFT, field.shift, true);
    view.setBigUint64(o + FIELD_MASK, (1n << BigInt(field.bits)) - 1n, true);
    view.setUint32(o + FIELD_FLIP, key.descending && !key.text ? 1 : 0, true);
    view.setUint32(o + FIELD_NULLS, NULLS[field.nulls], true);
    view.setUint32(o + FIELD_NULL_WORD, field.nullWord, true);
    view.setUint32(o + FIELD_NULL_SHIFT, field.nullShift, true);
    view.setUint32(o + FIELD_NULL_FIRST, first ? 1 : 0, true);
    if (field.nulls === 'apart') view.setUint32(o + FIELD_NULL_SETS, sets(field.nullWord), true);
    view.setUint32(o + FIELD_SETS, sets(field.word), true);
  });
  return at;
}
