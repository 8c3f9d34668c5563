import { createRequire } from 'node:module';
import type * as ParquetWasm from 'parquet-wasm/node';
import type { Batch } from '../core/column.js';
import { InputError, inputError } from '../core/errors.js';
import { type Field, typeName } from '../core/type.js';
import { columnsAt, fieldsAt, rowsAt } from './c-data.js';
import { bytesOf, type Origin } from './origin.js';
import { rowGroupExcerpt, schemaExcerpt } from './parquet-excerpt.js';
import { type Footer, type RowGroup, readFooter } from './parquet-footer.js';
import { timestampsOf } from './parquet-int96.js';
import { isWithoutPackage, PACKAGE } from './parquet-package.js';
import { type Description, indicesOf, isReadable } from './part.js';

/** One row group. */
export interface ParquetPart {
  readonly origin: Origin;
  readonly rowGroup: number;
}

/** Fields and row groups of a Parquet file. @throws InputError */
export function describe({ origin }: { readonly origin: Origin }): Description {
  const footer = footerOf(origin);
  const fields = decoding(origin.name, () => {
    const schema = decoder().readSchema(schemaExcerpt(footer)).intoFFI();
    try {
      return fieldsAt(decoder().wasmMemory().buffer, schema.addr());
    } finally {
      schema.free();
    }
  });
  const parts = footer.rowGroups.map(({ rows }, rowGroup) => ({
    data: { origin, rowGroup } satisfies ParquetPart,
    rows,
  }));
  return {
    fields: fields.map((field, i) => (footer.columns[i].int96 ? { ...field, type: nanoseconds } : field)),
    parts,
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
  };
}

const nanoseconds: Field['type'] = { kind: 'timestamp', unit: 'ns', zone: null };

/**
 * Reads a row group. The columns lie in the decoder's own memory, but for INT96.
 * @throws InputError where the bytes are damaged, or a column's type is not read.
 */
export function* read(data: unknown, columns: readonly string[]): Generator<Batch, void> {
  const { origin, rowGroup } = data as ParquetPart;
  const place = `${origin.name}, row group ${rowGroup}`;
  const footer = footerOf(origin);
  const group = footer.rowGroups[rowGroup];
  if (group === undefined) throw inputError(place, `${footer.rowGroups.length} row groups`, 'more');
  const wanted = indicesOf(
    footer.columns.map(({ name }) => name),
    columns,
    place,
  );
  if (wanted.length === 0) {
    if (group.rows > 0) yield { rows: group.rows, columns: [] };
    return;
  }
  let rows = 0;
  for (const batch of decode(origin, footer, group, wanted, place)) {
    rows += batch.rows;
    yield batch;
  }
  if (rows !== group.rows) throw inputError(place, `${rows} rows`, `${group.rows}, as the footer says`);
}

/** Rows of a batch: enough that the cost of a batch does not show, and its columns still fit a cache. */
const batchSize = 65_536;

function* decode(
  origin: Origin,
  footer: Footer,
  group: RowGroup,
  wanted: readonly number[],
  place: string,
): Generator<Batch, void> {
  const present = [...new Set(wanted)].sort((a, b) => a - b);
  const stream = decoding(place, () => {
    const bytes = bytesOf(origin);
    try {
      const excerpt = rowGroupExcerpt(footer, group, present, bytes);
      return decoder().readParquet(excerpt, { batchSize }).intoFFI();
    } finally {
      bytes.close();
    }
  });
  try {
    const { wasmMemory } = decoder();
    const fields = fieldsAt(wasmMemory().buffer, stream.schemaAddr());
    const indices = wanted.map((index) => present.indexOf(index));
    for (const index of indices) requireReadable(fields[index], place);
    for (let i = 0; i < stream.numArrays(); i++) {
      const address = stream.arrayAddr(i);
      const { buffer } = wasmMemory();
      const columns = columnsAt(buffer, address, fields, indices).map((column, at) => {
        const { name, int96 } = footer.columns[wanted[at]];
        return int96 ? timestampsOf(column, `${place}, column ${JSON.stringify(name)}`) : column;
      });
      yield { rows: rowsAt(buffer, address), columns };
    }
  } finally {
    stream.free();
  }
}

function requireReadable(field: Field, place: string): void {
  if (isReadable(field.type)) return;
  const column = `${place}, column ${JSON.stringify(field.name)}`;
  throw inputError(column, typeName(field.type), 'a type that is not nested');
}

/** The footer read last: row groups of one file mostly come to a worker one after another. */
let latest: { readonly id: string; readonly footer: Footer } | undefined;

function footerOf(origin: Origin): Footer {
  if (latest?.id !== origin.id) {
    const bytes = bytesOf(origin);
    try {
      latest = { id: origin.id, footer: readFooter(bytes, origin.name) };
    } finally {
      bytes.close();
    }
  }
  return latest.footer;
}

const require = createRequire(import.meta.url);

/** The decoder of this thread; loading it compiles 5 MB of WebAssembly, so it waits until it is needed. */
function decoder(): typeof ParquetWasm {
  return require('parquet-wasm/node') as typeof ParquetWasm;
}

/** Runs a step of decoding; whatever goes wrong in it is the fault of the bytes. */
function decoding<T>(place: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (isWithoutPackage(error)) throw inputError(place, 'a Parquet file', PACKAGE, error);
    // What a trap leaves in the decoder's memory is not known: the next call shall find a new instance.
    if (error instanceof Error && error.name === 'RuntimeError') {
      delete require.cache[require.resolve('parquet-wasm/node')];
    }
    const why = error instanceof Error ? error.message : String(error);
    throw inputError(place, `data that cannot be decoded (${why.split('\n')[0]})`, 'Parquet data', error);
  }
}
