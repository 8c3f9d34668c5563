import { readFileSync } from 'node:fs';
import {
  Bool,
  DateMillisecond,
  Dictionary,
  Field,
  Int8,
  Int32,
  LargeUtf8,
  List,
  RecordBatchStreamWriter,
  Table,
  TimestampMillisecond,
  tableToIPC,
  Utf8,
  Utf8View,
} from 'apache-arrow';
import { InputError, open } from 'rangefold';
import { describe, expect, it } from 'vitest';
import { column, columnsOf, createFolder, type Plain, rejection, rowsOf, tableOf } from '../support/files.js';

// Threads and processes start slowly on a busy machine.

const file = createFolder();

/** Batches of one, two and more rows, one of them empty. */
function batched(): Table {
  const tables = [
    [0, 1],
    [1, 3],
    [3, 3],
    [3, 10],
  ].map(([from, to]) => {
    const rows = Array.from({ length: to - from }, (_, i) => from + i);
    return tableOf({
      i: column(
        new Int32(),
        rows.map((i) => (i % 4 === 0 ? null : i)),
      ),
      s: column(
        new Utf8(),
        rows.map((i) => (i % 5 === 0 ? null : 'é'.repeat(i))),
      ),
      b: column(
        new Bool(),
        rows.map((i) => (i % 3 === 0 ? null : i % 2 === 0)),
      ),
    });
  });
  return new Table(tables.flatMap(({ batches }) => batches));
}
const rows = Array.from({ length: 10 }, (_, i): Plain[] => [
  i % 4 === 0 ? null : BigInt(i),
  i % 5 === 0 ? null : 'é'.repeat(i),
  i % 3 === 0 ? null : i % 2 === 0,
]);

describe.each(['file', 'stream'] as const)('a %s', (form) => {
  it('gives its batches in order', async () => {
    const source = await open(file(`batched.${form}.arrow`, tableToIPC(batched(), form)));
    expect(columnsOf(source)).toEqual(['i: Int32', 's: Utf8', 'b: Bool']);
    expect(await rowsOf(source)).toEqual(rows);
    expect(await rowsOf(source, ['b', 'i'])).toEqual(rows.map(([i, , b]) => [b, i]));
    expect((await rowsOf(source, [])).length).toBe(10);
  });

  it('gives types as they are', async () => {
    const table = tableOf({
      d: column(new DateMillisecond(), [new Date(86_400_000), null]),
      t: column(new TimestampMillisecond('UTC'), [5, null]),
      l: column(new LargeUtf8(), ['x', null]),
      v: column(new Utf8View(), ['in place', 'one that is too long for its view']),
      k: column(new Dictionary(new Utf8(), new Int8()), ['y', null]),
    });
    const source = await open(tableToIPC(table, form));
    expect(columnsOf(source)).toEqual([
      'd: Date64<MILLISECOND>',
      't: Timestamp<MILLISECOND, UTC>',
      'l: LargeUtf8',
      'v: Utf8View',
      'k: Dictionary<Int8, Utf8>',
    ]);
    expect(await rowsOf(source)).toEqual([
      [86_400_000n, 5n, 'x', 'in place', 'y'],
      [null, null, null, 'one that is too long for its view', null],
    ]);
  });

  it('may have no rows', async () => {
    const source = await open(tableToIPC(batched().slice(0, 0), form));
    expect(columnsOf(source)).toEqual(['i: Int32', 's: Utf8', 'b: Bool']);
    expect(await rowsOf(source)).toEqual([]);
  });

  it('may have nested columns, as long as nobody reads them', async () => {
    const list = new List(new Field('item', new Int8(), true));
    const table = tableOf({ a: column(new Int8(), [1]), l: column(list, [[1, 2]]) });
    const source = await open(tableToIPC(table, form));
    expect(columnsOf(source)).toEqual(['a: Int8', 'l: List<Int8>']);
    expect(await rowsOf(source, ['a'])).toEqual([[1n]]);
    const error = await rejection(rowsOf(source));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(/column "l": got List<Int8>/);
  });

  it('that breaks off is an error with its path', async () => {
    const bytes = tableToIPC(batched(), form);
    for (const length of [7, 20, bytes.length >> 1, bytes.length - 30]) {
      const path = file(`cut-${length}.${form}.arrow`, bytes.subarray(0, length));
      const error = await rejection(open(path).then((source) => rowsOf(source)));
      expect(error).toBeInstanceOf(InputError);
      expect(error.message.startsWith(path)).toBe(true);
    }
  });

  it('with a code that is in no dictionary is an error with its batch and row', async () => {
    const codes = [0, 1, 2, 0, 1, 2, 0, 1];
    const table = tableOf({
      k: column(
        new Dictionary(new Utf8(), new Int8()),
        codes.map((code) => 'xyz'[code]),
      ),
    });
    const bytes = tableToIPC(table, form);
    const at = Buffer.from(bytes).indexOf(Uint8Array.from(codes));
    bytes[at + 4] = 3;
    const error = await rejection(open(bytes).then((source) => rowsOf(source)));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(
      /input, batch 0, column "k": got code 3 in row 4, wanted a code from 0 to 2$/,
    );
  });
});

describe('a file', () => {
  it('of many bytes has several parts, of whole batches', async () => {
    const size = 500_000;
    const table = new Table(
      [0, 1, 2, 3, 4].flatMap(
        (i) => tableOf({ i: column(new Int32(), new Int32Array(size).fill(i) as never) }).batches,
      ),
    );
    const source = await open(tableToIPC(table, 'file'));
    // Batches of 2 MB in parts of 4 MiB and more.
    expect(source.parts.length).toBe(2);
    let count = 0;
    for await (const batch of source.batches()) {
      expect(batch.numRows).toBe(size);
      expect(batch.getChildAt(0)?.get(0)).toBe(count);
      count += 1;
    }
    expect(count).toBe(5);
  });
});

describe('a file with compressed bodies', () => {
  it.each(['lz4', 'zstd'])('of Polars (%s) is read', async (codec) => {
    const bytes = readFileSync(new URL(`files/polars-${codec}.arrow`, import.meta.url));
    // Rows as the program had them that wrote the files: text, Float64, Int32 and the text as a dictionary.
    const wanted = Array.from({ length: 1000 }, (_, i) => {
      const key = i % 7 === 3 ? null : `key ${i % 5}`;
      return [key, i % 5 === 0 ? null : i * 0.5, BigInt(i), key];
    });
    expect(await rowsOf(await open(bytes))).toEqual(wanted);
  });

  it.each(['lz4', 'zstd'])(
    'that says a wrong length of a buffer (%s) is an error with its batch',
    async (codec) => {
      const bytes = readFileSync(new URL(`files/polars-${codec}.arrow`, import.meta.url));
      const magic = codec === 'lz4' ? [0x04, 0x22, 0x4d, 0x18] : [0x28, 0xb5, 0x2f, 0xfd];
      const at = bytes.indexOf(Uint8Array.from(magic)) - 8;
      for (const length of [-5n, 1n, 2n ** 30n, 2n ** 60n]) {
        bytes.writeBigInt64LE(length, at);
        const error = await rejection(open(bytes).then((source) => rowsOf(source)));
        expect(error).toBeInstanceOf(InputError);
        expect(error.message).toMatch(/^input(, batch 0)?: got data that cannot be decoded \(/);
      }
    },
  );
});

describe('a stream', () => {
  it('may replace and extend its dictionaries', async () => {
    const type = new Dictionary(new Utf8(), new Int8(), 7);
    const batch = (values: string[]) => tableOf({ k: column(type, values) }).batches[0];
    const writer = RecordBatchStreamWriter.writeAll([batch(['a', 'b']), batch(['c', 'a'])]);
    const source = await open(await writer.toUint8Array());
    expect(await rowsOf(source)).toEqual([['a'], ['b'], ['c'], ['a']]);
  });
});
