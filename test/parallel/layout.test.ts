import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseLayout,
  extentOf,
  joinAll,
  type KeyExtent,
  type Layout,
  NOTHING,
  sameLayout,
} from '../../dist/parallel/layout.js';
import type { KeyProgram } from '../../dist/parallel/program.js';

const TOP = (1n << 64n) - 1n;

/** A key whose encoded values lie in `least` to `most`. */
const keyOf = (least: bigint, most: bigint, text: boolean): KeyProgram => ({
  column: 0,
  descending: false,
  nullsFirst: false,
  text,
  least,
  most,
});

const MIDDLE = 1n << 63n;
const KEYS: readonly KeyProgram[] = [
  keyOf(0n, 1n, false),
  keyOf(MIDDLE - 128n, MIDDLE + 127n, false),
  keyOf(0n, 65_535n, false),
  keyOf(MIDDLE - (1n << 31n), MIDDLE + (1n << 31n) - 1n, false),
  keyOf(0n, TOP, false),
  keyOf(0n, 0xffff_ffffn, true),
];

/** A key, and an extent that some of its values have. */
const keyWithExtent = fc.constantFrom(...KEYS).chain((key) =>
  fc.record({
    key: fc.constant(key),
    extent: fc.oneof(
      fc.record({ least: fc.constant(NOTHING.least), most: fc.constant(NOTHING.most), nulls: fc.boolean() }),
      fc
        .tuple(
          fc.bigInt(key.least, key.most),
          fc.oneof(fc.bigInt(0n, 3000n), fc.bigInt(0n, TOP)),
          fc.boolean(),
        )
        .map(([from, span, nulls]): KeyExtent => {
          const most = key.most - from < span ? key.most : from + span;
          // the codes of texts are counted from 0, which is the null
          return { least: key.text ? 0n : from, most, nulls };
        }),
    ),
  }),
);

const cases = fc.array(keyWithExtent, { maxLength: 4 });
const limits = fc.record({ denseBits: fc.constantFrom(0, 4, 18, 24), wordBits: fc.constantFrom(0, 12, 64) });

/** The bits of a layout's words that a field takes, as [word, bit]. */
function bitsOf({ fields }: Layout): [number, number][] {
  return fields.flatMap(({ word, shift, bits, nulls, nullWord, nullShift }) => [
    ...Array.from({ length: bits }, (_, i): [number, number] => [word, shift + i]),
    ...(nulls === 'apart' ? [[nullWord, nullShift] as [number, number]] : []),
  ]);
}

const holds = (field: KeyExtent, extent: KeyExtent): boolean =>
  extent.least > extent.most || (field.least <= extent.least && extent.most <= field.most);

describe('chooseLayout', () => {
  it('holds the extents, and null keys where there are any', () => {
    fc.assert(
      fc.property(cases, limits, (all, limit) => {
        const keys = all.map(({ key }) => key);
        const layout = chooseLayout(
          keys,
          all.map(({ extent }) => extent),
          limit,
        );
        layout.fields.forEach((field, k) => {
          const held = extentOf(keys[k], field);
          expect(holds(held, all[k].extent)).toBe(true);
          // no code stands for a value that the type has not, so that what is unpacked can be written
          expect(held.least).toBeGreaterThanOrEqual(keys[k].least);
          expect(held.most).toBeLessThanOrEqual(keys[k].most);
          if (all[k].extent.nulls && !keys[k].text) expect(field.nulls).not.toBe('none');
        });
      }),
    );
  });

  it('gives every code bits of its own, the first key the highest', () => {
    fc.assert(
      fc.property(cases, limits, (all, limit) => {
        const keys = all.map(({ key }) => key);
        const layout = chooseLayout(
          keys,
          all.map(({ extent }) => extent),
          limit,
        );
        const bits = bitsOf(layout);
        expect(new Set(bits.map(String)).size).toBe(bits.length);
        for (const [word, bit] of bits) {
          expect(bit).toBeGreaterThanOrEqual(0);
          expect(bit).toBeLessThan(64);
          expect(word).toBeLessThan(Math.max(1, layout.words));
        }
        // A field of 0 bits has one code, and takes no place.
        const places = layout.fields
          .filter(({ bits: width }) => width > 0)
          .map(({ word, shift }) => 64 * word + (63 - shift));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        layout.fields.forEach(({ span, nulls, bits: width }) => {
          expect(span + (nulls === 'coded' ? 2n : 1n)).toBeLessThanOrEqual(1n << BigInt(width));
        });
      }),
    );
  });

  it('is of the narrowest kind within its limits', () => {
    fc.assert(
      fc.property(cases, limits, (all, limit) => {
        const layout = chooseLayout(
          all.map(({ key }) => key),
          all.map(({ extent }) => extent),
          limit,
        );
        if (layout.kind === 'dense') expect(layout.bits).toBeLessThanOrEqual(limit.denseBits);
        expect(layout.words).toBe({ dense: 0, word: 1, words: layout.words }[layout.kind]);
        if (layout.kind === 'words') expect(layout.words).toBeGreaterThan(1);
      }),
    );
  });

  it('takes a counting table for few integers, a word for many, words for wide keys with nulls', () => {
    const one = (key: KeyProgram, extent: KeyExtent): Layout =>
      chooseLayout([key], [extent], { denseBits: 18, wordBits: 64 });
    const [, , , int32, uint64] = KEYS;
    expect(one(int32, { least: MIDDLE, most: MIDDLE + 999n, nulls: false }).kind).toBe('dense');
    expect(one(int32, { least: MIDDLE - 1_000_000n, most: MIDDLE + 1_000_000n, nulls: true }).kind).toBe(
      'word',
    );
    expect(one(uint64, { least: 0n, most: TOP, nulls: false })).toMatchObject({ kind: 'word', words: 1 });
    expect(one(uint64, { least: 0n, most: TOP, nulls: true })).toMatchObject({ kind: 'words', words: 2 });
  });

  it('holds both of two layouts in the one that is chosen for their joined extents', () => {
    fc.assert(
      fc.property(cases, fc.array(fc.nat()), limits, (all, moves, limit) => {
        const keys = all.map(({ key }) => key);
        const a = all.map(({ extent }) => extent);
        const b = a.map((extent, k): KeyExtent => {
          const { text, most } = keys[k];
          const far =
            extent.least > extent.most
              ? keys[k].least
              : (extent.most * 2n + BigInt(moves[k] ?? 0)) % (most + 1n);
          const value = far < keys[k].least ? keys[k].least : far;
          return { least: text ? 0n : value, most: value, nulls: (moves[k] ?? 0) % 2 === 1 };
        });
        const layout = chooseLayout(keys, joinAll(a, b), limit);
        layout.fields.forEach((field, k) => {
          const held = extentOf(keys[k], field);
          expect(holds(held, a[k]) && holds(held, b[k])).toBe(true);
        });
        expect(sameLayout(layout, chooseLayout(keys, joinAll(b, a), limit))).toBe(true);
      }),
    );
  });
});
