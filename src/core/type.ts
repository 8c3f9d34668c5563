/**
 * Arrow types as plain data: they cross threads by structured clone, and a `switch` over `kind` is how every
 * room of the house looks at a type.
 */
export type TimeUnit = 's' | 'ms' | 'us' | 'ns';

/** Ticks of a unit in a second. */
export const TICKS: Readonly<Record<TimeUnit, bigint>> = {
  s: 1n,
  ms: 1_000n,
  us: 1_000_000n,
  ns: 1_000_000_000n,
};

/** `plain`: 32-bit offsets. `large`: 64-bit offsets. `view`: 16-byte views into any number of buffers. */
export type BytesForm = 'plain' | 'large' | 'view';

export interface IntType {
  readonly kind: 'int';
  readonly bits: 8 | 16 | 32 | 64;
  readonly signed: boolean;
}

export type DataType =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool' }
  | IntType
  | { readonly kind: 'float'; readonly bits: 16 | 32 | 64 }
  | {
      readonly kind: 'decimal';
      readonly bits: 32 | 64 | 128 | 256;
      readonly precision: number;
      readonly scale: number;
    }
  | { readonly kind: 'utf8'; readonly form: BytesForm }
  | { readonly kind: 'binary'; readonly form: BytesForm }
  | { readonly kind: 'fixedBinary'; readonly width: number }
  /** `day`: 32 bits. `ms`: 64 bits. */
  | { readonly kind: 'date'; readonly unit: 'day' | 'ms' }
  /** Seconds and milliseconds have 32 bits, microseconds and nanoseconds 64. */
  | { readonly kind: 'time'; readonly unit: TimeUnit }
  | { readonly kind: 'timestamp'; readonly unit: TimeUnit; readonly zone: string | null }
  | { readonly kind: 'duration'; readonly unit: TimeUnit }
  /** Interval[YearMonth]: 32 bits. */
  | { readonly kind: 'interval' }
  | {
      readonly kind: 'dictionary';
      readonly index: IntType;
      readonly value: DataType;
      readonly ordered: boolean;
    }
  | { readonly kind: 'list'; readonly item: DataType }
  /** A type that rangefold does not read; `name` is Arrow's own word for it. */
  | { readonly kind: 'other'; readonly name: string };

export interface Field {
  readonly name: string;
  readonly type: DataType;
}

/** The type of a column's values: a dictionary is only an encoding. */
export function valueType(type: DataType): Exclude<DataType, { kind: 'dictionary' }> {
  return type.kind === 'dictionary' ? valueType(type.value) : type;
}

/** Arrow's way of writing a type, as error messages show it: `Int64`, `Timestamp[us, UTC]`, `Dictionary<Int32, Utf8>`. */
export function typeName(type: DataType): string {
  switch (type.kind) {
    case 'null':
      return 'Null';
    case 'bool':
      return 'Bool';
    case 'int':
      return `${type.signed ? 'Int' : 'Uint'}${type.bits}`;
    case 'float':
      return `Float${type.bits}`;
    case 'decimal':
      return `Decimal${type.bits}(${type.precision}, ${type.scale})`;
    case 'utf8':
    case 'binary': {
      const name = type.kind === 'utf8' ? 'Utf8' : 'Binary';
      return type.form === 'large' ? `Large${name}` : type.form === 'view' ? `${name}View` : name;
    }
    case 'fixedBinary':
      return `FixedSizeBinary(${type.width})`;
    case 'date':
      return type.unit === 'day' ? 'Date32' : 'Date64';
    case 'time':
      return `Time[${type.unit}]`;
    case 'timestamp':
      return type.zone === null ? `Timestamp[${type.unit}]` : `Timestamp[${type.unit}, ${type.zone}]`;
    case 'duration':
      return `Duration[${type.unit}]`;
    case 'interval':
      return 'Interval[YearMonth]';
    case 'dictionary':
      return `Dictionary<${typeName(type.index)}, ${typeName(type.value)}>`;
    case 'list':
      return `List<${typeName(type.item)}>`;
    case 'other':
      return type.name;
  }
}

export function sameType(a: DataType, b: DataType): boolean {
  return (
    typeName(a) === typeName(b) &&
    (a.kind !== 'dictionary' || b.kind !== 'dictionary' || a.ordered === b.ordered)
  );
}

/**
 * How the values of a type lie in the buffers of a column. Whoever reads, checks or builds columns looks at this, and at
 * the type only where it means something: a new type of a known layout is read, ordered and built at once.
 */
export type Layout =
  | { readonly form: 'none' }
  /** Packed bits, least significant first. */
  | { readonly form: 'bits' }
  /** Little-endian, in two's complement where `signed`. */
  | { readonly form: 'integer'; readonly bits: 8 | 16 | 32 | 64 | 128 | 256; readonly signed: boolean }
  | { readonly form: 'float'; readonly bits: 16 | 32 | 64 }
  /** `width` bytes each. */
  | { readonly form: 'bytes'; readonly width: number }
  /** Bytes between offsets of `width` bytes. */
  | { readonly form: 'offsets'; readonly width: 4 | 8 }
  | { readonly form: 'views' }
  /** Codes that stand for entries of a dictionary. */
  | { readonly form: 'codes'; readonly bits: IntType['bits']; readonly signed: boolean }
  /** Not read, not ordered. */
  | { readonly form: 'nested' };

export function layoutOf(type: DataType): Layout {
  switch (type.kind) {
    case 'null':
      return { form: 'none' };
    case 'bool':
      return { form: 'bits' };
    case 'int':
      return { form: 'integer', bits: type.bits, signed: type.signed };
    case 'float':
      return { form: 'float', bits: type.bits };
    case 'decimal':
      return { form: 'integer', bits: type.bits, signed: true };
    case 'utf8':
    case 'binary':
      return type.form === 'view'
        ? { form: 'views' }
        : { form: 'offsets', width: type.form === 'large' ? 8 : 4 };
    case 'fixedBinary':
      return { form: 'bytes', width: type.width };
    case 'date':
      return { form: 'integer', bits: type.unit === 'day' ? 32 : 64, signed: true };
    case 'time':
      return { form: 'integer', bits: type.unit === 's' || type.unit === 'ms' ? 32 : 64, signed: true };
    case 'timestamp':
    case 'duration':
      return { form: 'integer', bits: 64, signed: true };
    case 'interval':
      return { form: 'integer', bits: 32, signed: true };
    case 'dictionary':
      return { form: 'codes', bits: type.index.bits, signed: type.index.signed };
    case 'list':
    case 'other':
      return { form: 'nested' };
  }
}
