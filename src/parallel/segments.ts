import {
  SEGMENT_FLIP,
  SEGMENT_MASK,
  SEGMENT_NULL_FIRST,
  SEGMENT_POOL,
  SEGMENT_SHIFT,
  SEGMENT_SIZE,
  SEGMENT_TEXT,
  SEGMENT_WORD,
} from './kernels/layout.js';
import type { Layout } from './layout.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';

/** A step of comparing two groups; see compare.ts among the kernels. */
export interface Segment {
  readonly text: boolean;
  readonly word: number;
  readonly shift: number;
  readonly bits: number;
  readonly pool: number;
  readonly flip: boolean;
  readonly nullsFirst: boolean;
}

/** The steps by which the groups of a layout are compared: neighbouring keys of one word in one step, a text by itself. Pure. */
export function segmentsOf(program: Program, layout: Layout): Segment[] {
  const segments: Segment[] = [];
  const addBits = (word: number, shift: number, bits: number): void => {
    const last = segments.at(-1);
    if (last !== undefined && !last.text && last.word === word && last.shift === shift + bits) {
      segments[segments.length - 1] = { ...last, shift, bits: last.bits + bits };
    } else {
      segments.push({ text: false, word, shift, bits, pool: 0, flip: false, nullsFirst: false });
    }
  };
  program.keys.forEach(({ column, text, descending, nullsFirst }, k) => {
    const { word, shift, bits, nulls, nullWord, nullShift } = layout.fields[k];
    if (text) {
      const { pool } = program.columns[column];
      segments.push({ text, word, shift, bits, pool, flip: descending, nullsFirst });
      return;
    }
    if (nulls === 'apart') addBits(nullWord, nullShift, 1);
    addBits(word, shift, bits);
  });
  return segments;
}

export function writeSegments(memory: KernelMemory, segments: readonly Segment[]): number {
  const at = memory.allocateZeroed(SEGMENT_SIZE * Math.max(1, segments.length));
  const view = new DataView(memory.bytes.buffer, at);
  segments.forEach((segment, s) => {
    const o = s * SEGMENT_SIZE;
    view.setUint32(o + SEGMENT_TEXT, segment.text ? 1 : 0, true);
    view.setUint32(o + SEGMENT_WORD, segment.word, true);
    view.setUint32(o + SEGMENT_SHIFT, segment.shift, true);
    view.setUint32(o + SEGMENT_POOL, segment.pool, true);
    view.setBigUint64(o + SEGMENT_MASK, (1n << BigInt(segment.bits)) - 1n, true);
    view.setUint32(o + SEGMENT_FLIP, segment.flip ? 1 : 0, true);
    view.setUint32(o + SEGMENT_NULL_FIRST, segment.nullsFirst ? 1 : 0, true);
  });
  return at;
}
