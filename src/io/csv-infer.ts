import type { DataType } from '../core/type.js';
import { type CsvColumn, createCsvColumn } from './csv-column.js';

/** In the order of preference; what is none of them is text. */
const candidates: readonly DataType[] = [
  { kind: 'bool' },
  { kind: 'int', bits: 64, signed: true },
  { kind: 'float', bits: 64 },
  { kind: 'date', unit: 'day' },
  { kind: 'timestamp', unit: 'us', zone: null },
];

export const text: DataType = { kind: 'utf8', form: 'plain' };

/** Finds the type of a column: the first that can hold every value shown to it, else text. */
export class CsvTypeFinder {
  private left: readonly { readonly type: DataType; readonly column: CsvColumn }[] = candidates.map(
    (type) => ({
      type,
      column: createCsvColumn(type, 1, true),
    }),
  );
  private seen = false;

  /** Shows the text of a field that is not null. */
  see(bytes: Uint8Array, start: number, end: number, quoting: number): void {
    this.seen = true;
    // By the very code that will read the column, so that the two cannot differ.
    this.left = this.left.filter(({ column }) => column.set(0, bytes, start, end, quoting));
  }

  type(): DataType {
    return this.seen ? (this.left[0]?.type ?? text) : text;
  }
}
