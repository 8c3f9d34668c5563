import { mkdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Int32, Int64, tableToIPC, Utf8 } from 'apache-arrow';
import { InputError, open, QueryError } from 'rangefold';
import { describe, expect, it } from 'vitest';
import { column, columnsOf, createFolder, parquetOf, rejection, rowsOf, tableOf } from '../support/files.js';

// Threads and processes start slowly on a busy machine.

const file = createFolder();
const table = tableOf({ k: column(new Utf8(), ['a', null]), v: column(new Int32(), [1, 2]) });
const rows = [
  ['a', 1n],
  [null, 2n],
];

describe('open', () => {
  it.each<[string, () => Uint8Array]>([
    ['x.parquet', () => parquetOf(table)],
    ['x.arrow', () => tableToIPC(table, 'file')],
    ['x.feather', () => tableToIPC(table, 'file')],
    ['stream.arrow', () => tableToIPC(table, 'stream')],
    ['x.arrows', () => tableToIPC(table, 'stream')],
  ])('reads %s by its extension and by its first bytes', async (name, make) => {
    const bytes = make();
    const source = await open(file(name, bytes));
    expect(columnsOf(source)).toEqual(['k: Utf8', 'v: Int32']);
    expect(await rowsOf(source)).toEqual(rows);
    expect(await rowsOf(source, ['v'])).toEqual([[1n], [2n]]);
    expect(columnsOf(await open(file('no-extension', bytes)))).toEqual(['k: Utf8', 'v: Int32']);
  });

  it('takes a path, a URL or bytes', async () => {
    const bytes = parquetOf(table);
    const path = file('a.parquet', bytes);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    for (const input of [path, pathToFileURL(path), bytes, shared, Buffer.from(bytes)]) {
      expect(await rowsOf(await open(input))).toEqual(rows);
    }
  });

  it('does not see what happens to the bytes later', async () => {
    const bytes = new TextEncoder().encode('a\n1\n');
    const source = await open(bytes);
    bytes.fill(0);
    expect(await rowsOf(source)).toEqual([[1n]]);
  });

  it('makes one source of several inputs, in the order given', async () => {
    const csv = file('more.csv', 'k,v\nb,3\n');
    const source = await open([parquetOf(table, 1), tableToIPC(table, 'stream'), csv]);
    expect(await rowsOf(source)).toEqual([...rows, ...rows, ['b', 3n]]);
    expect(source.parts.length).toBe(4);
    expect((await open([parquetOf(table, 1), parquetOf(table)])).rows).toBe(4);
  });

  it('refuses inputs whose types differ, naming the file and the column', async () => {
    const other = file(
      'other.arrow',
      tableToIPC(tableOf({ k: column(new Utf8(), ['a']), v: column(new Int64(), [1n]) })),
    );
    const error = await rejection(open([file('one.arrow', tableToIPC(table)), other]));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(/other\.arrow, column "v": got Int64, wanted Int32, as in .*one\.arrow$/);
  });

  it.each<[string, () => string, RegExp]>([
    ['a missing file', () => '/no/such/file.parquet', /^\/no\/such\/file\.parquet: got no such file, wanted/],
    ['a directory', () => dirname(file('x', 'x')), /: got a directory, wanted a file$/],
    ['an empty file', () => file('empty.csv', ''), /empty\.csv: got an empty file/],
    ['a device', () => '/dev/null', /\/dev\/null: got a pipe or a device/],
    ['text as Parquet', () => file('text.parquet', 'a,b\n'), /text\.parquet: got bytes that begin like text/],
    [
      'Parquet as CSV',
      () => file('p.csv', parquetOf(table)),
      /p\.csv: got bytes that begin like a Parquet file/,
    ],
    [
      'noise as Arrow',
      () => file('noise.arrow', Uint8Array.of(0, 1, 2, 3)),
      /noise\.arrow: got bytes that do not begin/,
    ],
    [
      'gzip of Arrow',
      () => file('arrow.gz', gzipSync(tableToIPC(table))),
      /arrow\.gz: got a gzip file of an Arrow/,
    ],
    ['noise', () => file('noise.bin', Uint8Array.of(0, 1, 2, 3)), /noise\.bin: got bytes of no known format/],
    [
      'half a gzip file',
      () => file('x.csv.gz', Uint8Array.of(0x1f, 0x8b, 8, 0)),
      /x\.csv\.gz: got a gzip file that cannot be inflated/,
    ],
    [
      'JSON',
      () => file('j.ndjson', '{"a":1}\n{"a":2}\n'),
      /j\.ndjson: got a JSON file, wanted Parquet, Arrow IPC, CSV or TSV/,
    ],
    [
      'an old Feather file',
      () => file('f.feather', 'FEA1 and more'),
      /f\.feather: got a Feather file of version 1/,
    ],
    ['zstd', () => file('z.csv', Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0)), /z\.csv: got a zstd file/],
    ['UTF-16', () => file('u.csv', Buffer.from('\ufeffa\n1\n', 'utf16le')), /u\.csv: got text in UTF-16/],
    ['blank lines alone', () => file('blank.csv', '\n\n'), /blank\.csv: got no record/],
  ])('refuses %s', async (_, path, message) => {
    const error = await rejection(open(path()));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(message);
  });

  it('refuses a file that changes after it was opened', async () => {
    const path = file('changing.csv', 'a\n1\n');
    const source = await open(path);
    utimesSync(path, new Date(0), new Date(0));
    await expect(rowsOf(source)).rejects.toThrow(/changing\.csv: got a file that has changed/);
    const longer = await open(path);
    file('changing.csv', 'a\n1\n2\n');
    await expect(rowsOf(longer)).rejects.toThrow(/changing\.csv: got a file that has changed/);
  });

  it.each<[unknown, string]>([
    [[], 'open(input)'],
    [5, 'input'],
    [['x.csv', null], 'input[1]'],
    [new URL('https://example.org/x.csv'), 'input'],
  ])('refuses %j as an input', async (input, parameter) => {
    const path = file('x.csv', 'a\n1\n');
    const given = Array.isArray(input) ? input.map((it: unknown) => (it === 'x.csv' ? path : it)) : input;
    const error = await rejection(open(given as string));
    expect(error).toBeInstanceOf(QueryError);
    expect(error).toMatchObject({ parameter });
  });

  it('has columns for those who ask, and says which there are to those who ask for others', async () => {
    const source = await open(file('columns.csv', 'a,b\n1,2\n'));
    await expect(rowsOf(source, ['c'])).rejects.toThrow('got no column "c", wanted one of "a", "b"');
    expect(await rowsOf(source, ['b', 'a'])).toEqual([[2n, 1n]]);
  });

  it('gives a file in a folder with odd characters', async () => {
    const folder = join(dirname(file('x', 'x')), 'ü # %20');
    mkdirSync(folder);
    const path = file('ü # %20/é.csv', 'a\n1\n');
    expect(await rowsOf(await open(path))).toEqual([[1n]]);
    expect(await rowsOf(await open(pathToFileURL(path)))).toEqual([[1n]]);
  });
});
