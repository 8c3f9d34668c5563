import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataType, Table, tableToIPC, type Vector, vectorFromArray } from 'apache-arrow';
import * as parquet from 'parquet-wasm/node';
import type { Source } from 'rangefold';
import { afterAll } from 'vitest';
import { batchOf } from '../../dist/core/from-arrow.js';
import { type Value, valueReader } from '../../dist/core/read-values.js';

/** Writes files into a directory that goes away with the test file. */
export function createFolder(): (name: string, content: string | Uint8Array) => string {
  const folder = mkdtempSync(join(tmpdir(), 'rangefold-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name, content) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
}

/** A column of a type from JavaScript values. */
export function column(type: DataType, values: readonly unknown[]): Vector {
  return vectorFromArray(values, type) as Vector;
}

export function tableOf(columns: Record<string, Vector>): Table {
  return new Table(columns);
}

/** A Parquet file; `rows` in a row group. */
export function parquetOf(table: Table, rows = 1_000_000, codec = parquet.Compression.ZSTD): Uint8Array {
  const properties = new parquet.WriterPropertiesBuilder()
    .setMaxRowGroupSize(rows)
    .setCompression(codec)
    .build();
  return parquet.writeParquet(parquet.Table.fromIPCStream(tableToIPC(table, 'stream')), properties);
}

export type Plain = null | boolean | number | bigint | string;

/** All rows of a source, text as strings, everything else as it lies in its buffers. */
export async function rowsOf(source: Source, columns?: readonly string[]): Promise<Plain[][]> {
  const rows: Plain[][] = [];
  for await (const recordBatch of source.batches(columns)) {
    const all = recordBatch.schema.fields.map((_, i) => i);
    const readers = batchOf(recordBatch, all).columns.map(valueReader);
    for (let row = 0; row < recordBatch.numRows; row++) rows.push(readers.map((read) => plain(read(row))));
  }
  return rows;
}

function plain(value: Value | null): Plain {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
}

/** `name: Type` of every column of a source. */
export function columnsOf(source: Source): string[] {
  return source.schema.fields.map(({ name, type }) => `${name}: ${type}`);
}

/** What a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error('it did not reject');
}
