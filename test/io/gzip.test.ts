import { gzipSync } from 'node:zlib';
import { Int64, tableToIPC } from 'apache-arrow';
import fc from 'fast-check';
import { InputError, open } from 'rangefold';
import { describe, expect, it } from 'vitest';
import { type Value, valueReader } from '../../dist/core/read-values.js';
import * as gzip from '../../dist/io/csv-gzip-part.js';
import * as plain from '../../dist/io/csv-part.js';
import type { Origin } from '../../dist/io/origin.js';
import { column, columnsOf, createFolder, rejection, rowsOf, tableOf } from '../support/files.js';
import { runs } from '../support/runs.js';

// Threads and processes start slowly on a busy machine.

const file = createFolder();
const form = { delimiter: ',', header: true, types: {}, settled: {}, nullValues: [''] };

function originOf(bytes: Uint8Array): Origin {
  return { name: 'text', bytes, size: bytes.length, id: 'text' };
}

/** Columns and rows of a part module's input, or its error. */
async function contentOf(
  module: Pick<typeof plain | typeof gzip, 'read'>,
  { fields, parts }: ReturnType<typeof plain.describe>,
): Promise<unknown> {
  const rows: (Value | string | null)[][] = [];
  const names = fields.map(({ name }) => name);
  for (const { data } of parts) {
    for await (const batch of module.read(data, names)) {
      const readers = batch.columns.map(valueReader);
      for (let row = 0; row < batch.rows; row++) {
        rows.push(readers.map((read) => (read(row) instanceof Uint8Array ? String(read(row)) : read(row))));
      }
    }
  }
  return { fields, rows };
}

describe('text in a gzip file', () => {
  it('has the rows, the types and the errors of the text, wherever its windows end', async () => {
    const field = fc.oneof(
      fc.constantFrom(
        '',
        '""',
        '1',
        '2.5',
        'x',
        '"a,b"',
        '"two\nlines"',
        '"say ""hi"""',
        '"\r\n"',
        '"open',
        'a"b',
      ),
      fc.nat().map(String),
    );
    const text = fc
      .tuple(
        fc.constantFrom('', '\ufeff'),
        fc.constantFrom('a,b\n', '"a\n1",b\r\n', '\n\na,b\n'),
        fc.array(fc.tuple(field, field, fc.constantFrom('\n', '\r\n', '\n\n')), { maxLength: 30 }),
      )
      .map(([mark, head, rows]) => mark + head + rows.map(([a, b, end]) => `${a},${b}${end}`).join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 200 }), async (it, windowBytes) => {
        const bytes = new TextEncoder().encode(it);
        const whole = originOf(bytes);
        const packed = originOf(gzipSync(bytes));
        const settle = (answer: Promise<unknown>): Promise<unknown> =>
          answer.catch((error: unknown) => (error instanceof InputError ? error.message : error));
        const wanted = await settle(
          (async () => contentOf(plain, plain.describe({ origin: whole, form })))(),
        );
        const came = await settle(
          (async () => contentOf(gzip, await gzip.describe({ origin: packed, form, windowBytes })))(),
        );
        // Of several faults either may be met first.
        if (typeof wanted === 'string') expect(came).toBeTypeOf('string');
        else expect(came).toEqual(wanted);
      }),
      runs(300),
    );
  });

  it('is seen by its extension and by its first bytes', async () => {
    const csv = gzipSync('k,v\na,1\n,2\n');
    const tsv = gzipSync('k\tv\na\t1\n\t2\n');
    for (const input of [
      file('x.csv.gz', csv),
      file('X.CSV.GZ', csv),
      file('none', csv),
      file('x.gz', csv),
      csv,
    ]) {
      const source = await open(input);
      expect(columnsOf(source)).toEqual(['k: Utf8', 'v: Int64']);
      expect(await rowsOf(source)).toEqual([
        ['a', 1n],
        [null, 2n],
      ]);
    }
    expect(columnsOf(await open(file('x.tsv.gz', tsv)))).toEqual(['k: Utf8', 'v: Int64']);
    expect(columnsOf(await open(tsv, { format: 'tsv' }))).toEqual(['k: Utf8', 'v: Int64']);
    // A name that promises too much: the bytes say that it is text as it stands.
    expect(columnsOf(await open(file('plain.csv.gz', 'k,v\na,1\n')))).toEqual(['k: Utf8', 'v: Int64']);
  });

  it('may be of several members, and stand among other files', async () => {
    const members = Buffer.concat([gzipSync('k,v\na,1\n'), gzipSync('b,2\n')]);
    const source = await open([members, new TextEncoder().encode('k,v\nc,3\n'), gzipSync('k,v\n')]);
    expect(await rowsOf(source)).toEqual([
      ['a', 1n],
      ['b', 2n],
      ['c', 3n],
    ]);
  });

  it('that is larger than a window is read in order', async () => {
    const count = 700_000;
    const text = `i\n${Array.from({ length: count }, (_, i) => `${i}\n`).join('')}`;
    const rows = await rowsOf(await open(gzipSync(text)));
    expect(rows.length).toBe(count);
    expect(rows.findIndex(([i], at) => i !== BigInt(at))).toBe(-1);
  });

  it.each<[string, Uint8Array, RegExp]>([
    [
      'that breaks off',
      gzipSync('a,b\n1,2\n').subarray(0, 22),
      /: got a gzip file that cannot be inflated \(unexpected end/,
    ],
    [
      'that is damaged',
      gzipSync('a,b\n1,2\n').fill(0x55, 12, 16),
      /: got a gzip file that cannot be inflated/,
    ],
    ['of nothing', gzipSync(''), /: got no record, wanted a header/],
    ['of a gzip file', gzipSync(gzipSync('a\n1\n')), /: got a gzip file in a gzip file/],
    [
      'of an Arrow file',
      gzipSync(tableToIPC(tableOf({ a: column(new Int64(), [1n]) }), 'file')),
      /: got bytes that begin like an Arrow IPC file or stream, wanted text/,
    ],
    [
      'with a bad value',
      gzipSync(`a\n${'1\n'.repeat(10_001)}x\n`),
      /, line 10003, column "a": got "x", wanted Int64/,
    ],
  ])('%s is an InputError that names it', async (_, bytes, message) => {
    const path = file('bad.csv.gz', bytes);
    const error = await rejection(open(path, {}).then((source) => rowsOf(source)));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(message);
    expect(error.message.startsWith(path)).toBe(true);
  });
});
