import type { Batch } from '../core/column.js';
import { typeName } from '../core/type.js';
import { type CsvColumn, createCsvColumn } from './csv-column.js';
import { type CsvField, requireFields } from './csv-describe.js';
import { type CsvForm, nullTest } from './csv-form.js';
import { CsvFault, CsvScanner, fieldText } from './csv-scan.js';
import { indicesOf } from './part.js';

/** Rows of a batch; fewer where there are so many columns that their memory would be much. */
const mostRows = 65_536;
const leastRows = 1024;
const mostCells = 1 << 22;

/**
 * A reader of whole records that makes batches of the wanted columns. Columns lie in memory that the next batch uses again.
 * @param text holds all columns; what the reader throws where a value does not fit is a CsvFault with its offset in the text.
 * @throws InputError where there is no such column.
 */
export function createCsvRows(
  text: { readonly form: CsvForm; readonly columns: readonly CsvField[] },
  wanted: readonly string[],
  place: string,
): (records: Uint8Array) => Generator<Batch, void> {
  const { form, columns } = text;
  const indices = indicesOf(
    columns.map(({ name }) => name),
    wanted,
    place,
  );
  const fields = indices.map((index) => columns[index]);
  const batchRows = Math.max(leastRows, Math.min(mostRows, Math.floor(mostCells / indices.length)));
  const built = fields.map(({ type, strict }) => createCsvColumn(type, batchRows, strict));
  return function* (records) {
    const scanner = new CsvScanner(records, form.delimiter.charCodeAt(0), 0, columns.length);
    const setRow = rowSetter(scanner, records, indices, fields, built, form);
    for (;;) {
      let rows = 0;
      while (rows < batchRows && scanner.next()) {
        requireFields(scanner, columns.length);
        setRow(rows);
        rows += 1;
      }
      if (rows === 0) return;
      yield { rows, columns: built.map((column) => column.take(rows)) };
    }
  };
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
          strict && type.kind !== 'utf8'
            ? `${wanted}, the type of the first rows, or a type that is said`
            : wanted,
          name,
        );
      }
    }
  };
}
