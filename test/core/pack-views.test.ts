import { describe, expect, it } from 'vitest';
import type { Column } from '../../dist/core/column.js';
import { packViews } from '../../dist/core/pack-views.js';
import { valueReader } from '../../dist/core/read-values.js';
import { validateColumn } from '../../dist/core/validate-column.js';

const bytes = (length: number, first: number): Uint8Array => Uint8Array.from({ length }, (_, i) => first + i);

describe('packViews', () => {
  it('has up to 12 bytes in place and longer values in one buffer, as the Arrow format lays them out', () => {
    const { values, buffers } = packViews([
      bytes(12, 1),
      bytes(13, 50),
      null,
      new Uint8Array(0),
      bytes(14, 90),
    ]);
    const words = new Int32Array(values.buffer);
    expect([...values.subarray(0, 16)]).toEqual([12, 0, 0, 0, ...bytes(12, 1)]);
    expect([...values.subarray(16, 24)]).toEqual([13, 0, 0, 0, 50, 51, 52, 53]);
    expect([words[6], words[7]]).toEqual([0, 0]);
    expect([...values.subarray(32, 64)]).toEqual(Array(32).fill(0));
    expect([words[16], words[18], words[19]]).toEqual([14, 0, 13]);
    expect(buffers).toEqual([Uint8Array.of(...bytes(13, 50), ...bytes(14, 90))]);
  });

  it('has no buffer where every value is short', () => {
    expect(packViews([bytes(3, 0), null]).buffers).toEqual([]);
  });

  it('begins a new buffer where an offset would be too great', () => {
    const all = [13, 13, 15, 30, 13].map((length, i) => bytes(length, i));
    const packed = packViews(all, 30);
    expect(packed.buffers.map(({ length }) => length)).toEqual([26, 15, 30, 13]);
    const type = { kind: 'binary', form: 'view' } as const;
    const column: Column = { type, length: all.length, nulls: 0, bitOffset: 0, ...packed };
    validateColumn(column, 'k');
    const read = valueReader(column);
    expect(all.map((_, row) => read(row))).toEqual(all);
  });
});
