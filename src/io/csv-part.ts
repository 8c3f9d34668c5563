import type { Batch } from '../core/column.js';
import { lineAt } from './csv-cut.js';
import { type CsvField, layoutOf } from './csv-describe.js';
import type { CsvForm } from './csv-form.js';
import { createCsvRows } from './csv-rows.js';
import { CsvFault } from './csv-scan.js';
import { type Bytes, bytesOf, type Origin } from './origin.js';
import type { Description } from './part.js';

/** The records from byte `start` to before `end`. */
export interface CsvPart {
  readonly origin: Origin;
  readonly form: CsvForm;
  readonly columns: readonly CsvField[];
  readonly start: number;
  readonly end: number;
}

/** Enough that the cost of a part does not show, little enough that every worker has something to do. */
const partBytes = 8 << 20;

/** Columns and parts of a text. @throws InputError */
export function describe(data: {
  readonly origin: Origin;
  readonly form: CsvForm;
  readonly partBytes?: number;
}): Description {
  const { origin, form } = data;
  const bytes = bytesOf(origin);
  try {
    const { columns, cuts } = layoutOf(bytes, form, data.partBytes ?? partBytes, origin.name);
    const parts = cuts.slice(1).map((end, i) => ({
      data: { origin, form, columns, start: cuts[i], end } satisfies CsvPart,
    }));
    const fields = columns.map(({ name, type }) => ({ name, type }));
    if (parts.length === 0) return { fields, parts, rows: 0 };
    return { fields, parts, approximateRows: approximateRows(bytes, cuts[0]) };
  } catch (error) {
    throw located(error, origin);
  } finally {
    bytes.close();
  }
}

/** Bytes whose lines are counted. */
const sampledBytes = 1 << 16;

/** As many as if the lines of the whole text were as long as the first ones. */
function approximateRows(bytes: Bytes, from: number): number {
  const sample = bytes.read(from, Math.min(bytes.size, from + sampledBytes));
  const lines = sample.reduce((count, byte) => (byte === 10 ? count + 1 : count), 0);
  return Math.max(1, Math.round(((bytes.size - from) * lines) / sample.length));
}

/**
 * Reads the records of a part. Columns lie in memory that the next batch uses again.
 * @throws InputError with the line and the column of what does not fit.
 */
export function* read(data: unknown, columns: readonly string[]): Generator<Batch, void> {
  const part = data as CsvPart;
  const { origin, start, end } = part;
  const bytes = bytesOf(origin);
  let text: Uint8Array;
  try {
    text = bytes.read(start, end);
  } finally {
    bytes.close();
  }
  const rows = createCsvRows(part, columns, origin.name);
  try {
    yield* rows(text);
  } catch (error) {
    throw located(error instanceof CsvFault ? error.movedBy(start) : error, origin);
  }
}

/** An InputError that names the line; found by counting, for only an error asks. */
function located(error: unknown, origin: Origin): unknown {
  if (!(error instanceof CsvFault)) return error;
  const bytes = bytesOf(origin);
  try {
    return error.at(origin.name, lineAt(bytes, error.offset));
  } finally {
    bytes.close();
  }
}
