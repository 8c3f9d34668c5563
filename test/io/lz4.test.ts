import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { compress } from 'lz4js';
import { describe, expect, it } from 'vitest';
import { decodeLz4 } from '../../dist/io/lz4.js';
import { runs } from '../support/runs.js';

/** 5,003 bytes of a linear congruence, 40 times over: what the frames made by the program `lz4` hold. */
function content(): Uint8Array {
  const period = new Uint8Array(5003);
  let x = 1;
  for (let i = 0; i < period.length; i++) {
    x = (x * 75 + 74) % 65537;
    period[i] = x;
  }
  return Buffer.concat(Array.from({ length: 40 }, () => period));
}
const frame = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`files/${name}.lz4`, import.meta.url)));

describe('an LZ4 frame', () => {
  it('of the program lz4 is decoded: with blocks that refer to earlier ones, with lengths and checksums', () => {
    const wanted = content();
    for (const name of ['linked', 'checked']) {
      expect(Buffer.compare(decodeLz4(frame(name), wanted.length), wanted)).toBe(0);
    }
  });

  it('of any bytes comes out as they went in', () => {
    const repeated = fc
      .array(fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 1, max: 400 })), { maxLength: 20 })
      .map((pieces) =>
        Buffer.concat(pieces.flatMap(([piece, times]) => Array.from({ length: times }, () => piece))),
      );
    fc.assert(
      fc.property(repeated, (bytes) => {
        fc.pre(bytes.length > 0);
        const decoded = decodeLz4(Uint8Array.from(compress(bytes)), bytes.length);
        expect(Buffer.compare(decoded, bytes)).toBe(0);
      }),
    );
  });

  it('that is damaged is a RangeError, or bytes of the length that was said', () => {
    const whole = frame('linked');
    const { length } = content();
    let refused = 0;
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(7), fc.boolean(), (at, bit, cut) => {
        const damaged = cut ? whole.slice(0, at) : whole.slice();
        if (!cut) damaged[at] ^= 1 << bit;
        try {
          expect(decodeLz4(damaged, length).length).toBe(length);
        } catch (error) {
          refused += 1;
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      runs(500),
    );
    expect(refused).toBeGreaterThan(100);
  });

  it('of another length than was said is a RangeError', () => {
    const { length } = content();
    for (const wrong of [0, length - 1, length + 1]) {
      expect(() => decodeLz4(frame('linked'), wrong)).toThrow(RangeError);
    }
  });

  it.each<[string, number[]]>([
    ['of no magic number', [1, 2, 3, 4, 0x60, 0x40, 0, 0, 0, 0, 0]],
    ['of another version', [0x04, 0x22, 0x4d, 0x18, 0x20, 0x40, 0, 0, 0, 0, 0]],
    ['with a dictionary', [0x04, 0x22, 0x4d, 0x18, 0x61, 0x40, 0, 0, 0, 0, 0]],
    ['without an end', [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0]],
    ['with a match before its beginning', [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0, 3, 0, 0, 0, 0, 1, 0]],
    ['with an offset of 0', [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0, 4, 0, 0, 0, 0x10, 7, 0, 0]],
    ['with lengths that go on', [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0, 3, 0, 0, 0, 0xf0, 255, 255]],
  ])('%s is a RangeError', (_, bytes) => {
    expect(() => decodeLz4(Uint8Array.from(bytes), 10)).toThrow(RangeError);
  });
});
