import * as fc from 'fast-check';
import type { Random } from '../support/random.js';

const encoder = new TextEncoder();
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** Beginnings that texts share, of lengths about those at which words of 7 and 8 bytes, and views of 12, end. */
const prefixes = fc
  .tuple(
    fc.constantFrom(0, 1, 6, 7, 8, 11, 12, 13, 14, 15, 21, 48, 55, 56, 57, 63, 64, 70),
    fc.constantFrom('p', 'ä', '\0'),
  )
  .map(([length, letter]) => letter.repeat(length));

/** Texts that are hard to order and to tell apart, and bytes that are no text. */
export const texts: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('', '\0', '\0\0', 'a', 'a\0', 'a\0\0', 'ab', 'b').map(bytesOf) },
  { weight: 3, arbitrary: fc.string({ maxLength: 14 }).map(bytesOf) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(prefixes, fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b', '\0', 'é', '𐀀', '\uffff') }))
      .map(([prefix, rest]) => bytesOf(prefix + rest)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map(bytesOf) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 18 }).map((bytes) => Uint8Array.from(bytes)) },
  { weight: 1, arbitrary: fc.integer({ min: 20, max: 1000 }).map((n) => bytesOf('long '.repeat(n))) },
);

/** One of many texts. */
export function manyTexts(random: Random): Uint8Array {
  const prefix = ['', 'key ', 'a longer beginning that all share '][random.below(3)];
  return bytesOf(`${prefix}${random.below(100_000).toString(36)}`);
}
