import type { Value } from '../core/read-values.js';
import type { DataType } from '../core/type.js';
import type { Cell } from './column-readers.js';
import { textOf } from './value-text.js';

/** How a cell of a type is written in JSON: lists as arrays. */
export function jsonOf(type: DataType): (cell: Exclude<Cell, null>) => string {
  if (type.kind !== 'list') {
    const plain = plainJsonOf(type);
    return (cell) => plain(cell as Value);
  }
  const item = plainJsonOf(type.item);
  return (cell) =>
    `[${(cell as readonly (Value | null)[]).map((one) => (one === null ? 'null' : item(one))).join(',')}]`;
}

/** How a cell is written as text without quotes: lists as JSON. */
export function cellTextOf(type: DataType): (cell: Exclude<Cell, null>) => string {
  if (type.kind === 'list') return jsonOf(type);
  const text = textOf(type);
  return (cell) => text(cell as Value);
}

function plainJsonOf(type: DataType): (value: Value) => string {
  const text = textOf(type);
  const string = (value: Value): string => JSON.stringify(text(value));
  switch (type.kind) {
    case 'bool':
      return text;
    case 'int':
      return (value) => (Number.isSafeInteger(Number(value)) ? text(value) : string(value));
    case 'float':
      return (value) => (Number.isFinite(value) ? text(value) : string(value));
    default:
      return string;
  }
}
