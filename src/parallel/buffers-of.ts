import type { Column } from '../core/column.js';

interface Buffers extends Pick<Column, 'values' | 'offsets' | 'validity' | 'buffers'> {
  readonly items?: Buffers;
}

/** The buffers of columns, each once: what a message moves instead of copying it. */
export function buffersOf(columns: readonly Buffers[]): ArrayBuffer[] {
  return [...new Set(columns.flatMap(ofColumn))];
}

function ofColumn(column: Buffers): ArrayBuffer[] {
  const { values, offsets, validity, buffers = [], items } = column;
  return [
    ...[values, offsets, validity, ...buffers].flatMap((bytes) =>
      bytes?.buffer instanceof ArrayBuffer ? [bytes.buffer] : [],
    ),
    ...(items === undefined ? [] : ofColumn(items)),
  ];
}
