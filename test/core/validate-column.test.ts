import { describe, expect, it } from 'vitest';
import type { Column } from '../../dist/core/column.js';
import { InputError } from '../../dist/core/errors.js';
import type { DataType } from '../../dist/core/type.js';
import { validateColumn } from '../../dist/core/validate-column.js';

const bytes = (array: Int32Array | BigInt64Array): Uint8Array => new Uint8Array(array.buffer);

function text(offsets: number[], size: number, form: 'plain' | 'large' = 'plain'): Column {
  return {
    type: { kind: 'utf8', form },
    length: offsets.length - 1,
    nulls: 0,
    bitOffset: 0,
    values: new Uint8Array(size),
    offsets: bytes(form === 'plain' ? Int32Array.from(offsets) : BigInt64Array.from(offsets.map(BigInt))),
  };
}

const utf8: DataType = { kind: 'utf8', form: 'plain' };

function codes(list: number[], entries: number, validity?: number): Column {
  return {
    type: { kind: 'dictionary', index: { kind: 'int', bits: 8, signed: true }, value: utf8, ordered: false },
    length: list.length,
    nulls: validity === undefined ? 0 : 1,
    bitOffset: 0,
    values: Uint8Array.from(list),
    ...(validity === undefined ? {} : { validity: Uint8Array.of(validity) }),
    dictionary: text(Array(entries + 1).fill(0), 0),
  };
}

function view(length: number, buffer: number, from: number): Column {
  return {
    type: { kind: 'utf8', form: 'view' },
    length: 1,
    nulls: 0,
    bitOffset: 0,
    values: bytes(Int32Array.of(length, 0, buffer, from)),
    buffers: [new Uint8Array(20)],
  };
}

describe('validateColumn', () => {
  it.each<[string, Column]>([
    ['offsets that ascend to the end', text([0, 0, 3, 5], 5)],
    ['offsets that begin later', text([2, 3], 5)],
    ['64-bit offsets', text([0, 5], 5, 'large')],
    ['codes in range', codes([0, 2, 1], 3)],
    ['a wild code under a null', codes([0, 99], 1, 0b01)],
    ['a wild text under a null', { ...view(99, 7, 0), nulls: 1, validity: Uint8Array.of(0) }],
    ['a view in place', view(12, -1, -1)],
    ['a view that ends with its buffer', view(13, 0, 7)],
  ])('takes %s', (_, column) => {
    expect(() => validateColumn(column, 'k')).not.toThrow();
  });

  it.each<[string, Column, RegExp]>([
    ['an offset below 0', text([-1, 3], 5), /^column "k": got offset -1 in row 0/],
    ['offsets that fall', text([0, 4, 3], 5), /got offset 3 after 4 in row 1/],
    ['offsets beyond the bytes', text([0, 6], 5), /got a last offset of 6, wanted at most 5/],
    ['64-bit offsets beyond the bytes', text([0, 2 ** 40], 5, 'large'), /last offset of 1099511627776/],
    ['a code beyond the dictionary', codes([0, 3], 3), /got code 3 in row 1, wanted a code from 0 to 2/],
    ['a negative code', codes([0xff], 3), /got code -1 in row 0/],
    ['no dictionary', { ...codes([0], 1), dictionary: undefined }, /got no dictionary/],
    [
      'a damaged dictionary',
      { ...codes([0], 1), dictionary: text([0, 9], 5) },
      /^column "k", dictionary: got a last/,
    ],
    ['a view beyond its buffer', view(13, 0, 8), /got a view of 13 bytes at 8 of buffer 0 in row 0/],
    ['a view of no buffer', view(13, 1, 0), /buffer 1/],
    ['a view of negative length', view(-1, 0, 0), /a view of -1 bytes/],
  ])('refuses %s', (_, column, message) => {
    expect(() => validateColumn(column, 'column "k"')).toThrow(InputError);
    expect(() => validateColumn(column, 'column "k"')).toThrow(message);
  });
});
