import { describe, expect, it } from 'vitest';
import { nativeBlock } from '../../dist/clickhouse/native.js';

// The bytes are those of the format `Native` as ClickHouse documents it; nothing is read back by our own code.

type Column = Parameters<typeof nativeBlock>[0][number];

const column = (
  name: string,
  carrier: Column['carrier'],
  nullable: boolean,
  values: readonly ReturnType<Column['read']>[],
): Column => ({ name, carrier, nullable, read: (row) => values[row] ?? null });

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const text = (value: string): string =>
  `${value.length.toString(16).padStart(2, '0')}${Buffer.from(value).toString('hex')}`;

describe('a block', () => {
  it('says how many columns and rows it has, and of each column name, type and values', () => {
    const block = nativeBlock([column('a', 'UInt8', false, [1n, 2n, 3n])], [0, 1, 2]);
    expect(hexOf(block)).toBe(`0103${text('a')}${text('UInt8')}010203`);
  });

  it('has a byte for each row before the values, where they may be null', () => {
    const block = nativeBlock([column('b', 'Int16', true, [-2n, null, 256n])], [0, 1, 2]);
    expect(hexOf(block)).toBe(`0103${text('b')}${text('Nullable(Int16)')}000100feff00000001`);
  });

  it('takes the rows it is told to', () => {
    const block = nativeBlock([column('a', 'UInt8', false, [1n, 2n, 3n, 4n])], [1, 3]);
    expect(hexOf(block)).toBe(`0102${text('a')}${text('UInt8')}0204`);
  });

  it('has integers of 128 and 256 bits from the lowest byte up, in two complements', () => {
    const block = nativeBlock(
      [column('w', 'Int128', false, [-1n, 1n << 64n]), column('v', 'Int256', false, [-(1n << 255n), 5n])],
      [0, 1],
    );
    expect(hexOf(block)).toBe(
      `0202${text('w')}${text('Int128')}${'ff'.repeat(16)}${'00'.repeat(8)}01${'00'.repeat(7)}` +
        `${text('v')}${text('Int256')}${'00'.repeat(31)}8005${'00'.repeat(31)}`,
    );
  });

  it('has floats by their bits, and booleans as 0 and 1', () => {
    const block = nativeBlock(
      [
        column('d', 'Float64', false, [-0, 1.5]),
        column('s', 'Float32', false, [0.5, Number.POSITIVE_INFINITY]),
        column('t', 'UInt8', false, [true, false]),
      ],
      [0, 1],
    );
    expect(hexOf(block)).toBe(
      `0302${text('d')}${text('Float64')}0000000000000080000000000000f83f` +
        `${text('s')}${text('Float32')}0000003f0000807f${text('t')}${text('UInt8')}0100`,
    );
  });

  it('has texts after their lengths, of seven bits a byte', () => {
    const long = new TextEncoder().encode('x'.repeat(300));
    const block = nativeBlock([column('s', 'String', true, [new Uint8Array(0), null, long])], [0, 1, 2]);
    // 300 = 0b10_0101100
    expect(hexOf(block)).toBe(`0103${text('s')}${text('Nullable(String)')}0001000000ac02${'78'.repeat(300)}`);
  });
});
