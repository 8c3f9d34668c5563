import { type DataType, layoutOf } from './type.js';

/**
 * Bytes of one row in a column's `values`: 4 for Int32, 16 for a view, the width of the codes for a dictionary.
 * Undefined where rows have no width of their own in bytes: Null, Bool, text and binary with offsets, nested types.
 */
export function byteWidth(type: DataType): number | undefined {
  const layout = layoutOf(type);
  switch (layout.form) {
    case 'integer':
    case 'float':
    case 'codes':
      return layout.bits / 8;
    case 'bytes':
      return layout.width;
    case 'views':
      return 16;
    default:
      return undefined;
  }
}

/** Bytes of one offset: 4 (`plain`) or 8 (`large`); undefined where a column of this type has no offsets. */
export function offsetWidth(type: DataType): 4 | 8 | undefined {
  const layout = layoutOf(type);
  return layout.form === 'offsets' ? layout.width : undefined;
}
