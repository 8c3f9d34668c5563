import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Dictionary, Int8, Int32, tableToIPC, Utf8 } from 'apache-arrow';
import fc from 'fast-check';
import { InputError } from 'rangefold';
import { describe, expect, it } from 'vitest';
import * as arrow from '../../dist/io/arrow-part.js';
import * as csvGzip from '../../dist/io/csv-gzip-part.js';
import * as csv from '../../dist/io/csv-part.js';
import type { Origin } from '../../dist/io/origin.js';
import * as parquet from '../../dist/io/parquet-part.js';
import { column, parquetOf, tableOf } from '../support/files.js';
import { runs } from '../support/runs.js';

const count = 400;
const numbers = Array.from({ length: count }, (_, i) => i);
const table = tableOf({
  i: column(
    new Int32(),
    numbers.map((i) => (i % 7 === 0 ? null : i)),
  ),
  s: column(
    new Utf8(),
    numbers.map((i) => `text ${i % 50}`),
  ),
  d: column(
    new Dictionary(new Utf8(), new Int8()),
    numbers.map((i) => `entry ${i % 5}`),
  ),
});
const text = `i,s,d\n${numbers.map((i) => `${i % 7 === 0 ? '' : i},"text ""${i}""",entry\n`).join('')}`;
const form = { delimiter: ',', header: true, types: {}, settled: {}, nullValues: [''] };

function readArrow(origin: Origin): Promise<number> {
  return arrow.describe({ origin }).then((it) => rowsIn(it, (data, columns) => arrow.read(data, columns)));
}
/** 1,000 rows, written by Polars. */
function compressed(codec: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`files/polars-${codec}.arrow`, import.meta.url)));
}

const formats: Readonly<Record<string, [Uint8Array, (origin: Origin) => Promise<number>]>> = {
  Parquet: [
    parquetOf(table, 150),
    async (origin) => rowsIn(parquet.describe({ origin }), (data, columns) => parquet.read(data, columns)),
  ],
  'Arrow file': [tableToIPC(table, 'file'), readArrow],
  'Arrow stream': [tableToIPC(table, 'stream'), readArrow],
  'Arrow file with LZ4': [compressed('lz4'), readArrow],
  'Arrow file with Zstandard': [compressed('zstd'), readArrow],
  CSV: [
    new TextEncoder().encode(text),
    async (origin) =>
      rowsIn(csv.describe({ origin, form, partBytes: 1000 }), (data, columns) => csv.read(data, columns)),
  ],
  'CSV in gzip': [
    gzipSync(text),
    async (origin) =>
      rowsIn(await csvGzip.describe({ origin, form, windowBytes: 1000 }), (data, columns) =>
        csvGzip.read(data, columns),
      ),
  ],
};

async function rowsIn(
  { fields, parts }: ReturnType<typeof csv.describe>,
  read: (
    data: unknown,
    columns: readonly string[],
  ) => Iterable<{ rows: number }> | AsyncIterable<{ rows: number }>,
): Promise<number> {
  let rows = 0;
  for (const { data } of parts) {
    const columns = fields.map(({ name }) => name);
    for await (const batch of read(data, columns)) rows += batch.rows;
  }
  return rows;
}

let origins = 0;
function originOf(bytes: Uint8Array): Origin {
  origins += 1;
  return { name: 'damaged', bytes, size: bytes.length, id: `damage ${origins}` };
}

/** A damage: bits that are turned, or bytes that are missing at the end. */
const damage = fc.oneof(
  fc.array(fc.record({ at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), bit: fc.nat(7) }), {
    minLength: 1,
    maxLength: 4,
  }),
  fc.double({ min: 0.001, max: 1, maxExcluded: true, noNaN: true }),
);

describe.each(Object.keys(formats))('%s', (name) => {
  const [bytes, read] = formats[name];

  it('is read whole where it is whole', async () =>
    expect(await read(originOf(bytes))).toBe(name.startsWith('Arrow file with') ? 1000 : count));

  it('with turned bits or without its end is an InputError that names it, or is read', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(damage, async (it) => {
        const damaged = typeof it === 'number' ? bytes.slice(0, Math.ceil(bytes.length * it)) : bytes.slice();
        if (typeof it !== 'number') {
          for (const { at, bit } of it) damaged[Math.floor(at * damaged.length)] ^= 1 << bit;
        }
        try {
          await read(originOf(damaged));
        } catch (error) {
          refused += 1;
          expect(error).toBeInstanceOf(InputError);
          expect((error as Error).message).toMatch(/^damaged[:,]/);
        }
      }),
      runs(300),
    );
    // Otherwise this would prove nothing.
    expect(refused).toBeGreaterThan(30);
  });
});
