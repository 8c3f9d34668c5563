import {
  Binary,
  BinaryView,
  Bool,
  type DataType,
  Date_,
  DateUnit,
  Decimal,
  Dictionary,
  Duration,
  Field,
  FixedSizeBinary,
  Float,
  Int,
  Interval,
  IntervalUnit,
  LargeBinary,
  LargeUtf8,
  List,
  Null,
  Precision,
  Struct,
  Time,
  Timestamp,
  TimeUnit,
  Utf8,
  Utf8View,
} from 'apache-arrow';
import type { Cell } from './cell.js';

const UNITS: Readonly<Record<string, TimeUnit>> = {
  s: TimeUnit.SECOND,
  ms: TimeUnit.MILLISECOND,
  us: TimeUnit.MICROSECOND,
  ns: TimeUnit.NANOSECOND,
};

const SIMPLE: ReadonlyMap<string, () => DataType> = new Map<string, () => DataType>([
  ['null', () => new Null()],
  ['bool', () => new Bool()],
  ['f16', () => new Float(Precision.HALF)],
  ['f32', () => new Float(Precision.SINGLE)],
  ['f64', () => new Float(Precision.DOUBLE)],
  ['utf8', () => new Utf8()],
  ['large_utf8', () => new LargeUtf8()],
  ['utf8_view', () => new Utf8View()],
  ['binary', () => new Binary()],
  ['large_binary', () => new LargeBinary()],
  ['binary_view', () => new BinaryView()],
  ['date32', () => new Date_(DateUnit.DAY)],
  ['date64', () => new Date_(DateUnit.MILLISECOND)],
  ['interval', () => new Interval(IntervalUnit.YEAR_MONTH)],
  ['interval[day_time]', () => new Interval(IntervalUnit.DAY_TIME)],
  ['interval[month_day_nano]', () => new Interval(IntervalUnit.MONTH_DAY_NANO)],
]);

/** What a name with parameters stands for; the groups of the pattern are its parameters. */
const PATTERNS: readonly (readonly [pattern: RegExp, make: (...parameters: string[]) => DataType])[] = [
  [/^([iu])(8|16|32|64)$/, (sign, bits) => new Int((sign === 'i') as true, Number(bits) as 32)],
  [
    /^decimal(32|64|128|256)\((\d+),(-?\d+)\)$/,
    (bits, precision, scale) => new Decimal(+scale, +precision, +bits),
  ],
  [/^fixed\((\d+)\)$/, (width) => new FixedSizeBinary(+width)],
  [/^time(32|64)\[(s|ms|us|ns)\]$/, (bits, unit) => new Time(UNITS[unit], +bits as 32)],
  [/^timestamp\[(s|ms|us|ns)(?:,(.+))?\]$/, (unit, zone) => new Timestamp(UNITS[unit], zone)],
  [/^duration\[(s|ms|us|ns)\]$/, (unit) => new Duration(UNITS[unit])],
  [
    /^dict<([iu]\d+),(.+?)(,ordered)?>$/,
    (index, value, ordered) =>
      new Dictionary(typeOf(value), typeOf(index) as Dictionary['indices'], null, ordered !== undefined),
  ],
  [/^list<(.+)>$/, (item) => new List(new Field('item', typeOf(item), true))],
  [/^struct<(.+)>$/, (field) => new Struct([new Field('x', typeOf(field), true)])],
];

/** An Arrow type by its short name, as `i8`, `f64`, `decimal128(10,2)`, `timestamp[us,UTC]`, `dict<i8,utf8>`. */
export function typeOf(name: string): DataType {
  const simple = SIMPLE.get(name);
  if (simple !== undefined) return simple();
  for (const [pattern, make] of PATTERNS) {
    const match = pattern.exec(name);
    if (match !== null) return make(...match.slice(1));
  }
  throw new Error(`no type ${name}`);
}

const BITS = '0123456789abcdef';

/** Some values of every type that can be a key, in the order of keys, each another key. */
export const SAMPLES: readonly (readonly [type: string, ascending: readonly Cell[]])[] = [
  ['null', []],
  ['bool', [false, true]],
  ['i8', [-128, -1, 0, 127]],
  ['i16', [-32768, -1, 255, 256]],
  ['i32', [-2147483648, 0, 65536, 2147483647]],
  ['i64', ['-9223372036854775808', '-1', '4294967296', '9007199254740993']],
  ['u8', [0, 127, 128, 255]],
  ['u16', [0, 32768, 65535]],
  ['u32', [0, 2147483648, 4294967295]],
  ['u64', ['0', '9223372036854775808', '18446744073709551615']],
  ['f16', ['-Inf', -1.5, 0, 0.25, 'NaN']],
  ['f32', ['-Inf', -1.5, 0, 16777216, 'Inf', 'NaN']],
  ['f64', [-1e300, -5e-324, 0, 0.1, 'Inf', 'NaN']],
  ['decimal32(9,2)', ['-9999999.99', '-0.01', '0.00', '9999999.99']],
  ['decimal64(18,0)', ['-999999999999999999', '-1', '4294967296']],
  ['decimal128(38,4)', ['-18446744073709551616.0000', '-0.0001', '0.0000', '18446744073709551616.0000']],
  ['decimal256(76,0)', [`-1${'0'.repeat(60)}`, '-1', '18446744073709551616', `1${'0'.repeat(75)}`]],
  ['utf8', ['', 'a', 'a\0', 'a text that no view holds', 'é', '\u{10000}']],
  ['large_utf8', ['', 'Z', 'a', '\uffff', '\u{10000}']],
  ['utf8_view', ['', 'exactly12byt', 'exactly12byte', 'exactly12bytes', 'z']],
  ['binary', ['0x', '0x00', '0x7f', '0x80', '0xff']],
  ['large_binary', ['0x', '0x0000', '0x01', '0xffff']],
  ['binary_view', ['0x', '0x00', `0x${BITS}${BITS}`, `0x${BITS}${BITS}00`, '0xff']],
  ['fixed(3)', ['0x000000', '0x00ff00', '0x7fffff', '0x800000']],
  ['fixed(16)', [`0x${'00'.repeat(16)}`, `0x${BITS}${BITS}`, `0x${'ff'.repeat(16)}`]],
  ['date32', [-2147483648, -1, 0, 19000]],
  ['date64', ['-86400000', '0', '1', '9007199254740993']],
  ['time32[s]', [0, 1, 86399]],
  ['time32[ms]', [0, 1000, 86399999]],
  ['time64[us]', ['0', '1', '86399999999']],
  ['time64[ns]', ['0', '1', '86399999999999']],
  ['timestamp[s]', ['-1', '0', '1700000000']],
  ['timestamp[ms,Europe/Berlin]', ['-1', '0', '1700000000000']],
  ['timestamp[us,UTC]', ['-9223372036854775808', '9007199254740992', '9007199254740993']],
  ['timestamp[ns]', ['-1', '0', '9223372036854775807']],
  ['duration[s]', ['-1', '0', '1']],
  ['duration[ms]', ['-86400000', '0', '5']],
  ['duration[us]', ['-4294967296', '0', '4294967296']],
  ['duration[ns]', ['-9223372036854775808', '0', '1']],
  ['interval', [-2147483648, -1, 0, 14]],
  ['dict<i8,utf8>', ['', 'a', 'b', 'é']],
  ['dict<u16,utf8_view>', ['a text that no view holds', 'b']],
  ['dict<i32,i16>', [-300, 0, 7]],
  ['dict<i64,f64>', ['-Inf', 0, 'NaN']],
  ['dict<u64,decimal128(10,2)>', ['-0.01', '0.01']],
  ['dict<u32,bool>', [false, true]],
  ['dict<u8,fixed(2)>', ['0x00ff', '0xff00']],
];

/** The type of a column of the answer: a dictionary comes out as its value type. */
export function valueTypeOf(type: string): string {
  return /^dict<[iu]\d+,(.+)>$/.exec(type)?.[1] ?? type;
}
