import type { Batch } from '../core/column.js';
import { inputError } from '../core/errors.js';
import { typeName } from '../core/type.js';
import { type CsvColumn, createCsvColumn } from './csv-column.js';
import { lineAt } from './csv-cut.js';
import { type CsvField, layoutOf, requireFields } from './csv-describe.js';
import { type CsvForm, nullTest } from './csv-form.js';
import { CsvFault, CsvScanner, fieldText } from './csv-scan.js';
import { bytesOf, type Origin } from './origin.js';
import { type Description, indicesOf } from './part.js';

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

/** Rows of a batch. */
const batchRows = 65_536;

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
    return parts.length === 0 ? { fields, parts, rows: 0 } : { fields, parts };
  } catch (error) {
    throw located(error, origin);
  } finally {
    bytes.close();
  }
}

/**
 * Reads the records of a part. Columns lie in memory that the next batch uses again.
 * @throws InputError with the line and the column of what does not fit.
 */
export function* read(data: unknown, columns: readonly string[]): Generator<Batch, void> {
  const part = data as CsvPart;
  const { origin, form, start, end } = part;
  const indices = indicesOf(
    part.columns.map(({ name }) => name),
    columns,
    origin.name,
  );
  const bytes = bytesOf(origin);
  let text: Uint8Array;
  try {
    text = bytes.read(start, end);
  } finally {
    bytes.close();
  }
  const scanner = new CsvScanner(text, form.delimiter.charCodeAt(0), 0, part.columns.length);
  const fields = indices.map((index) => part.columns[index]);
  const built = fields.map(({ type, strict }) => createCsvColumn(type, batchRows, strict));
  const setRow = rowSetter(scanner, text, indices, fields, built, form);
  for (;;) {
    let rows = 0;
    try {
      while (rows < batchRows && scanner.next()) {
        requireFields(scanner, part.columns.length);
        setRow(rows);
        rows += 1;
      }
    } catch (error) {
      throw located(error instanceof CsvFault ? error.movedBy(start) : error, origin);
    }
    if (rows === 0) return;
    yield { rows, columns: built.map((column) => column.take(rows)) };
  }
}

function rowSetter(
  { starts, ends, quoting }: CsvScanner,
  text: Uint8Array,
  indices: readonly number[],
  fields: readonly CsvField[],
  built: readonly CsvColumn[],
  form: CsvForm,
): (row: number) => void {
  const isNull = nullTest(form);
  return (row) => {
    for (let i = 0; i < indices.length; i++) {
      const at = indices[i];
      const start = starts[at];
      const end = ends[at];
      if (isNull(text, start, end, quoting[at])) built[i].setNull(row);
      else if (!built[i].set(row, text, start, end, quoting[at])) {
        const { name, type, strict } = fields[i];
        const came = JSON.stringify(fieldText(text, start, Math.min(end, start + 60), quoting[at]));
        const wanted = type.kind === 'utf8' ? 'text in UTF-8' : typeName(type);
        throw new CsvFault(
          start,
          came,
          strict && type.kind !== 'utf8' ? `${wanted}, the inferred type` : wanted,
          name,
        );
      }
    }
  };
}

/** An InputError that names the line; found by counting, for only an error asks. */
function located(error: unknown, origin: Origin): unknown {
  if (!(error instanceof CsvFault)) return error;
  const bytes = bytesOf(origin);
  try {
    const column = error.column === undefined ? '' : `, column ${JSON.stringify(error.column)}`;
    const place = `${origin.name}, line ${lineAt(bytes, error.offset)}${column}`;
    return inputError(place, error.came, error.wanted);
  } finally {
    bytes.close();
  }
}
