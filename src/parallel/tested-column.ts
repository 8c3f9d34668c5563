import { type Column, isValid } from '../core/column.js';
import type { Readable } from '../core/evaluate.js';
import { codeReader, offsetReader, valueReader } from '../core/read-values.js';
import { layoutOf } from '../core/type.js';
import type { Starts } from './place.js';

/**
 * A column of a morsel as conditions see it. Unlike other readers it trusts neither offsets nor codes: `fail` is called for
 * the first row that lies outside.
 */
export function testedColumn(column: Column, starts: Starts, fail: (row: number) => never): Readable {
  const { type } = column;
  const read = (): ((row: number) => ReturnType<Readable['read']>) => {
    if (type.kind === 'dictionary') {
      const { dictionary } = column;
      if (dictionary === undefined) return fail;
      const entry = testedColumn(dictionary, [], fail).read;
      const code = codeReader(type.index, column);
      return (row) => {
        const at = code(row);
        return at >= 0 && at < dictionary.length ? entry(at) : fail(row);
      };
    }
    const { form } = layoutOf(type);
    if (form === 'offsets') {
      const offset = offsetReader(column);
      const first = starts[0] ?? 0;
      return (row) => {
        const from = offset(row) - first;
        const to = offset(row + 1) - first;
        if (from < 0 || to < from || to > column.values.length) return fail(row);
        return column.values.subarray(from, to);
      };
    }
    if (form === 'views') return viewReader(column, starts, fail);
    return valueReader(column);
  };
  const value = read();
  return { type, read: (row) => (isValid(column, row) ? value(row) : null) };
}

function viewReader(
  { values, buffers = [] }: Column,
  starts: Starts,
  fail: (row: number) => never,
): (row: number) => Uint8Array {
  const view = new DataView(values.buffer, values.byteOffset, values.length);
  return (row) => {
    const at = 16 * row;
    const length = view.getInt32(at, true);
    if (length >= 0 && length <= 12) return values.subarray(at + 4, at + 4 + length);
    const index = view.getInt32(at + 8, true);
    const buffer = buffers[index];
    if (length < 0 || buffer === undefined) return fail(row);
    const from = view.getInt32(at + 12, true) - (starts[index] ?? 0);
    if (from < 0 || from + length > buffer.length) return fail(row);
    return buffer.subarray(from, from + length);
  };
}
