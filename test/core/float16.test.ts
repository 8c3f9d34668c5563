import { describe, expect, it } from 'vitest';
import { fromFloat16, toFloat16 } from '../../dist/core/float16.js';

describe('Float16', () => {
  // IEEE 754-2019, table 3.5: 5 bits of exponent with a bias of 15, 10 bits of fraction.
  it.each([
    [0x0000, 0],
    [0x8000, -0],
    [0x0001, 2 ** -24],
    [0x83ff, -1023 * 2 ** -24],
    [0x0400, 2 ** -14],
    [0x3555, 1365 * 2 ** -12],
    [0x3c00, 1],
    [0x3c01, 1 + 2 ** -10],
    [0xc000, -2],
    [0x7bff, 65504],
    [0x7c00, Number.POSITIVE_INFINITY],
    [0xfc00, Number.NEGATIVE_INFINITY],
    [0x7e00, Number.NaN],
  ])('%i is %d', (bits, value) => {
    expect(fromFloat16(bits)).toBe(value);
    expect(toFloat16(value)).toBe(bits);
  });

  it('gives every value back its bits, and every NaN the canonical ones', () => {
    for (let bits = 0; bits < 0x10000; bits++) {
      const nan = (bits & 0x7c00) === 0x7c00 && (bits & 0x3ff) !== 0;
      expect(toFloat16(fromFloat16(bits))).toBe(nan ? 0x7e00 : bits);
    }
  });
});
