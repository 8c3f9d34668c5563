import type { DataType as ArrowType } from 'apache-arrow';
import { typeOf } from '../core/arrow-type.js';
import { describe } from '../core/describe.js';
import { queryError } from '../core/errors.js';
import { type DataType, type TimeUnit, typeName } from '../core/type.js';
import { isCsvType } from './csv-column.js';
import { type CsvForm, DELIMITER, isDelimiter } from './csv-form.js';

/** How CSV and TSV are read. Other formats do not look at it. */
export interface CsvOptions {
  /** One ASCII character; default `,`, for TSV a tab. */
  readonly delimiter?: string;
  /** Whether the first record names the columns (default); or the names, where no record does. */
  readonly header?: boolean | readonly string[];
  /**
   * Types by column, as `'Int64'`, `'Timestamp[us, UTC]'` or apache-arrow's own; the types of other columns are
   * inferred from the first 10,000 rows as Bool, Int64, Float64, Date32, Timestamp[us] or else Utf8.
   */
  readonly types?: Readonly<Record<string, string | ArrowType>>;
  /** Unquoted fields of one of these texts are null; default `['']`. Quoted fields are never null. */
  readonly nullValues?: readonly string[];
}

/** @throws QueryError */
export function checkCsvOptions(options: CsvOptions): (delimiter: string) => CsvForm {
  const { header = true, nullValues = [''] } = options;
  if (options.delimiter !== undefined && !isDelimiter(options.delimiter)) {
    throw queryError('options.delimiter', describe(options.delimiter), DELIMITER);
  }
  if (typeof header !== 'boolean' && !isTexts(header)) {
    throw queryError('options.header', describe(header), 'true, false or an array of names');
  }
  if (!isTexts(nullValues)) throw queryError('options.nullValues', describe(nullValues), 'an array of texts');
  const types = Object.fromEntries(
    Object.entries(options.types ?? {}).map(([name, type]) => [name, csvType(type, `options.types.${name}`)]),
  );
  return (delimiter) => ({
    delimiter: options.delimiter ?? delimiter,
    header,
    types,
    settled: {},
    nullValues,
  });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((it) => typeof it === 'string');
}

function csvType(type: unknown, place: string): DataType {
  const found = typeof type === 'string' ? typeNamed(type) : isArrowType(type) ? typeOf(type) : undefined;
  if (found !== undefined && isCsvType(found)) return found;
  const wanted = `${names.join(', ')}, Timestamp[unit] or Timestamp[unit, zone] with unit s, ms, us or ns`;
  throw queryError(place, found === undefined ? describe(type) : typeName(found), wanted);
}

function isArrowType(type: unknown): type is ArrowType {
  return typeof type === 'object' && type !== null && 'typeId' in type;
}

const ints = ([8, 16, 32, 64] as const).flatMap((bits) =>
  [true, false].map((signed): DataType => ({ kind: 'int', bits, signed })),
);
const plain: readonly DataType[] = [
  { kind: 'bool' },
  ...ints,
  { kind: 'float', bits: 32 },
  { kind: 'float', bits: 64 },
  { kind: 'utf8', form: 'plain' },
  { kind: 'date', unit: 'day' },
];
const names = plain.map(typeName);

function typeNamed(name: string): DataType | undefined {
  const timestamp = /^Timestamp\[(s|ms|us|ns)(?:, *([^\]]+))?\]$/.exec(name);
  if (timestamp === null) return plain[names.indexOf(name)];
  return { kind: 'timestamp', unit: timestamp[1] as TimeUnit, zone: timestamp[2] ?? null };
}
