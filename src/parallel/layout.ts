import type { KeyProgram } from './program.js';

/** The encoded values of one key that a layout has to hold. `least > most` where none was seen. */
export interface KeyExtent {
  readonly least: bigint;
  readonly most: bigint;
  readonly nulls: boolean;
}

/** Where one key lies in the key words; see FIELD_* among the kernels. */
export interface FieldLayout {
  readonly base: bigint;
  readonly span: bigint;
  readonly word: number;
  readonly shift: number;
  readonly bits: number;
  /** `none`: a null is a misfit. `coded`: a null is a code of its own. `apart`: a null is a bit before the value. */
  readonly nulls: 'none' | 'coded' | 'apart';
  readonly nullWord: number;
  readonly nullShift: number;
}

/** How keys become key words, and how a group is found by them. */
export interface Layout {
  readonly kind: 'dense' | 'word' | 'words';
  readonly words: number;
  readonly bits: number;
  readonly fields: readonly FieldLayout[];
}

export interface LayoutLimits {
  /** The most bits of a counting table's index. */
  readonly denseBits: number;
  /** The most bits of a key word; 64, less in tests. */
  readonly wordBits: number;
}

function bitsOf(codes: bigint): number {
  return codes <= 1n ? 0 : (codes - 1n).toString(2).length;
}

const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The extent of no value. */
export const NOTHING: KeyExtent = { least: 1n, most: 0n, nulls: false };

/** Both extents in one, key by key. */
export function joinAll(a: readonly KeyExtent[], b: readonly KeyExtent[]): KeyExtent[] {
  return a.map((extent, k) => joinExtents(extent, b[k]));
}

function joinExtents(a: KeyExtent, b: KeyExtent): KeyExtent {
  const nulls = a.nulls || b.nulls;
  if (a.least > a.most) return { ...b, nulls };
  if (b.least > b.most) return { ...a, nulls };
  return { least: least(a.least, b.least), most: most(a.most, b.most), nulls };
}

/** What a layout's field certainly holds. */
export function extentOf(key: KeyProgram, field: FieldLayout): KeyExtent {
  const nulls = field.nulls !== 'none';
  if (key.text) return { least: 0n, most: field.span, nulls };
  return { least: field.base, most: field.base + field.span, nulls };
}

/**
 * Chooses the narrowest layout that holds the given extents with room to spare, since they come from a sample: a
 * counting table where the product of all keys is small, else one word where they fit 64 bits, else as many words as
 * they need at their types' full width. Codes ascend in key order, so that words sort as keys do. Pure.
 */
export function chooseLayout(
  keys: readonly KeyProgram[],
  extents: readonly KeyExtent[],
  limits: LayoutLimits,
): Layout {
  return packed(keys, extents, 'dense', limits) ?? packed(keys, extents, 'word', limits) ?? unpacked(keys);
}

interface Room {
  base: bigint;
  span: bigint;
  coded: boolean;
}

function packed(
  keys: readonly KeyProgram[],
  extents: readonly KeyExtent[],
  kind: 'dense' | 'word',
  limits: LayoutLimits,
): Layout | undefined {
  const limit = kind === 'dense' ? limits.denseBits : limits.wordBits;
  // nulls get a code even where none was seen, if there is room for it
  for (const all of [true, false]) {
    const rooms = keys.map((key, k): Room => {
      const extent = extents[k];
      const coded = !key.text && (all || extent.nulls);
      return { ...padded(key, extent, kind), coded };
    });
    const widths = rooms.map(({ span, coded }) => bitsOf(span + (coded ? 2n : 1n)));
    const total = widths.reduce((sum, bits) => sum + bits, 0);
    // a code for nulls that were not seen must not cost the room that values beyond the sample may need
    const slack = all && kind === 'word' ? keys.length : 0;
    if (total + slack > limit) continue;
    const spare = kind === 'dense' || keys.length === 0 ? 0 : Math.floor((64 - total) / keys.length);
    const fields: FieldLayout[] = [];
    let shift = 0;
    for (let k = keys.length - 1; k >= 0; k--) {
      const { base, span, coded } = stretched(keys[k], rooms[k], widths[k] + spare);
      const bits = bitsOf(span + (coded ? 2n : 1n));
      fields.unshift({
        base,
        span,
        word: 0,
        shift,
        bits,
        nulls: coded ? 'coded' : 'none',
        nullWord: 0,
        nullShift: 0,
      });
      shift += bits;
    }
    return { kind, words: kind === 'dense' ? 0 : 1, bits: shift, fields };
  }
  return undefined;
}

/** A sample's extent with room for values that it missed: as much again for text codes, a quarter on each side else. */
function padded(key: KeyProgram, extent: KeyExtent, kind: 'dense' | 'word'): { base: bigint; span: bigint } {
  const nothing = extent.least > extent.most;
  if (key.text) {
    const top = nothing ? 0n : extent.most;
    return { base: 0n, span: least(key.most, kind === 'dense' ? most(2n * top, 62n) : 2n * top) };
  }
  if (nothing) return { base: key.least, span: 0n };
  const span = extent.most - extent.least;
  const pad = kind === 'dense' ? span / 4n + 2n : 0n;
  const from = most(key.least, extent.least - pad);
  return { base: from, span: least(key.most, extent.most + pad) - from };
}

/** Widens a field to all codes of its bits, evenly on both sides, within its type. */
function stretched(key: KeyProgram, { base, span, coded }: Room, bits: number): Room {
  const codes = (1n << BigInt(bits)) - (coded ? 1n : 0n);
  const full = key.most - key.least + 1n;
  if (codes >= full) return { base: key.least, span: full - 1n, coded };
  if (key.text) return { base: 0n, span: codes - 1n, coded };
  const extra = codes - 1n - span;
  const from = least(most(key.least, base - extra / 2n), key.most - (codes - 1n));
  return { base: from, span: codes - 1n, coded };
}

/** Every key at its type's full width: holds anything. No field crosses a word's border. */
function unpacked(keys: readonly KeyProgram[]): Layout {
  const fields: FieldLayout[] = [];
  let word = 0;
  let left = 64;
  const place = (bits: number): { word: number; shift: number } => {
    if (bits > left) {
      word++;
      left = 64;
    }
    left -= bits;
    return { word, shift: left };
  };
  for (const key of keys) {
    const span = key.most - key.least;
    const coded = !key.text && bitsOf(span + 2n) <= 64;
    const apart = !key.text && !coded;
    const nullAt = apart ? place(1) : { word: 0, shift: 0 };
    const bits = bitsOf(span + (coded ? 2n : 1n));
    const at = place(bits);
    fields.push({
      base: key.least,
      span,
      ...at,
      bits,
      nulls: coded ? 'coded' : apart ? 'apart' : 'none',
      nullWord: nullAt.word,
      nullShift: nullAt.shift,
    });
  }
  const words = word + 1;
  return { kind: words === 1 ? 'word' : 'words', words, bits: 64 * words, fields };
}

export function sameLayout(a: Layout, b: Layout): boolean {
  return (
    a.kind === b.kind &&
    a.words === b.words &&
    a.fields.every((field, k) => {
      const other = b.fields[k];
      return (
        field.base === other.base &&
        field.span === other.span &&
        field.word === other.word &&
        field.shift === other.shift &&
        field.bits === other.bits &&
        field.nulls === other.nulls &&
        field.nullWord === other.nullWord &&
        field.nullShift === other.nullShift
      );
    })
  );
}
