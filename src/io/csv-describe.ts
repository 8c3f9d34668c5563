import { inputError } from '../core/errors.js';
import { otherDelimiter } from '../core/other-delimiter.js';
import type { Field } from '../core/type.js';
import { isCsvType } from './csv-column.js';
import { cutCsv } from './csv-cut.js';
import { type CsvForm, nullTest } from './csv-form.js';
import { CsvTypeFinder, text } from './csv-infer.js';
import { CsvFault, CsvScanner, fieldText } from './csv-scan.js';
import type { Bytes } from './origin.js';

/** What a text is made of. */
export interface CsvLayout {
  readonly columns: readonly CsvField[];
  /** Where each part begins, and the end of the text: parts hold whole records. */
  readonly cuts: readonly number[];
}

export interface CsvField extends Field {
  /** Whether the type was inferred, and text that would not survive it is refused. */
  readonly strict: boolean;
}

/** Bytes. What has longer names has no header, and perhaps no lines. */
const longestName = 1 << 16;

/** Rows that types are inferred from. */
export const inferredRows = 10_000;

/**
 * Reads the header, cuts the text into parts of about `partBytes`, and infers types.
 * @throws CsvFault, with the offset in the file; InputError
 */
export function layoutOf(bytes: Bytes, form: CsvForm, partBytes: number, place: string): CsvLayout {
  const begin = byteOrderMark(bytes);
  const delimiter = form.delimiter.charCodeAt(0);
  const cuts = cutCsv(bytes, delimiter, begin, partBytes);
  const { names, end } = headerOf(bytes.read(begin, cuts[1] ?? begin), begin, form);
  if (names.length === 0) throw inputError(place, 'no record', 'a header or a row at least');
  for (const name of Object.keys(form.types)) {
    if (names.includes(name)) continue;
    const there = names.map((it) => JSON.stringify(it)).join(', ');
    throw inputError(place, `a type for ${JSON.stringify(name)}`, `one for a column that is there: ${there}`);
  }
  const data = [...new Set(cuts.map((cut) => Math.max(cut, end)))];
  try {
    return { columns: fieldsOf(names, bytes, form, data), cuts: data };
  } catch (error) {
    const other = otherDelimiter(names);
    if (!(error instanceof CsvFault) || other === undefined) throw error;
    const wanted = `${error.wanted}; or the delimiter ${JSON.stringify(other)}, which the header has`;
    throw new CsvFault(error.offset, error.came, wanted, error.column);
  }
}

/** The length of the mark that a text may begin with. */
export function byteOrderMark(bytes: Pick<Bytes, 'size' | 'read'>): number {
  if (bytes.size < 3) return 0;
  const [a, b, c] = bytes.read(0, 3);
  return a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0;
}

/** The names of the columns, and where the header ends. */
function headerOf(head: Uint8Array, begin: number, form: CsvForm): { names: readonly string[]; end: number } {
  if (typeof form.header !== 'boolean') return { names: form.header, end: begin };
  const delimiter = form.delimiter.charCodeAt(0);
  const counter = new CsvScanner(head, delimiter, 0, 0);
  if (!counter.next()) return { names: [], end: begin };
  const { count } = counter;
  if (!form.header) return { names: Array.from({ length: count }, (_, i) => `column${i + 1}`), end: begin };
  const scanner = new CsvScanner(head, delimiter, 0, count);
  scanner.next();
  const { starts, ends, quoting } = scanner;
  for (let i = 0; i < count; i++) {
    if (ends[i] - starts[i] <= longestName) continue;
    const came = `a column name of ${ends[i] - starts[i]} bytes`;
    throw new CsvFault(begin + starts[i], came, `one of at most ${longestName}`);
  }
  return {
    names: Array.from({ length: count }, (_, i) => fieldText(head, starts[i], ends[i], quoting[i])),
    end: begin + scanner.position,
  };
}

function fieldsOf(
  names: readonly string[],
  bytes: Bytes,
  form: CsvForm,
  cuts: readonly number[],
): CsvField[] {
  const known = names.map((name): CsvField | undefined => {
    if (Object.hasOwn(form.types, name)) return { name, type: form.types[name], strict: false };
    const settled = Object.hasOwn(form.settled, name) ? form.settled[name] : text;
    return isCsvType(settled) && Object.hasOwn(form.settled, name)
      ? { name, type: settled, strict: true }
      : undefined;
  });
  const finders = known.map((field) => (field === undefined ? new CsvTypeFinder() : undefined));
  if (finders.some((finder) => finder !== undefined)) showRows(finders, bytes, form, cuts);
  return names.map((name, i) => known[i] ?? { name, type: finders[i]?.type() ?? text, strict: true });
}

function showRows(
  finders: readonly (CsvTypeFinder | undefined)[],
  bytes: Bytes,
  form: CsvForm,
  cuts: readonly number[],
): void {
  const isNull = nullTest(form);
  let rows = 0;
  for (let part = 0; part + 1 < cuts.length && rows < inferredRows; part++) {
    const piece = bytes.read(cuts[part], cuts[part + 1]);
    const scanner = new CsvScanner(piece, form.delimiter.charCodeAt(0), 0, finders.length);
    const { starts, ends, quoting } = scanner;
    try {
      for (; rows < inferredRows && scanner.next(); rows++) {
        requireFields(scanner, finders.length);
        for (const [i, finder] of finders.entries()) {
          if (isNull(piece, starts[i], ends[i], quoting[i])) continue;
          finder?.see(piece, starts[i], ends[i], quoting[i]);
        }
      }
    } catch (error) {
      throw error instanceof CsvFault ? error.movedBy(cuts[part]) : error;
    }
  }
}

/** @throws CsvFault where the record that was found last has more or fewer fields than there are columns. */
export function requireFields({ count, begin }: CsvScanner, columns: number): void {
  if (count === columns) return;
  throw new CsvFault(begin, `${count} ${count === 1 ? 'field' : 'fields'}`, `${columns}, one a column`);
}
