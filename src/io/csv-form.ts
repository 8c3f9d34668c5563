import type { DataType } from '../core/type.js';
import { Quoting } from './csv-scan.js';

/** How a text is to be read. Plain data. */
export interface CsvForm {
  /** One ASCII character. */
  readonly delimiter: string;
  /** Whether the first record names the columns; or their names, where no record does. */
  readonly header: boolean | readonly string[];
  /** Types by column; those of other columns are inferred. */
  readonly types: Readonly<Record<string, DataType>>;
  /** Types that another file of the same input settled; values are held to them as to inferred ones. */
  readonly settled: Readonly<Record<string, DataType>>;
  /** Unquoted fields of one of these texts are null. */
  readonly nullValues: readonly string[];
}

/** Whether something can stand between fields: one ASCII character, no quote and no line end. */
export function isDelimiter(value: unknown): value is string {
  return typeof value === 'string' && /^[\0-\x7f]$/.test(value) && !'"\r\n'.includes(value);
}

/** What is wanted where it cannot. */
export const DELIMITER = 'one ASCII character, no quote and no line end';

export type NullTest = (bytes: Uint8Array, start: number, end: number, quoting: number) => boolean;

export function nullTest({ nullValues }: CsvForm): NullTest {
  const texts = nullValues.map((text) => new TextEncoder().encode(text));
  const lengths = new Set(texts.map(({ length }) => length));
  return (bytes, start, end, quoting) =>
    quoting === Quoting.none &&
    lengths.has(end - start) &&
    texts.some((text) => text.length === end - start && text.every((byte, i) => byte === bytes[start + i]));
}
