import type { DataType, TimeUnit } from '../core/type.js';
import type { Carrier } from './carrier.js';

/** A column of a table as its server describes it. */
export interface ColumnType {
  /** The type in the words of the server. */
  readonly said: string;
  /** What it is to us: `other` where it is nothing that rangefold reads. */
  readonly type: DataType;
  /** An expression of a carrier that holds the values, from the column's quoted name. */
  sql(name: string, carrier: Carrier): string;
}

type Read = readonly [type: DataType, sql?: (name: string, carrier: Carrier) => string];

const UNITS: Readonly<Record<string, TimeUnit>> = { 0: 's', 3: 'ms', 6: 'us', 9: 'ns' };

const PATTERNS: readonly (readonly [pattern: RegExp, read: (...parameters: string[]) => Read])[] = [
  [/^Bool$/, () => [{ kind: 'bool' }, (name) => `toUInt8(${name})`]],
  [
    /^(U?)Int(8|16|32|64)$/,
    (unsigned, bits) => [{ kind: 'int', bits: Number(bits) as 8, signed: unsigned === '' }],
  ],
  [/^Float(32|64)$/, (bits) => [{ kind: 'float', bits: Number(bits) as 32 }]],
  [
    /^Decimal\((\d+), (\d+)\)$/,
    (precision, scale) => [
      {
        kind: 'decimal',
        bits: Number(precision) > 38 ? 256 : 128,
        precision: Number(precision),
        scale: Number(scale),
      },
      // Bytes of a decimal are those of its whole number.
      (name, carrier) => `to${carrier}(reinterpret(${name}, 'Int${decimalBits(Number(precision))}'))`,
    ],
  ],
  [/^String$/, () => [{ kind: 'utf8', form: 'plain' }]],
  [
    /^FixedString\((\d+)\)$/,
    (width) => [
      { kind: 'fixedBinary', width: Number(width) },
      // toString would drop the zeros at the end.
      (name) => `concat(${name}, '')`,
    ],
  ],
  [/^Enum(?:8|16)\(.*\)$/s, () => [{ kind: 'utf8', form: 'plain' }, (name) => `toString(${name})`]],
  [/^Date(?:32)?$/, () => [{ kind: 'date', unit: 'day' }, (name) => `toInt32(${name})`]],
  [
    /^DateTime(?:\('(.*)'\))?$/,
    (zone) => [
      { kind: 'timestamp', unit: 's', zone: zone ?? null },
      (name) => `toInt64(toUnixTimestamp(${name}))`,
    ],
  ],
  [
    /^DateTime64\(([0369])(?:, '(.*)')?\)$/,
    (digits, zone) => [
      { kind: 'timestamp', unit: UNITS[digits], zone: zone ?? null },
      (name) => `reinterpret(${name}, 'Int64')`,
    ],
  ],
];

/** What a type of ClickHouse is to us. Nullable and LowCardinality only say how values are kept. */
export function readType(said: string): ColumnType {
  const plain = said.replace(/^LowCardinality\((.*)\)$/s, '$1').replace(/^Nullable\((.*)\)$/s, '$1');
  for (const [pattern, read] of PATTERNS) {
    const match = pattern.exec(plain);
    if (match === null) continue;
    const [type, sql = (name: string) => name] = read(...match.slice(1));
    const isPlain = plain === said || said === `Nullable(${plain})`;
    // What is done with values is done with plain ones.
    return {
      said,
      type,
      sql: (name, carrier) =>
        sql(isPlain ? name : `CAST(${name}, 'Nullable(${plain.replace(/[\\']/g, '\\$&')})')`, carrier),
    };
  }
  return { said, type: { kind: 'other', name: said }, sql: (name) => name };
}

function decimalBits(precision: number): number {
  return precision <= 9 ? 32 : precision <= 18 ? 64 : precision <= 38 ? 128 : 256;
}
