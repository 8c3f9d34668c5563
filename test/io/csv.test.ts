import { gzipSync } from 'node:zlib';
import { Int32, Timestamp, TimeUnit } from 'apache-arrow';
import { InputError, type OpenOptions, open, QueryError } from 'rangefold';
import { describe, expect, it } from 'vitest';
import { describe as describeCsv, read } from '../../dist/io/csv-part.js';
import { openInPlace } from '../../dist/io/open-in-place.js';
import { columnsOf, createFolder, type Plain, rejection, rowsOf } from '../support/files.js';

// Threads and processes start slowly on a busy machine.

const file = createFolder();
let files = 0;

async function opened(text: string | Uint8Array, options?: OpenOptions) {
  files += 1;
  const path = file(`${files}.csv`, text);
  const source = await open(path, options);
  return { path, source, columns: columnsOf(source), rows: () => rowsOf(source) };
}

describe('types', () => {
  it('are inferred as Bool, Int64, Float64, Date32, Timestamp or else Utf8', async () => {
    const { columns, rows } = await opened(
      'b,i,f,d,t,s\ntrue,1,1,2024-02-29,2024-02-29 12:00,x\nFalse,-2,1.5,1970-01-01,1970-01-01T00:00:00.000001,2\n',
    );
    expect(columns).toEqual([
      'b: Bool',
      'i: Int64',
      'f: Float64',
      'd: Date32<DAY>',
      't: Timestamp<MICROSECOND>',
      's: Utf8',
    ]);
    expect(await rows()).toEqual([
      [true, 1n, 1, 19782n, 19782n * 86_400_000_000n + 43_200_000_000n, 'x'],
      [false, -2n, 1.5, 0n, 1n, '2'],
    ]);
  });

  it.each<[string, string[], string, Plain[]]>([
    ['leading zeros', ['007', '8'], 'Utf8', ['007', '8']],
    ['more than 64 bits', ['9223372036854775808', '1'], 'Utf8', ['9223372036854775808', '1']],
    ['64 bits', ['9223372036854775807', '-9223372036854775808'], 'Int64', [2n ** 63n - 1n, -(2n ** 63n)]],
    ['a plus', ['+4930123', '1'], 'Utf8', ['+4930123', '1']],
    [
      'integers beyond 2^53 among fractions',
      ['0.5', '9007199254740993'],
      'Utf8',
      ['0.5', '9007199254740993'],
    ],
    ['the negative zero', ['-0', '1'], 'Float64', [-0, 1]],
    ['NaN and infinities', ['NaN', '-Infinity'], 'Float64', [Number.NaN, Number.NEGATIVE_INFINITY]],
    ['zones', ['2024-01-01T00:00Z', '2024-01-01T00:00Z'], 'Utf8', ['2024-01-01T00:00Z', '2024-01-01T00:00Z']],
    ['no value at all', ['', ''], 'Utf8', [null, null]],
    ['nulls between', ['', '5'], 'Int64', [null, 5n]],
    ['quoted numbers', ['"5"', '6'], 'Int64', [5n, 6n]],
    ['the quoted empty field', ['""', '6'], 'Utf8', ['', '6']],
    ['days that are none', ['2023-02-29', '2023-03-01'], 'Utf8', ['2023-02-29', '2023-03-01']],
    [
      'dates among timestamps',
      ['1970-01-02', '1970-01-01T00:00'],
      'Timestamp<MICROSECOND>',
      [86_400_000_000n, 0n],
    ],
  ])('survive: %s', async (_, values, type, expected) => {
    const { columns, rows } = await opened(`k,v\n${values.map((value) => `x,${value}\n`).join('')}`);
    expect(columns[1]).toBe(`v: ${type}`);
    expect((await rows()).map(([, value]) => value)).toEqual(expected);
  });

  it('can be given, by name or as Arrow types', async () => {
    const { columns, rows } = await opened('a,b,c,d\n007,1,2024-01-01T01:00+01:00,1\n', {
      types: {
        a: 'Utf8',
        b: new Int32(),
        c: 'Timestamp[s, Europe/Paris]',
        d: new Timestamp(TimeUnit.NANOSECOND, null),
      },
    }).catch((error: unknown) => ({ columns: [], rows: async () => [[String(error)]] }));
    // 2024-01-01 is day 19723; a `1` is no timestamp.
    expect(columns).toEqual([
      'a: Utf8',
      'b: Int32',
      'c: Timestamp<SECOND, Europe/Paris>',
      'd: Timestamp<NANOSECOND>',
    ]);
    await expect(rows()).rejects.toThrow('line 2, column "d": got "1", wanted Timestamp[ns]');
    const without = await opened('a,b,c\n007,1,2024-01-01T01:00+01:00\n', {
      types: { a: 'Uint8', b: 'Float32', c: 'Timestamp[s, Europe/Paris]' },
    });
    expect(await without.rows()).toEqual([[7n, 1, 19723n * 86_400n]]);
  });

  it('hold values to their range', async () => {
    const text = 'a\n127\n128\n';
    const { rows } = await opened(text, { types: { a: 'Int8' } });
    expect((await rejection(rows())).message).toMatch(/line 3, column "a": got "128", wanted Int8$/);
    const wide = await opened('a,b\n1e39,0\n', { types: { a: 'Float32' } });
    await expect(wide.rows()).rejects.toThrow('wanted Float32');
  });

  it('come from the first 10,000 rows, and a later value that does not fit is an error with its place', async () => {
    const { path, columns, rows } = await opened(`a,b\n${'1,"x\ny"\n'.repeat(10_000)}2.5,z\n`);
    expect(columns).toEqual(['a: Int64', 'b: Utf8']);
    const error = await rejection(rows());
    expect(error).toBeInstanceOf(InputError);
    // The header, and two lines for each of the rows before.
    expect(error.message).toBe(
      `${path}, line 20002, column "a": got "2.5", wanted Int64, the type of the first rows, or a type that is said`,
    );
    const inside = await opened(`a,b\n${'1,x\n'.repeat(9_999)}2.5,z\n`);
    expect(inside.columns).toEqual(['a: Float64', 'b: Utf8']);
  });
});

describe('fields', () => {
  it('may hold anything in quotes, with a byte order mark and CRLF around', async () => {
    const { columns, rows } = await opened('\ufeffname,"a ""b"", c"\r\n"x\r\ny",1\r\n\r\n"q""",2\r\n');
    expect(columns).toEqual(['name: Utf8', 'a "b", c: Int64']);
    expect(await rows()).toEqual([
      ['x\r\ny', 1n],
      ['q"', 2n],
    ]);
  });

  it('are null where nullValues says so, and never where quoted', async () => {
    const text = 'a,b,c\nNA,"NA",\n1,x,""\n';
    const nulls = await opened(text, { nullValues: ['NA'] });
    expect(nulls.columns).toEqual(['a: Int64', 'b: Utf8', 'c: Utf8']);
    expect(await nulls.rows()).toEqual([
      [null, 'NA', ''],
      [1n, 'x', ''],
    ]);
    expect(await (await opened(text)).rows()).toEqual([
      ['NA', 'NA', null],
      ['1', 'x', ''],
    ]);
  });

  it('are as many as there are columns', async () => {
    const short = await rejection(opened('a,b\n1,2\n\n3\n'));
    expect(short).toBeInstanceOf(InputError);
    expect(short.message).toMatch(/line 4: got 1 field, wanted 2, one a column$/);
    await expect(opened('a,b\n1,2,3\n')).rejects.toThrow('line 2: got 3 fields, wanted 2');
    // a person is told what separates the header
    await expect(opened('a;b\n1;2,5\n')).rejects.toThrow(
      'line 2: got 2 fields, wanted 1, one a column; or the delimiter ";", which the header has',
    );
  });

  it('are UTF-8, as far as they are read', async () => {
    const bytes = Buffer.from('a,b\nx,1\n\xff,2\n', 'latin1');
    const { source } = await opened(bytes);
    expect(await rowsOf(source, ['b'])).toEqual([[1n], [2n]]);
    await expect(rowsOf(source, ['a'])).rejects.toThrow(/line 3, column "a": got ".*", wanted text in UTF-8/);
  });

  it('have quotes that are closed', async () => {
    await expect(opened('a,b\n1,2\n3,"x\n4,5\n')).rejects.toThrow('line 3: got a quote that is not closed');
    await expect(opened('a,b\n1,2\n"3"x,4\n')).rejects.toThrow('line 3: got text after a closing quote');
  });
});

describe('options', () => {
  it('name the columns of a text without a header', async () => {
    expect((await opened('1,x\n', { header: false })).columns).toEqual(['column1: Int64', 'column2: Utf8']);
    const named = await opened('1,x\n', { header: ['n', 's'] });
    expect(named.columns).toEqual(['n: Int64', 's: Utf8']);
    expect(await named.rows()).toEqual([[1n, 'x']]);
  });

  it('set the delimiter, a tab in TSV', async () => {
    expect(await (await opened('a;b\n1;"2;3"\n', { delimiter: ';' })).rows()).toEqual([[1n, '2;3']]);
    const tsv = await open(file('x.tsv', 'a\tb\n1,5\tx\n'));
    expect(await rowsOf(tsv)).toEqual([['1,5', 'x']]);
  });

  it.each<[OpenOptions, string]>([
    [{ delimiter: ';;' }, 'options.delimiter'],
    [{ delimiter: '"' }, 'options.delimiter'],
    [{ types: { a: 'Decimal' } }, 'options.types.a'],
    [{ nullValues: 'NA' as unknown as string[] }, 'options.nullValues'],
    [{ header: 1 as unknown as boolean }, 'options.header'],
    [{ format: 'xml' as 'csv' }, 'options.format'],
    [{ delimeter: ';' } as object, 'option "delimeter"'],
  ])('are checked: %j', async (options, parameter) => {
    const error = await rejection(opened('a\n1\n', options));
    expect(error).toBeInstanceOf(QueryError);
    expect(error).toMatchObject({ parameter });
  });

  it('may not give a type to a column that is not there', async () => {
    await expect(opened('a\n1\n', { types: { b: 'Int64' } })).rejects.toThrow('got a type for "b"');
  });
});

describe('hostile text', () => {
  const name = 'x'.repeat(70_000);
  it.each([name, `a,"${name}"`, `${name}\n1\n`])('whose names are no names is refused: %#', async (text) => {
    for (const bytes of [new TextEncoder().encode(text), gzipSync(text)]) {
      const error = await rejection(open(bytes));
      expect(error).toBeInstanceOf(InputError);
      expect(error.message).toBe(
        'input, line 1: got a column name of 70000 bytes, wanted one of at most 65536',
      );
    }
  });

  it('with a cell of 64 MiB is read, also in gzip', async () => {
    const cell = 'x'.repeat(64 << 20);
    const text = Buffer.from(`k,v\na,1\n"${cell}",2\nb,3\n`);
    for (const bytes of [text, gzipSync(text, { level: 1 })]) {
      const rows = await rowsOf(await open(bytes));
      expect(rows.map(([k, v]) => [String(k).length, v])).toEqual([
        [1, 1n],
        [cell.length, 2n],
        [1, 3n],
      ]);
    }
  });

  it('of many columns is read a few rows at a time, so that its memory is bounded', () => {
    const columns = 2000;
    const bytes = new TextEncoder().encode(`${','.repeat(columns - 1)}\n`.repeat(5000));
    const names = Array.from({ length: columns }, (_, i) => `c${i}`);
    const origin = { name: 'wide', bytes, size: bytes.length, id: 'wide' };
    const form = { delimiter: ',', header: names, types: {}, settled: {}, nullValues: [''] };
    const { parts } = describeCsv({ origin, form, partBytes: bytes.length });
    const rowsOfBatches = (wanted: readonly string[]) =>
      parts.flatMap(({ data }) => [...read(data, wanted)].map(({ rows }) => rows));
    // 2^22 cells of a batch over 2,000 columns are 2,097 rows.
    expect(rowsOfBatches(names)).toEqual([2097, 2097, 806]);
    expect(rowsOfBatches(['c7'])).toEqual([5000]);
  });

  it('of 10,000 columns is read', async () => {
    const names = Array.from({ length: 10_000 }, (_, i) => `c${i}`);
    const text = new TextEncoder().encode(`${names}\n${names.map((_, i) => i)}\n`);
    const table = (await openInPlace(text))?.read(names);
    expect([table?.numRows, table?.numCols]).toEqual([1, 10_000]);
    expect(table?.getChild('c9999')?.get(0)).toBe(9999n);
  });
});

describe('parts', () => {
  const text = `a,b\n${Array.from({ length: 200 }, (_, i) => `${i},"line ${i}\nof ""two"""\n`).join('')}`;
  const bytes = new TextEncoder().encode(text);
  const origin = { name: 'memory', bytes, size: bytes.length, id: 'csv.test' };
  const form = { delimiter: ',', header: true, types: {}, settled: {}, nullValues: [''] };

  it.each([1, 7, 64, 1000, 1 << 20])('of %i bytes have all rows in order', (partBytes) => {
    const { parts, fields } = describeCsv({ origin, form, partBytes });
    expect(fields.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(parts.length).toBe(partBytes <= 7 ? 200 : partBytes === 1 << 20 ? 1 : parts.length);
    const keys = parts.flatMap(({ data }) =>
      [...read(data, ['a'])].flatMap(({ columns: [column] }) => [
        ...new BigInt64Array(column.values.slice().buffer),
      ]),
    );
    expect(keys).toEqual(Array.from({ length: 200 }, (_, i) => BigInt(i)));
  });

  it('know the line of an error, wherever they begin', () => {
    const damaged = new TextEncoder().encode(text.replace('\n150,', '\nx,'));
    const { parts } = describeCsv({
      origin: { ...origin, bytes: damaged, size: damaged.length },
      form: { ...form, types: { a: { kind: 'int', bits: 64, signed: true } } },
      partBytes: 64,
    });
    expect(() => parts.flatMap(({ data }) => [...read(data, ['a', 'b'])])).toThrow(
      'memory, line 302, column "a": got "x", wanted Int64',
    );
  });

  it('count rows where no column is asked for', async () => {
    const { source } = await opened('a,b\n1,2\n3,4\n');
    expect((await rowsOf(source, [])).length).toBe(2);
  });
});

describe('the number of rows', () => {
  it('is not known, but about', async () => {
    const rows = (count: number) =>
      `a,b\n${Array.from({ length: count }, (_, i) => `${i % 7},x\n`).join('')}`;
    const large = new TextEncoder().encode(rows(100_000));
    const { rows: known, approximateRows = 0 } = await open(large);
    expect(known).toBeUndefined();
    expect(Math.abs(approximateRows - 100_000)).toBeLessThan(10);
    const several = await open([large, new TextEncoder().encode('a,b\n'), new TextEncoder().encode(rows(3))]);
    expect(Math.abs((several.approximateRows ?? 0) - 100_003)).toBeLessThan(10);
    expect((await open(new TextEncoder().encode('a\n'))).rows).toBe(0);
  });
});

describe('several files', () => {
  it('are held to the types of the first that has rows', async () => {
    const paths = [file('h.csv', 'a,b\n'), file('i.csv', 'a,b\n1,x\n'), file('j.csv', 'a,b\n2,3\n')];
    const source = await open(paths);
    expect(columnsOf(source)).toEqual(['a: Int64', 'b: Utf8']);
    expect(await rowsOf(source)).toEqual([
      [1n, 'x'],
      [2n, '3'],
    ]);
    const misfit = await open([paths[1], file('k.csv', 'a,b\nz,3\n')]);
    await expect(rowsOf(misfit)).rejects.toThrow(/k\.csv, line 2, column "a": got "z", wanted Int64/);
  });

  it('have the same columns', async () => {
    const first = file('l.csv', 'a,b\n1,x\n');
    await expect(open([first, file('m.csv', 'a\n1\n')])).rejects.toThrow(
      /m\.csv, column "b": got no such column/,
    );
    await expect(open([first, file('n.csv', 'a,c\n1,x\n')])).rejects.toThrow(
      /n\.csv, column "c": got it as column 2/,
    );
  });
});
