import type { Batch } from '../core/column.js';
import { inputError } from '../core/errors.js';
import { lastRecordEnd, lineAt } from './csv-cut.js';
import { byteOrderMark, type CsvField, inferredRows, layoutOf } from './csv-describe.js';
import type { CsvForm } from './csv-form.js';
import { createCsvRows } from './csv-rows.js';
import { CsvFault, CsvScanner } from './csv-scan.js';
import { inflated } from './gzip.js';
import { bytesOf, type Origin } from './origin.js';
import type { Description } from './part.js';

/** All records of a text that is compressed with gzip: such a text can be read from its beginning only. */
export interface CsvGzipPart {
  readonly origin: Origin;
  readonly form: CsvForm;
  readonly columns: readonly CsvField[];
  /** Where the first record after the header begins, in bytes of the text. */
  readonly start: number;
  readonly windowBytes: number;
}

/** What is longer has no record ends: a few bytes of gzip can hold any number of such bytes. */
const longestRecord = 1 << 29;
/** Inflated bytes held at a time. */
const wholeWindowBytes = 4 << 20;

/** Columns of a text, of which no more is inflated than types are inferred from. @throws InputError */
export async function describe(data: {
  readonly origin: Origin;
  readonly form: CsvForm;
  readonly windowBytes?: number;
}): Promise<Description> {
  const { origin, form, windowBytes = wholeWindowBytes } = data;
  const head = await headOf(origin, form, windowBytes);
  const bytes = bytesOf({ name: origin.name, id: origin.id, bytes: head, size: head.length });
  try {
    const { columns, cuts } = layoutOf(bytes, form, head.length + 1, origin.name);
    const fields = columns.map(({ name, type }) => ({ name, type }));
    if (cuts.length === 1) return { fields, parts: [], rows: 0 };
    const part: CsvGzipPart = { origin, form, columns, start: cuts[0], windowBytes };
    return { fields, parts: [{ data: part }] };
  } catch (error) {
    throw error instanceof CsvFault ? error.at(origin.name, lineAt(bytes, error.offset)) : error;
  }
}

/**
 * Reads the records. Columns lie in memory that the next batch uses again.
 * @throws InputError with the line and the column of what does not fit, or where the compressed bytes are damaged.
 */
export async function* read(data: unknown, columns: readonly string[]): AsyncGenerator<Batch, void> {
  const part = data as CsvGzipPart;
  const { origin, form, start, windowBytes } = part;
  const rows = createCsvRows(part, columns, origin.name);
  let offset = 0;
  for await (const records of windowsOf(origin, form, windowBytes)) {
    // The header stands in the first window, which holds whole records.
    const from = offset === 0 ? start : 0;
    try {
      yield* rows(records.subarray(from));
    } catch (error) {
      if (!(error instanceof CsvFault)) throw error;
      throw error.at(origin.name, await lineOf(origin, offset + from + error.offset));
    }
    offset += records.length;
  }
}

/** A text in windows of whole records. */
async function* windowsOf(
  origin: Origin,
  form: CsvForm,
  windowBytes: number,
): AsyncGenerator<Uint8Array, void> {
  const delimiter = form.delimiter.charCodeAt(0);
  let isFirst = true;
  let pieces: Uint8Array[] = [];
  let size = 0;
  let target = windowBytes;
  for await (const piece of inflated(origin)) {
    pieces.push(piece);
    size += piece.length;
    if (size < target) continue;
    const text = Buffer.concat(pieces);
    const begin = isFirst
      ? byteOrderMark({ size: text.length, read: (from, to) => text.subarray(from, to) })
      : 0;
    const end = lastRecordEnd(text, delimiter, begin);
    if (end > 0) {
      isFirst = false;
      yield text.subarray(0, end);
    }
    const rest = text.subarray(end);
    if (rest.length > longestRecord) {
      throw inputError(
        origin.name,
        `a record of more than ${longestRecord} bytes`,
        'text whose records are shorter than that',
      );
    }
    pieces = [rest];
    size = rest.length;
    // A record that is longer than a window is looked through again each time the window has doubled.
    target = Math.max(windowBytes, 2 * size);
  }
  if (size > 0) yield Buffer.concat(pieces);
}

/** The windows that types are inferred from. */
async function headOf(origin: Origin, form: CsvForm, windowBytes: number): Promise<Uint8Array> {
  const windows: Uint8Array[] = [];
  let records = 0;
  for await (const window of windowsOf(origin, form, windowBytes)) {
    windows.push(window);
    const scanner = new CsvScanner(window, form.delimiter.charCodeAt(0), 0, 0);
    try {
      while (records <= inferredRows && scanner.next()) records += 1;
    } catch (error) {
      // It is found again, and told with its line, where the head is read.
      if (!(error instanceof CsvFault)) throw error;
      break;
    }
    if (records > inferredRows) break;
  }
  return Buffer.concat(windows);
}

/** The line, counted from 1, that the byte at `offset` of the text stands on; found by counting, for only an error asks. */
async function lineOf(origin: Origin, offset: number): Promise<number> {
  let line = 1;
  let start = 0;
  for await (const piece of inflated(origin)) {
    const before = piece.subarray(0, offset - start);
    for (let at = before.indexOf(10); at !== -1; at = before.indexOf(10, at + 1)) line += 1;
    start += piece.length;
    if (start >= offset) break;
  }
  return line;
}
