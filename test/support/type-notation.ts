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
