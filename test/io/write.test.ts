import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  DateMillisecond,
  Field,
  Float32,
  Float64,
  Int8,
  Int32,
  Int64,
  List,
  makeData,
  type RecordBatch,
  Table,
  Timestamp,
  TimeUnit,
  tableFromIPC,
  Uint64,
  Utf8,
  Vector,
} from 'apache-arrow';
import fc from 'fast-check';
import * as parquet from 'parquet-wasm/node';
import { RangefoldError } from 'rangefold';
import { describe, expect, it } from 'vitest';
import { fitColumns } from '../../dist/io/fit-columns.js';
import { formatOfName, type OutputFormat } from '../../dist/io/format-of-name.js';
import { pretty, type TableView } from '../../dist/io/pretty.js';
import { recut } from '../../dist/io/recut.js';
import { cutToWidth, textWidth } from '../../dist/io/text-width.js';
import { thousands } from '../../dist/io/thousands.js';
import { type Rows, writeFile, writeStream } from '../../dist/io/write.js';
import { column, createFolder, rejection, tableOf } from '../support/files.js';

// Threads and processes start slowly on a busy machine.

const file = createFolder();
const path = (name: string) => file(name, '');

function rowsOf({ schema, batches }: Table): Rows {
  return { schema, batches: asynchronous(batches) };
}
async function* asynchronous(batches: readonly RecordBatch[]) {
  yield* batches;
}

async function written(table: Table, format: OutputFormat): Promise<string> {
  const target = new PassThrough();
  const result = textOf(target);
  expect(await writeStream(rowsOf(table), format, target)).toBe(true);
  target.end();
  return result;
}

/** A column of 64-bit values as they lie in memory. */
function wide(type: DataType, values: readonly bigint[]): Vector {
  return new Vector([
    makeData({ type, length: values.length, data: BigInt64Array.from(values) } as never) as Data,
  ]);
}

describe('CSV', () => {
  it('quotes what needs it; null is an empty field, the empty text a quoted one', async () => {
    const table = tableOf({
      'a,"b"': column(new Utf8(), ['x', 'a,b', 'say "hi"', 'two\nlines', 'cr\r', '', null, ' x ']),
      n: column(new Int32(), [1, -2, null, 3, 4, 5, 6, 7]),
    });
    expect(await written(table, 'csv')).toBe(
      '"a,""b""",n\nx,1\n"a,b",-2\n"say ""hi""",\n"two\nlines",3\n"cr\r",4\n"",5\n,6\n x ,7\n',
    );
  });

  it('has a header where there is no row', async () => {
    expect(await written(tableOf({ a: column(new Int8(), []) }), 'csv')).toBe('a\n');
  });
});

describe('JSON', () => {
  it('is one array of rows, with strings for what its numbers cannot hold', async () => {
    const table = tableOf({
      i: wide(new Int64(), [2n ** 53n - 1n, -(2n ** 53n) + 1n, 2n ** 53n, -(2n ** 63n)]),
      u: wide(new Uint64(), [0n, 1n, 2n, -1n]),
      f: column(new Float64(), [0.1, -0, Number.NaN, Number.NEGATIVE_INFINITY]),
      'q"': column(new Utf8(), ['é"\n', null, '', '\u2028']),
      b: column(new Bool(), [true, false, null, true]),
    });
    const json = await written(table, 'json');
    expect(json).toBe(
      [
        '[',
        '{"i":9007199254740991,"u":0,"f":0.1,"q\\"":"é\\"\\n","b":true},',
        '{"i":-9007199254740991,"u":1,"f":-0,"q\\"":null,"b":false},',
        '{"i":"9007199254740992","u":2,"f":"NaN","q\\"":"","b":null},',
        '{"i":"-9223372036854775808","u":"18446744073709551615","f":"-Infinity","q\\"":"\u2028","b":true}',
        ']',
        '',
      ].join('\n'),
    );
    expect(JSON.parse(json)).toHaveLength(4);
  });

  it('is an empty array where there is no row', async () => {
    expect(JSON.parse(await written(tableOf({ a: column(new Int8(), []) }), 'json'))).toEqual([]);
  });
});

describe('lists', () => {
  const table = tableOf({
    n: column(new List(new Field('item', new Int64(), true)), [[1n, null], null, [], [2n ** 53n]]),
    s: column(new List(new Field('item', new Utf8(), true)), [['a', 'say "hi"'], [], null, ['']]),
  });

  it('are JSON in a field of CSV', async () => {
    expect(await written(table, 'csv')).toBe(
      'n,s\n"[1,null]","[""a"",""say \\""hi\\""""]"\n,[]\n[],\n"[""9007199254740992""]","[""""]"\n',
    );
  });

  it('are arrays in JSON', async () => {
    expect(JSON.parse(await written(table, 'json'))).toEqual([
      { n: [1, null], s: ['a', 'say "hi"'] },
      { n: null, s: [] },
      { n: [], s: null },
      { n: ['9007199254740992'], s: [''] },
    ]);
  });

  it('are JSON in a table for the eye', async () => {
    expect((await written(table, 'table')).split('\n').slice(2, 4)).toEqual([
      '[1,null]              ["a","say \\"hi\\""]',
      'null                  []',
    ]);
  });
});

describe('dates and timestamps', () => {
  async function texts(type: DataType, values: readonly bigint[]): Promise<string[]> {
    const csv = await written(tableOf({ x: wide(type, values) }), 'csv');
    return csv.split('\n').slice(1, -1);
  }

  it('are ISO 8601, with 0, 3, 6 or 9 digits by unit, and a Z where there is a zone', async () => {
    expect(await texts(new Timestamp(TimeUnit.SECOND, null), [0n, -1n])).toEqual([
      '1970-01-01T00:00:00',
      '1969-12-31T23:59:59',
    ]);
    expect(await texts(new Timestamp(TimeUnit.MILLISECOND, 'UTC'), [1n, 1_709_208_000_000n])).toEqual([
      '1970-01-01T00:00:00.001Z',
      '2024-02-29T12:00:00.000Z',
    ]);
    expect(await texts(new Timestamp(TimeUnit.MICROSECOND, 'Europe/Paris'), [-1n])).toEqual([
      '1969-12-31T23:59:59.999999Z',
    ]);
    // The ends of 64 bits, which no double holds.
    expect(await texts(new Timestamp(TimeUnit.NANOSECOND, null), [2n ** 63n - 1n, -(2n ** 63n)])).toEqual([
      '2262-04-11T23:47:16.854775807',
      '1677-09-21T00:12:43.145224192',
    ]);
  });

  it('have a sign and six digits for years outside 0 to 9999', async () => {
    const seconds = new Timestamp(TimeUnit.SECOND, null);
    expect(await texts(seconds, [253_402_300_800n, -62_167_219_201n])).toEqual([
      '+010000-01-01T00:00:00',
      '-000001-12-31T23:59:59',
    ]);
    // 2^63 s are 292277026596 years and some days after 1970-01-01.
    expect(await texts(seconds, [2n ** 63n - 1n])).toEqual(['+292277026596-12-04T15:30:07']);
  });

  it('agree with the language where it has a date', async () => {
    const ms = new Timestamp(TimeUnit.MILLISECOND, 'UTC');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.date({ noInvalidDate: true }), { minLength: 1 }), async (dates) => {
        const values = dates.map((date) => BigInt(date.getTime()));
        expect(await texts(ms, values)).toEqual(dates.map((date) => date.toISOString()));
        const days = dates.map((date) => Math.floor(date.getTime() / 86_400_000));
        const table = tableOf({
          d: new Vector([makeData({ type: new DateDay(), data: Int32Array.from(days) })]),
        });
        const expected = days.map((day) => new Date(day * 86_400_000).toISOString().split('T')[0]);
        expect((await written(table, 'csv')).split('\n').slice(1, -1)).toEqual(expected);
      }),
    );
  });

  it('are dates also in milliseconds', async () => {
    expect(await texts(new DateMillisecond(), [86_400_000n, -1n])).toEqual([
      '1970-01-02',
      '1969-12-31T23:59:59.999',
    ]);
  });
});

describe('Arrow', () => {
  const rows = 150_000;
  const values = Array.from({ length: rows }, (_, i) => (i % 7 === 0 ? null : i));
  const table = tableOf({
    i: column(new Int32(), values),
    s: column(
      new Utf8(),
      values.map((i) => (i === null ? null : `s${i % 10}`)),
    ),
    f: column(new Float32(), values),
    b: column(
      new Bool(),
      values.map((i) => (i === null ? null : i % 2 === 0)),
    ),
  });

  it.each(['x.arrow', 'x.arrows'])(
    'in %s has batches of 65,536 rows, however the rows came',
    async (name) => {
      const target = path(name);
      await writeFile(rowsOf(table), 'arrow', target);
      const bytes = readFileSync(target);
      const read = tableFromIPC(bytes);
      expect(read.batches.map(({ numRows }) => numRows)).toEqual([65_536, 65_536, 18_928]);
      expect(read.getChild('i')?.toArray()).toEqual(table.getChild('i')?.toArray());
      expect(read.getChild('s')?.get(100_001)).toBe('s1');
      expect(read.getChild('b')?.get(100_004)).toBe(true);
      expect(read.getChild('b')?.get(7)).toBe(null);
      expect(name.endsWith('s') ? bytes.readInt32LE(0) : bytes.toString('latin1', 0, 6)).toBe(
        name.endsWith('s') ? -1 : 'ARROW1',
      );
      const cut = new Table(
        [0, 1, 13, 65_537, 65_538, 149_999].flatMap((from, i, all) => table.slice(from, all[i + 1]).batches),
      );
      await writeFile(rowsOf(cut), 'arrow', target);
      expect(readFileSync(target).equals(bytes)).toBe(true);
    },
  );

  it('has a schema where there is no row', async () => {
    const target = path('none.arrow');
    await writeFile(rowsOf(table.slice(0, 0)), 'arrow', target);
    const read = tableFromIPC(readFileSync(target));
    expect(read.numRows).toBe(0);
    expect(read.schema.fields.map(({ name }) => name)).toEqual(['i', 's', 'f', 'b']);
  });

  it('has nullable fields, and no validity where nothing is null', async () => {
    const target = path('valid.arrow');
    await writeFile(rowsOf(table.slice(1, 7)), 'arrow', target);
    const [batch] = tableFromIPC(readFileSync(target)).batches;
    expect(batch.data.children.map(({ nullBitmap }) => nullBitmap?.length ?? 0)).toEqual([0, 0, 0, 0]);
    expect(batch.schema.fields.every(({ nullable }) => nullable)).toBe(true);
  });
});

describe('recutting', () => {
  const listOf = (text: string | null): (string | null)[] | null =>
    text === '' ? null : [text, ...(text ?? '')];

  it('keeps rows and their order, whatever the cuts', async () => {
    const cell = fc.option(fc.string({ unit: 'binary', maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { maxLength: 40 }),
        fc.array(fc.nat(40), { maxLength: 6 }),
        fc.integer({ min: 1, max: 41 }),
        async (texts, borders, size) => {
          const whole = tableOf({
            s: column(new Utf8(), texts),
            b: column(
              new Bool(),
              texts.map((text) => (text === null ? null : text.length > 1)),
            ),
            l: column(new List(new Field('item', new Utf8(), true)), texts.map(listOf)),
          });
          const at = [
            0,
            ...borders.map((it) => Math.min(it, texts.length)).sort((a, b) => a - b),
            texts.length,
          ];
          const pieces = at.slice(1).flatMap((to, i) => (to > at[i] ? whole.slice(at[i], to).batches : []));
          const found: RecordBatch[] = [];
          for await (const batch of recut(whole.schema, asynchronous(pieces), size)) found.push(batch);
          expect(found.map(({ numRows }) => numRows)).toEqual(
            Array.from({ length: Math.ceil(texts.length / size) }, (_, i) =>
              Math.min(size, texts.length - i * size),
            ),
          );
          const read = (name: string) => found.flatMap((batch) => [...(batch.getChild(name) ?? [])]);
          expect(read('s')).toEqual(texts);
          const lists = read('l').map((list) => (list === null ? null : [...list]));
          expect(lists).toEqual(texts.map(listOf));
          expect(read('b')).toEqual(texts.map((text) => (text === null ? null : text.length > 1)));
        },
      ),
    );
  });
});

describe('a table for the eye', () => {
  async function shown(table: Table, view?: TableView): Promise<string> {
    let text = '';
    for await (const chunk of pretty(table.schema, asynchronous(table.batches), view)) text += chunk;
    return text;
  }

  it('has aligned columns, numbers to the right', async () => {
    const table = tableOf({
      name: column(new Utf8(), ['a', 'longer', null]),
      n: column(new Int32(), [1, null, 12345]),
      last: column(new Utf8(), ['x', 'é', '']),
    });
    expect(await shown(table)).toBe(
      [
        'name        n  last',
        '------  -----  ----',
        'a           1  x',
        'longer   null  é',
        'null    12345',
        '(3 rows)',
        '',
      ].join('\n'),
    );
  });

  it('is aligned where characters are two columns wide', async () => {
    const table = tableOf({ city: column(new Utf8(), ['東京', 'Bern']), n: column(new Int32(), [1, 22]) });
    expect((await shown(table)).split('\n').slice(0, 4)).toEqual([
      'city   n',
      '----  --',
      '東京   1',
      'Bern  22',
    ]);
  });

  it('leaves out the middle of a long one, and counts its rows', async () => {
    const batch = (from: number, to: number) =>
      tableOf({
        i: column(
          new Int32(),
          Array.from({ length: to - from }, (_, i) => from + i),
        ),
      }).batches;
    const table = new Table([...batch(0, 3), ...batch(3, 1999), ...batch(1999, 2000)]);
    // 12 lines: 3 rows at either end, 4 lines about them, and the prompts.
    const view = { columns: 80, rows: 12, colors: false };
    expect((await shown(table, view)).split('\n')).toEqual([
      '   i',
      '----',
      '   0',
      '   1',
      '   2',
      '... 1,994 more ...',
      '1997',
      '1998',
      '1999',
      '(2,000 rows)',
      '',
    ]);
    expect((await shown(table.slice(0, 6), view)).split('\n').slice(2, 8)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
    expect(await shown(table.slice(0, 1), view)).toContain('(1 row)');
    // Where it is not shown on a terminal: 20 rows at either end.
    expect((await shown(table)).split('\n').length).toBe(2 + 20 + 1 + 20 + 2);
  });

  it('is as wide as the terminal: texts are cut, then the columns in the middle left out', async () => {
    const names = ['first', 'second', 'third', 'fourth', 'n'];
    const table = tableOf(
      Object.fromEntries(
        names.map((name) => [
          name,
          name === 'n' ? column(new Int32(), [1234567]) : column(new Utf8(), [`${name} ${'x'.repeat(20)}`]),
        ]),
      ),
    );
    const at = async (columns: number) =>
      (await shown(table, { columns, rows: 24, colors: false })).split('\n').slice(0, 3);
    expect(await at(60)).toEqual([
      'first        second       third        fourth              n',
      '-----------  -----------  -----------  ------------  -------',
      'first xxxx…  second xxx…  third xxxx…  fourth xxxx…  1234567',
    ]);
    expect(await at(40)).toEqual([
      'first     second    …  fourth          n',
      '--------  --------  -  --------  -------',
      'first x…  second …  …  fourth …  1234567',
    ]);
  });

  it('has colors where they are wanted, and then only', async () => {
    const table = tableOf({ s: column(new Utf8(), ['a', null]), n: column(new Int32(), [1, 22]) });
    const view = { columns: 80, rows: 24 };
    const plain = await shown(table, { ...view, colors: false });
    const colored = await shown(table, { ...view, colors: true });
    expect(plain).not.toContain('\x1b');
    expect(colored.split('\n')[0]).toBe('\x1b[1ms\x1b[0m      \x1b[1mn\x1b[0m');
    expect(colored).toContain('\x1b[2mnull\x1b[0m  22');
    const codes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
    const bare = colored
      .replace(codes, '')
      .split('\n')
      .map((line) => line.trimEnd());
    expect(bare).toEqual(plain.split('\n'));
  });

  it('does not let text command the terminal', async () => {
    const table = tableOf({
      s: column(new Utf8(), ['\x1b[31mred\x1b[0m', 'a\nb', `\u009b`, 'x'.repeat(100)]),
    });
    const lines = (await shown(table)).split('\n');
    expect(lines[2]).toBe('\\u001b[31mred\\u001b[0m');
    expect(lines[3]).toBe('a\\nb');
    expect(lines[4]).toBe('\ufffd');
    expect(lines[5]).toBe(`${'x'.repeat(59)}…`);
  });
});

describe('numbers for people', () => {
  it('have commas where the language puts them', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (n) => {
        expect(thousands(n)).toBe(n.toLocaleString('en'));
      }),
    );
    expect([0, 999, 1000, 1_000_000].map(thousands)).toEqual(['0', '999', '1,000', '1,000,000']);
  });
});

describe('the width of a text', () => {
  it.each<[string, number]>([
    ['', 0],
    ['plain', 5],
    ['é', 1],
    ['e\u0301', 1],
    ['日本語', 6],
    ['ｱｲ', 2],
    ['ＡＢ', 4],
    ['한국', 4],
    ['カナ', 4],
    ['👍', 2],
    ['±µ…', 3],
    ['Ωж', 2],
  ])('of %s is %i', (text, width) => expect(textWidth(text)).toBe(width));

  it('is kept when it is cut', () => {
    expect(['日本語', '日本', 'a日本', 'abc', 'abcd'].map((text) => cutToWidth(text, 4))).toEqual([
      '日…',
      '日本',
      'a日…',
      'abc',
      'abcd',
    ]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, width) => {
        expect(textWidth(cutToWidth(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('fitting columns to a line', () => {
  it('is no wider than the line, wherever that is possible, and keeps both ends', () => {
    const columns = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.boolean()), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(columns, fc.integer({ min: 1, max: 200 }), (all, line) => {
        const widths = all.map(([width]) => width);
        const isWhole = all.map(([, whole]) => whole);
        const least = all.map(([width, whole]) => (whole ? width : Math.min(width, 8)));
        const fit = fitColumns(widths, isWhole, line);
        const width = fit.reduce((sum, one) => sum + one.width, 0) + 2 * (fit.length - 1);
        const shown = fit.flatMap(({ column }) => (column === undefined ? [] : [column]));
        expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b));
        expect([shown[0], shown.at(-1)]).toEqual([0, all.length - 1]);
        expect(fit.length - shown.length).toBe(shown.length === all.length ? 0 : 1);
        for (const one of fit) {
          if (one.column === undefined) continue;
          expect(one.width).toBeLessThanOrEqual(widths[one.column]);
          expect(one.width).toBeGreaterThanOrEqual(least[one.column]);
        }
        const ends = all.length < 3 ? least : [least[0], 1, least[all.length - 1]];
        const possible = ends.reduce((sum, one) => sum + one, 0) + 2 * (ends.length - 1) <= line;
        if (possible) expect(width).toBeLessThanOrEqual(line);
        // Nothing is cut or left out where all fits as it is.
        const natural = widths.reduce((sum, one) => sum + one, 0) + 2 * (widths.length - 1);
        if (natural <= line) expect(fit.map((one) => one.width)).toEqual(widths);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('Parquet', () => {
  async function parquetBytes(table: Table): Promise<Uint8Array> {
    const target = path('x.parquet');
    await writeFile(rowsOf(table), 'parquet', target);
    return readFileSync(target);
  }
  const numbers = Array.from({ length: 150_000 }, (_, i) => (i % 7 === 0 ? null : i));
  const table = tableOf({
    i: column(new Int32(), numbers),
    s: column(
      new Utf8(),
      numbers.map((i) => (i === null ? null : `s${i % 10}`)),
    ),
    l: column(
      new List(new Field('item', new Utf8(), true)),
      numbers.map((i) => (i === null ? null : ['a', null])),
    ),
  });

  it('holds the rows, and the same bytes however they were cut', async () => {
    const bytes = await parquetBytes(table);
    const read = tableFromIPC(parquet.readParquet(bytes).intoIPCStream());
    expect(read.numRows).toBe(150_000);
    expect(read.schema.fields.map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'i: Int32',
      's: Utf8',
      'l: List<Utf8>',
    ]);
    expect([...(read.getChild('i') ?? [])]).toEqual(numbers);
    expect(read.getChild('s')?.get(100_001)).toBe('s1');
    expect([...(read.getChild('l')?.get(100_001) ?? [])]).toEqual(['a', null]);
    const cut = new Table([0, 1, 65_537].flatMap((from, i, all) => table.slice(from, all[i + 1]).batches));
    expect(Buffer.compare(await parquetBytes(cut), bytes)).toBe(0);
  });

  it('has a schema where there is no row', async () => {
    const read = tableFromIPC(parquet.readParquet(await parquetBytes(table.slice(0, 0))).intoIPCStream());
    expect([read.numRows, read.schema.fields.length]).toEqual([0, 3]);
  });

  it('that fails in the middle fails for the reason it had, and leaves nothing behind', async () => {
    const target = path('failing.parquet');
    rmSync(target);
    const before = readdirSync(dirname(target));
    async function* failing() {
      yield* table.batches;
      throw new RangefoldError('in the middle');
    }
    const writing = writeFile({ schema: table.schema, batches: failing() }, 'parquet', target);
    await expect(writing).rejects.toThrow(new RangefoldError('in the middle'));
    expect(readdirSync(dirname(target))).toEqual(before);
  });
});

describe('files', () => {
  const table = tableOf({ a: column(new Int8(), [1, 2]) });

  it('have formats by their names', () => {
    expect(
      ['a.csv', 'b.JSON', 'c.arrow', 'd.arrows', 'e.feather', 'f.txt', 'g', 'h.xml'].map(formatOfName),
    ).toEqual(['csv', 'json', 'arrow', 'arrow', 'arrow', 'table', undefined, undefined]);
    expect(['a.tsv', 'b.ndjson', 'c.jsonl', 'd.parquet'].map(formatOfName)).toEqual([
      'tsv',
      'ndjson',
      'ndjson',
      'parquet',
    ]);
  });

  it('take the place of an older one only when they are whole', async () => {
    const target = file('target.csv', 'old');
    async function* failing() {
      yield* table.batches;
      expect(readFileSync(target, 'utf8')).toBe('old');
      throw new Error('in the middle');
    }
    const before = readdirSync(dirname(target));
    await expect(writeFile({ schema: table.schema, batches: failing() }, 'csv', target)).rejects.toThrow(
      'in the middle',
    );
    expect(readFileSync(target, 'utf8')).toBe('old');
    expect(readdirSync(dirname(target))).toEqual(before);
    await writeFile(rowsOf(table), 'csv', target);
    expect(readFileSync(target, 'utf8')).toBe('a\n1\n2\n');
    expect(readdirSync(dirname(target))).toEqual(before);
  });

  it('that cannot be written are errors in one form', async () => {
    for (const target of ['/no/such/folder/x.csv', dirname(path('x'))]) {
      const error = await rejection(writeFile(rowsOf(table), 'csv', target));
      expect(error).toBeInstanceOf(RangefoldError);
      expect(error.message.startsWith(`${target}: got a directory`)).toBe(true);
    }
  });

  it('that links lead to are written, and the links stay', async () => {
    const target = file('linked.csv', 'old');
    for (const [link, to] of [
      [join(dirname(target), 'link.csv'), target],
      [join(dirname(target), 'to nothing.csv'), join(dirname(target), 'new.csv')],
    ]) {
      symlinkSync(to, link);
      await writeFile(rowsOf(table), 'csv', link);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(readFileSync(to, 'utf8')).toBe('a\n1\n2\n');
    }
  });

  it('keep the permissions of those whose place they take', async () => {
    const target = file('private.csv', 'old');
    chmodSync(target, 0o600);
    await writeFile(rowsOf(table), 'csv', target);
    expect(statSync(target).mode & 0o777).toBe(0o600);
  });

  it('that are no files are written in place', async () => {
    await writeFile(rowsOf(table), 'csv', '/dev/null');
    expect(readFileSync('/dev/null').length).toBe(0);
  });
});

describe('a stream', () => {
  it('that nobody reads any more ends the writing, and the rows are returned', async () => {
    const target = new PassThrough({ highWaterMark: 1 });
    let returned = false;
    async function* endless() {
      try {
        for (;;) yield* table().batches;
      } finally {
        returned = true;
      }
    }
    const table = () =>
      tableOf({
        s: column(
          new Utf8(),
          Array.from({ length: 10_000 }, () => 'some text'),
        ),
      });
    let read = 0;
    target.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > 100_000) target.destroy();
    });
    expect(await writeStream({ schema: table().schema, batches: endless() }, 'csv', target)).toBe(false);
    expect(returned).toBe(true);
  });
});
