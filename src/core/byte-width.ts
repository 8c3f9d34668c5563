import type { DataType } from './type.js';

/**
 * Bytes of one row in a column's `values`: 4 for Int32, 16 for a view, the width of the codes for a dictionary.
 * Undefined where rows have no width of their own in bytes: Null, Bool, text and binary with offsets, nested types.
 */
export function byteWidth(type: DataType): number | undefined {
  switch (type.kind) {
    case 'int':
    case 'float':
    case 'decimal':
      return type.bits / 8;
    case 'utf8':
    case 'binary':
      return type.form === 'view' ? 16 : undefined;
    case 'fixedBinary':
      return type.width;
    case 'date':
      return type.unit === 'day' ? 4 : 8;
    case 'time':
      return type.unit === 's' || type.unit === 'ms' ? 4 : 8;
    case 'timestamp':
    case 'duration':
      return 8;
    case 'interval':
      return 4;
    case 'dictionary':
      return byteWidth(type.index);
    case 'null':
    case 'bool':
    case 'list':
    case 'other':
      return undefined;
  }
}

/** Bytes of one offset: 4 (`plain`) or 8 (`large`); undefined where a column of this type has no offsets. */
export function offsetWidth(type: DataType): 4 | 8 | undefined {
  if (type.kind !== 'utf8' && type.kind !== 'binary') return undefined;
  return type.form === 'plain' ? 4 : type.form === 'large' ? 8 : undefined;
}
