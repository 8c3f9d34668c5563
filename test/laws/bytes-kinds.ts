import * as fc from 'fast-check';
import { type Kind, kindOf, type Raw } from './kind.js';

const encoder = new TextEncoder();
const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** Beginnings that texts share, of lengths about those at which words of 7 and 8 bytes end. */
const prefixes = fc
  .tuple(
    fc.constantFrom(0, 1, 6, 7, 8, 13, 14, 15, 21, 48, 55, 56, 57, 63, 64, 70),
    fc.constantFrom('p', 'ä', '\0'),
  )
  .map(([length, letter]) => letter.repeat(length));

const texts: fc.Arbitrary<Raw> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('', '\0', '\0\0', 'a', 'a\0', 'a\0\0', 'ab', 'b').map(bytesOf) },
  { weight: 3, arbitrary: fc.string({ maxLength: 12 }).map(bytesOf) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(prefixes, fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b', '\0', 'é', '𐀀', '\uffff') }))
      .map(([prefix, rest]) => bytesOf(prefix + rest)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map(bytesOf) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 18 }).map((bytes) => Uint8Array.from(bytes)) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 5000 }).map((n) => bytesOf('long '.repeat(n / 5))) },
);

const compare = (a: Raw, b: Raw): number => Buffer.compare(a as Uint8Array, b as Uint8Array);

/** Texts, and other bytes of any length. */
export function bytesKind(name: string, storage: Kind['storage']): Kind {
  return kindOf({
    name,
    width: 0,
    values: 'other',
    storage,
    arbitrary: texts,
    random: (random) => {
      const prefix = ['', 'key ', 'a longer beginning that all share '][random.below(3)];
      return bytesOf(`${prefix}${random.below(100_000).toString(36)}`);
    },
    compare,
  });
}

/** FixedSizeBinary: values that share their beginning, their end, or nothing. */
export function fixedKind(width: number): Kind {
  const bytes = fc.uint8Array({ minLength: width, maxLength: width }).map((all) => Uint8Array.from(all));
  const few = fc.constantFrom(0, 1, 0x7f, 0x80, 0xff);
  return kindOf({
    name: `fixed(${width})`,
    width,
    values: 'other',
    storage: 'bytes',
    arbitrary: fc.oneof(
      bytes,
      fc.array(few, { minLength: width, maxLength: width }).map((all) => Uint8Array.from(all)),
      fc.tuple(few, fc.nat(width - 1)).map(([byte, at]) => new Uint8Array(width).fill(byte, at, at + 1)),
    ),
    random: (random) => Uint8Array.from({ length: width }, () => random.below(256)),
    compare,
  });
}
