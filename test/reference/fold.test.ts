import { Table } from 'apache-arrow';
import * as fc from 'fast-check';
import { count, createReference, max } from 'rangefold';
import { describe, expect, it } from 'vitest';
import { build } from '../../dist/core/build.js';
import type { Value } from '../../dist/core/read-values.js';
import { compareGroups } from '../../dist/core/semantics.js';
import type { DataType } from '../../dist/core/type.js';
import { Groups } from '../../dist/reference/group.js';
import { batchOf, dataOf } from '../support/notation.js';

const ints = (rows: number) => batchOf([['k', dataOf({ type: 'i8', repeat: [1, rows] })]]);

describe('fold', () => {
  it('tells of progress, and lets an abort in, every 65536 rows, wherever batches end', async () => {
    const rows: number[] = [];
    const input = new Table([ints(1), ints(140_000), ints(7), ints(60_000)]);
    await createReference().aggregate(
      input,
      { by: ['k'], aggregates: { n: count() } },
      { onProgress: (p) => rows.push(p.rows) },
    );
    expect(rows).toEqual([65_536, 131_072, 196_608, 200_008]);
  });

  it('is stopped by an abort that comes while it works', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    let seen = 0;
    const run = createReference().aggregate(
      ints(1_000_000),
      { by: ['k'], aggregates: { hi: max('k') } },
      {
        signal: controller.signal,
        onProgress: ({ rows }) => {
          seen = rows;
          setImmediate(() => controller.abort(reason));
        },
      },
    );
    await expect(run).rejects.toBe(reason);
    expect(seen).toBeLessThan(1_000_000);
  });
});

describe('Groups', () => {
  const utf8: DataType = { kind: 'utf8', form: 'plain' };
  const float: DataType = { kind: 'float', bits: 64 };
  const keys = [utf8, float, utf8].map((type) => ({ type, descending: false, nullsFirst: false }));
  const bytes = fc.uint8Array({ maxLength: 4, max: 127 });
  const key = fc.tuple(
    fc.option(bytes),
    fc.option(fc.double().map((x) => (x === 0 ? 0 : x))),
    fc.option(bytes),
  );

  it('finds one group exactly where keys are equal by the order of keys', () => {
    fc.assert(
      fc.property(key, key, (a: (Value | null)[], b: (Value | null)[]) => {
        const groups = new Groups(() => []);
        expect(groups.find(0, a) === groups.find(0, b)).toBe(compareGroups(keys, a, b) === 0);
        expect(groups.find(0, a)).toBe(groups.find(0, [...a]));
      }),
    );
  });

  it('keeps a key when its batch is gone', () => {
    const groups = new Groups(() => []);
    const batch = Uint8Array.of(1, 2, 3);
    groups.find(0, [batch.subarray(0, 2)]);
    batch.fill(9);
    expect(groups.all()[0].key).toEqual([Uint8Array.of(1, 2)]);
  });
});

describe('build', () => {
  it('writes zeros under nulls and one form of NaN', () => {
    const odd = new Float64Array(BigUint64Array.of(0xfff8000000000123n).buffer)[0];
    const column = build({ kind: 'float', bits: 64 }, [odd, null]);
    expect([...new BigUint64Array(column.values.buffer)]).toEqual([0x7ff8000000000000n, 0n]);
    expect(column).toMatchObject({ length: 2, nulls: 1, validity: Uint8Array.of(0b01) });
    expect(build({ kind: 'float', bits: 32 }, [odd]).values).toEqual(Uint8Array.of(0, 0, 0xc0, 0x7f));
    expect(build({ kind: 'bool' }, [true, null, false]).values).toEqual(Uint8Array.of(0b001));
  });

  it('writes every width of integer in two’s complement', () => {
    const decimal = (bits: 32 | 64 | 128 | 256, value: bigint): string =>
      Buffer.from(build({ kind: 'decimal', bits, precision: 9, scale: 2 }, [value]).values).toString('hex');
    expect(decimal(32, -2n)).toBe('feffffff');
    expect(decimal(64, 2n ** 40n)).toBe('0000000000010000');
    expect(decimal(128, -(2n ** 64n))).toBe(`${'00'.repeat(8)}${'ff'.repeat(8)}`);
    expect(decimal(256, 2n ** 192n + 5n)).toBe(`05${'00'.repeat(23)}01${'00'.repeat(7)}`);
  });

  it('has each form of text and binary in its own layout', () => {
    const values = [Uint8Array.of(7), null, Uint8Array.of(8, 9)];
    const large = build({ kind: 'binary', form: 'large' }, values);
    expect([...new BigInt64Array(large.offsets?.buffer ?? new ArrayBuffer(0))]).toEqual([0n, 1n, 1n, 3n]);
    expect([...large.values]).toEqual([7, 8, 9]);
    const fixed = build({ kind: 'fixedBinary', width: 2 }, [Uint8Array.of(8, 9), null]);
    expect([...fixed.values]).toEqual([8, 9, 0, 0]);
    const view = build({ kind: 'utf8', form: 'view' }, values);
    expect(view.values).toHaveLength(48);
    expect([...view.values.subarray(16, 32)]).toEqual(Array(16).fill(0));
    expect(build({ kind: 'null' }, [null, null])).toEqual({
      type: { kind: 'null' },
      length: 2,
      nulls: 2,
      bitOffset: 0,
      values: new Uint8Array(0),
    });
  });

  it('refuses values that the type cannot hold', () => {
    expect(() => build({ kind: 'fixedBinary', width: 2 }, [Uint8Array.of(1)])).toThrow(TypeError);
    expect(() => build({ kind: 'list', item: { kind: 'bool' } }, [1n])).toThrow(/List<Bool>/);
  });
});
