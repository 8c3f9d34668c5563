import {
  Field as ArrowField,
  TimeUnit as ArrowTimeUnit,
  type DataType as ArrowType,
  Binary,
  BinaryView,
  Bool,
  Date_,
  DateUnit,
  Decimal,
  Dictionary,
  Duration,
  FixedSizeBinary,
  Float,
  Int,
  type Int32,
  Interval,
  IntervalUnit,
  LargeBinary,
  LargeUtf8,
  List,
  Null,
  Precision,
  Time,
  Timestamp,
  Type,
  Utf8,
  Utf8View,
} from 'apache-arrow';
import { byteWidth } from './byte-width.js';
import type { BytesForm, DataType, IntType, TimeUnit } from './type.js';

/** A type as plain data; one that rangefold does not know is of kind 'other' under Arrow's own word for it. */
export function typeOf(arrow: ArrowType): DataType {
  switch (arrow.typeId as Type) {
    case Type.Null:
      return { kind: 'null' };
    case Type.Bool:
      return { kind: 'bool' };
    case Type.Int:
      return intTypeOf(arrow as Int);
    case Type.Float:
      return { kind: 'float', bits: ([16, 32, 64] as const)[(arrow as Float).precision] };
    case Type.Decimal: {
      const { bitWidth, precision, scale } = arrow as Decimal;
      const bits = ([32, 64, 128, 256] as const).find((width) => width === bitWidth);
      return bits === undefined ? otherType(arrow) : { kind: 'decimal', bits, precision, scale };
    }
    case Type.Utf8:
      return bytesType('utf8', 'plain');
    case Type.LargeUtf8:
      return bytesType('utf8', 'large');
    case Type.Utf8View:
      return bytesType('utf8', 'view');
    case Type.Binary:
      return bytesType('binary', 'plain');
    case Type.LargeBinary:
      return bytesType('binary', 'large');
    case Type.BinaryView:
      return bytesType('binary', 'view');
    case Type.FixedSizeBinary:
      return { kind: 'fixedBinary', width: (arrow as FixedSizeBinary).byteWidth };
    case Type.Date:
      return { kind: 'date', unit: (arrow as Date_).unit === DateUnit.DAY ? 'day' : 'ms' };
    case Type.Time: {
      const type: DataType = { kind: 'time', unit: timeUnitOf((arrow as Time).unit) };
      // The format ties the width to the unit; apache-arrow makes any pair of them.
      return byteWidth(type) === (arrow as Time).bitWidth / 8 ? type : otherType(arrow);
    }
    case Type.Timestamp: {
      const { unit, timezone } = arrow as Timestamp;
      // Arrow's schema format gives the empty zone the meaning of no zone.
      return { kind: 'timestamp', unit: timeUnitOf(unit), zone: timezone ? timezone : null };
    }
    case Type.Duration:
      return { kind: 'duration', unit: timeUnitOf((arrow as Duration).unit) };
    case Type.Interval:
      // Days and months have no common length, so the other intervals have no order.
      return (arrow as Interval).unit === IntervalUnit.YEAR_MONTH ? { kind: 'interval' } : otherType(arrow);
    case Type.Dictionary: {
      const { indices, dictionary, isOrdered } = arrow as Dictionary;
      const value = typeOf(dictionary);
      if (value.kind === 'dictionary') return otherType(arrow);
      return { kind: 'dictionary', index: intTypeOf(indices), value, ordered: isOrdered };
    }
    case Type.List:
      return { kind: 'list', item: typeOf((arrow as List).valueType) };
    default:
      return otherType(arrow);
  }
}

function otherType(arrow: ArrowType): DataType {
  return { kind: 'other', name: String(arrow) };
}

function intTypeOf(arrow: Int): IntType {
  return { kind: 'int', bits: arrow.bitWidth, signed: arrow.isSigned };
}

function bytesType(kind: 'utf8' | 'binary', form: BytesForm): DataType {
  return { kind, form };
}

function timeUnitOf(unit: ArrowTimeUnit): TimeUnit {
  switch (unit) {
    case ArrowTimeUnit.SECOND:
      return 's';
    case ArrowTimeUnit.MILLISECOND:
      return 'ms';
    case ArrowTimeUnit.MICROSECOND:
      return 'us';
    case ArrowTimeUnit.NANOSECOND:
      return 'ns';
  }
}

/** An Arrow type. A dictionary type is a new dictionary each time. */
export function arrowType(type: DataType): ArrowType {
  switch (type.kind) {
    case 'null':
      return new Null();
    case 'bool':
      return new Bool();
    case 'int':
      return intType(type);
    case 'float':
      return new Float({ 16: Precision.HALF, 32: Precision.SINGLE, 64: Precision.DOUBLE }[type.bits]);
    case 'decimal':
      return new Decimal(type.scale, type.precision, type.bits);
    case 'utf8':
      return type.form === 'plain' ? new Utf8() : type.form === 'large' ? new LargeUtf8() : new Utf8View();
    case 'binary':
      return type.form === 'plain'
        ? new Binary()
        : type.form === 'large'
          ? new LargeBinary()
          : new BinaryView();
    case 'fixedBinary':
      return new FixedSizeBinary(type.width);
    case 'date':
      return new Date_(type.unit === 'day' ? DateUnit.DAY : DateUnit.MILLISECOND);
    case 'time':
      return new Time(TIME_UNITS[type.unit], type.unit === 's' || type.unit === 'ms' ? 32 : 64);
    case 'timestamp':
      return new Timestamp(TIME_UNITS[type.unit], type.zone);
    case 'duration':
      return new Duration(TIME_UNITS[type.unit]);
    case 'interval':
      return new Interval(IntervalUnit.YEAR_MONTH);
    case 'dictionary':
      return new Dictionary(arrowType(type.value), intType(type.index), null, type.ordered);
    case 'list':
      return new List(new ArrowField('item', arrowType(type.item), true));
    case 'other':
      throw new TypeError(`no Arrow type can be made of ${type.name}`);
  }
}

function intType({ signed, bits }: IntType): Int32 {
  // apache-arrow's own types give each width a class and a key; at run time the two arguments are all there is.
  return new Int<Type.Int32>(signed as true, bits as 32) as Int32;
}

const TIME_UNITS: Readonly<Record<TimeUnit, ArrowTimeUnit>> = {
  s: ArrowTimeUnit.SECOND,
  ms: ArrowTimeUnit.MILLISECOND,
  us: ArrowTimeUnit.MICROSECOND,
  ns: ArrowTimeUnit.NANOSECOND,
};
