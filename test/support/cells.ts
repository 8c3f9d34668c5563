import type { Bool, Data, RecordBatch, Table, Utf8 } from 'apache-arrow';
import { Type } from 'apache-arrow';
import { bytesOf, type Cell, floatOf } from './notation.js';

/** An answer as plain text by which two answers are equal exactly where their schemas, values and bits are. */
export interface Cells {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Reads an answer from its buffers, and checks what is promised of every answer's form on the way: nullable fields, no
 * validity where nothing is null, zeros under nulls.
 */
export function cellsOf(table: Table): Cells {
  return {
    columns: table.schema.fields.map(({ name, type, nullable }) => {
      if (!nullable) throw new Error(`field ${name} is not nullable`);
      return `${name}: ${type}`;
    }),
    rows: table.batches.flatMap(rowsOf),
  };
}

function rowsOf(batch: RecordBatch): string[][] {
  const columns = batch.data.children.map(textsOf);
  return Array.from({ length: batch.numRows }, (_, row) => columns.map((column) => column[row]));
}

function textsOf(data: Data): string[] {
  const { length, offset, nullBitmap } = data;
  const valid = (row: number): boolean =>
    nullBitmap === undefined || nullBitmap === null || nullBitmap.length === 0
      ? true
      : ((nullBitmap[(offset + row) >> 3] >> ((offset + row) & 7)) & 1) === 1;
  const rows = Array.from({ length }, (_, row) => row);
  const nulls = rows.filter((row) => !valid(row)).length;
  if (nulls !== data.nullCount) throw new Error(`${nulls} rows are null, not ${data.nullCount}`);
  if (nulls === 0 && (nullBitmap?.length ?? 0) > 0)
    throw new Error('a validity bitmap where nothing is null');
  const text = textReader(data);
  const zero = text(-1);
  return rows.map((row) => {
    if (valid(row)) return text(row);
    if (text(row) !== zero) throw new Error(`${text(row)} under the null of row ${row}`);
    return 'null';
  });
}

/** Row -1 stands for a slot of zeros. */
function textReader(data: Data): (row: number) => string {
  const { type, offset } = data;
  if (type.typeId === Type.Bool) {
    const { values } = data as Data<Bool>;
    return (row) =>
      row < 0 ? 'false' : String(((values[(offset + row) >> 3] >> ((offset + row) & 7)) & 1) === 1);
  }
  if (type.typeId === Type.Utf8) {
    const { values, valueOffsets } = data as Data<Utf8>;
    return (row) =>
      textCell(row < 0 ? new Uint8Array(0) : values.subarray(valueOffsets[row], valueOffsets[row + 1]));
  }
  const values = data.values as Int32Array;
  if (values.length !== data.length) throw new Error(`${values.length} values in ${data.length} rows`);
  if (type.typeId === Type.Float) {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const width = values.BYTES_PER_ELEMENT;
    return (row) => hex(row < 0 ? new Uint8Array(width) : bytes.subarray(row * width, (row + 1) * width));
  }
  return (row) => (row < 0 ? '0' : String(values[row]));
}

/** What {@link cellsOf} must say of a cell that is written in JSON. */
export function expected(type: string, cell: Cell): string {
  if (cell === null) return 'null';
  switch (type) {
    case 'utf8':
      return textCell(bytesOf(cell));
    case 'f64':
      return floatCell(Float64Array.of(floatOf(cell)), '000000000000f87f');
    case 'f32':
      return floatCell(Float32Array.of(floatOf(cell)), '0000c07f');
    default:
      return String(cell);
  }
}

function floatCell(value: Float64Array | Float32Array, nan: string): string {
  return Number.isNaN(value[0]) ? nan : hex(new Uint8Array(value.buffer));
}

function textCell(bytes: Uint8Array): string {
  return `${JSON.stringify(new TextDecoder().decode(bytes))} ${hex(bytes)}`;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
