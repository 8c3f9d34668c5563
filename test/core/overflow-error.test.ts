import { describe, expect, it } from 'vitest';
import { formatValue } from '../../dist/core/format-value.js';
import { formatGroup, overflowError } from '../../dist/core/overflow-error.js';
import type { Value } from '../../dist/core/read-values.js';
import type { DataType, TimeUnit } from '../../dist/core/type.js';

const utf8: DataType = { kind: 'utf8', form: 'plain' };
const int: DataType = { kind: 'int', bits: 64, signed: true };
const decimal = (scale: number): DataType => ({ kind: 'decimal', bits: 128, precision: 38, scale });
const text = (s: string): Uint8Array => new TextEncoder().encode(s);
const timestamp = (unit: TimeUnit, zone: string | null = null): DataType => ({
  kind: 'timestamp',
  unit,
  zone,
});
const key = (name: string, type: DataType) =>
  ({ name, type, column: 0, descending: false, nullsFirst: false }) as const;

describe('formatValue', () => {
  it.each<[DataType, Value, string]>([
    [{ kind: 'bool' }, true, 'true'],
    [int, -(2n ** 63n), '-9223372036854775808'],
    [{ kind: 'float', bits: 64 }, 0.1, '0.1'],
    [{ kind: 'float', bits: 64 }, Number.NaN, 'NaN'],
    [utf8, text('\ufeffé'), '\ufeffé'],
    [{ kind: 'binary', form: 'plain' }, Uint8Array.of(0, 255), '00ff'],
    [decimal(2), 243n, '2.43'],
    [decimal(2), -7n, '-0.07'],
    [decimal(2), 0n, '0.00'],
    [decimal(0), -10n, '-10'],
    [decimal(-3), -10n, '-10000'],
    [{ kind: 'fixedBinary', width: 2 }, Uint8Array.of(1, 16), '0110'],
    [{ kind: 'time', unit: 's' }, 86_399n, '23:59:59'],
    [{ kind: 'time', unit: 'ms' }, 0n, '00:00:00.000'],
    [{ kind: 'time', unit: 'ns' }, 3_600_000_000_001n, '01:00:00.000000001'],
    [{ kind: 'time', unit: 'us' }, -61_000_000n, '-00:01:01.000000'],
    [{ kind: 'time', unit: 's' }, 360_000n, '100:00:00'],
    [{ kind: 'duration', unit: 'ms' }, -5n, '-5'],
    [{ kind: 'interval' }, 14n, '14'],
    [{ kind: 'date', unit: 'day' }, 0n, '1970-01-01'],
    [{ kind: 'date', unit: 'day' }, -1n, '1969-12-31'],
    [{ kind: 'date', unit: 'day' }, 11_016n, '2000-02-29'],
    [{ kind: 'date', unit: 'day' }, -719_528n, '0000-01-01'],
    [{ kind: 'date', unit: 'day' }, -719_529n, '-000001-12-31'],
    [{ kind: 'date', unit: 'day' }, 2_932_897n, '+010000-01-01'],
    [{ kind: 'date', unit: 'ms' }, -86_400_000n, '1969-12-31'],
    [{ kind: 'date', unit: 'ms' }, 1n, '1970-01-01T00:00:00.001'],
    [timestamp('s'), 1_700_000_000n, '2023-11-14T22:13:20'],
    [timestamp('ms', 'Europe/Berlin'), -1n, '1969-12-31T23:59:59.999Z'],
    [timestamp('us'), 1n, '1970-01-01T00:00:00.000001'],
    [timestamp('ns', 'UTC'), -1n, '1969-12-31T23:59:59.999999999Z'],
    [timestamp('s'), 2n ** 63n - 1n, '+292277026596-12-04T15:30:07'],
  ])('%j %s is %s', (type, value, formatted) => {
    expect(formatValue(type, value)).toBe(formatted);
  });

  it('agrees with Date over the years that it knows', () => {
    for (let day = -800_000; day < 3_000_000; day += 997) {
      const iso = new Date(day * 86_400_000).toISOString().replace(/T.*/, '');
      expect(formatValue({ kind: 'date', unit: 'day' }, BigInt(day))).toBe(iso);
    }
  });
});

describe('formatGroup', () => {
  it('is on one line', () => {
    expect(formatGroup([key('a\nb', utf8), key('n', int)], [text('x\ty\u0085'), null])).toMatch(
      /^a\\nb=x\\ty.*, n=null$/,
    );
  });
});

describe('overflowError', () => {
  it('names output, group and type', () => {
    const aggregate = { name: 's', function: 'sum', column: 0, input: int, type: int } as const;
    const error = overflowError(aggregate, 2n ** 63n, [key('k', utf8)], [text('x')]);
    expect(error.message).toBe(
      'aggregate "s": got 9223372036854775808 in group k=x, wanted a sum that fits Int64',
    );
    expect(error).toMatchObject({ name: 'AggregateOverflowError', parameter: 'aggregate "s"' });
    expect(overflowError(aggregate, 2n ** 63n, [], []).message).toContain('in the group of all rows');
  });
});
