import {
  Binary,
  Bool,
  DateDay,
  Decimal,
  Dictionary,
  DurationSecond,
  Field,
  FixedSizeBinary,
  Float32,
  Float64,
  Int8,
  Int32,
  Int64,
  LargeUtf8,
  List,
  makeData,
  Struct as StructType,
  TimeMicrosecond,
  TimestampMicrosecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint16,
  Utf8,
  Vector,
} from 'apache-arrow';
import { InputError, open } from 'rangefold';
import { describe, expect, it } from 'vitest';
import { asStruct, memberAt, readStruct, type Struct, structsAt, writeStruct } from '../../dist/io/thrift.js';
import {
  column,
  columnsOf,
  createFolder,
  type Plain,
  parquetOf,
  rejection,
  rowsOf,
  tableOf,
} from '../support/files.js';

// Threads and processes start slowly on a busy machine.

const file = createFolder();
const numbers = Array.from({ length: 1000 }, (_, i) => i);
const numbered = tableOf({
  i: column(
    new Int32(),
    numbers.map((i) => (i % 3 === 0 ? null : i)),
  ),
  s: column(
    new Utf8(),
    numbers.map((i) => `s${i % 10}`),
  ),
});
const numberedRows = numbers.map((i): Plain[] => [i % 3 === 0 ? null : BigInt(i), `s${i % 10}`]);

function footerOf(bytes: Uint8Array): { footer: Struct; start: number } {
  const end = bytes.length - 8;
  const start = end - new DataView(bytes.buffer, bytes.byteOffset + end).getUint32(0, true);
  return { footer: readStruct(bytes.subarray(start, end)), start };
}

/** The file with another footer. */
function changed(bytes: Uint8Array, change: (footer: Struct) => void): Uint8Array {
  const { footer, start } = footerOf(bytes);
  change(footer);
  const written = writeStruct(footer);
  const tail = Buffer.from('....PAR1');
  tail.writeUInt32LE(written.length, 0);
  return Buffer.concat([bytes.subarray(0, start), written, tail]);
}

describe('columns', () => {
  it.each<[string, Parameters<typeof column>, string, Plain[]]>([
    ['Bool', [new Bool(), [true, null, false]], 'Bool', [true, null, false]],
    ['Int8', [new Int8(), [-128, null, 127]], 'Int8', [-128n, null, 127n]],
    ['Uint16', [new Uint16(), [0, null, 65535]], 'Uint16', [0n, null, 65535n]],
    [
      'Int64',
      [new Int64(), [-(2n ** 63n), null, 2n ** 63n - 1n]],
      'Int64',
      [-(2n ** 63n), null, 2n ** 63n - 1n],
    ],
    ['Float32', [new Float32(), [0.5, null, -0]], 'Float32', [0.5, null, -0]],
    ['Float64', [new Float64(), [Number.NaN, null, 5e-324]], 'Float64', [Number.NaN, null, 5e-324]],
    ['Utf8', [new Utf8(), ['é', null, '']], 'Utf8', ['é', null, '']],
    ['Binary', [new Binary(), [Uint8Array.of(65), null, Uint8Array.of()]], 'Binary', ['A', null, '']],
    [
      'FixedSizeBinary',
      [new FixedSizeBinary(2), [Uint8Array.of(65, 66), null, Uint8Array.of(67, 68)]],
      'FixedSizeBinary[2]',
      ['AB', null, 'CD'],
    ],
    ['Date32', [new DateDay(), [new Date(0), null, new Date(-86_400_000)]], 'Date32<DAY>', [0n, null, -1n]],
    [
      'Timestamp without zone',
      [new TimestampMicrosecond(), [0, null, 1.5]],
      'Timestamp<MICROSECOND>',
      [0n, null, 1500n],
    ],
    [
      'Timestamp with a zone, which only the note of the Arrow schema tells',
      [new TimestampMicrosecond('Europe/Paris'), [0, null, 1]],
      'Timestamp<MICROSECOND, Europe/Paris>',
      [0n, null, 1000n],
    ],
    [
      'Timestamp of seconds, which Parquet has no word for',
      [new TimestampSecond(), [0, null, 2000]],
      'Timestamp<SECOND>',
      [0n, null, 2n],
    ],
    ['Time', [new TimeMicrosecond(), [0n, null, 5n]], 'Time64<MICROSECOND>', [0n, null, 5n]],
    ['Duration', [new DurationSecond(), [0n, null, 5n]], 'Duration<SECOND>', [0n, null, 5n]],
    [
      'Dictionary',
      [new Dictionary(new Utf8(), new Int8()), ['x', null, 'y']],
      'Dictionary<Int8, Utf8>',
      ['x', null, 'y'],
    ],
    [
      'LargeUtf8, which in a file is text like any other',
      [new LargeUtf8(), ['é', null, '']],
      'Utf8',
      ['é', null, ''],
    ],
  ])('of %s', async (_, [type, values], expected, plain) => {
    const source = await open(
      parquetOf(tableOf({ before: column(new Int8(), [1, 2, 3]), x: column(type, values) })),
    );
    expect(columnsOf(source)[1]).toBe(`x: ${expected}`);
    // Alone it is read from a file with a note of one field.
    expect((await rowsOf(source, ['x'])).map(([value]) => value)).toEqual(plain);
    expect(await rowsOf(source)).toEqual(plain.map((value, i) => [BigInt(i + 1), value]));
  });

  it('of Decimal', async () => {
    // 123.45 and -0.01 in units of 0.01, in 128 bits each, low words first.
    const data = Uint32Array.of(12345, 0, 0, 0, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff);
    const decimals = new Vector([makeData({ type: new Decimal(2, 20, 128), length: 2, data })]);
    const source = await open(parquetOf(tableOf({ d: decimals })));
    expect(columnsOf(source)).toEqual(['d: Decimal[20e+2]']);
    expect(await rowsOf(source)).toEqual([[12345n], [-1n]]);
  });

  it('are read by place where two have one name', async () => {
    const bytes = parquetOf(tableOf({ a: column(new Int8(), [1, 2]), b: column(new Utf8(), ['x', 'y']) }));
    const renamed = changed(bytes, (footer) => {
      structsAt(footer, 2)[2].set(4, { type: 8, value: new TextEncoder().encode('a') });
      // The note of the Arrow schema has the old names.
      footer.delete(5);
    });
    const source = await open(renamed);
    expect(await rowsOf(source)).toEqual([
      [1n, 'x'],
      [2n, 'y'],
    ]);
    expect(await rowsOf(source, ['a'])).toEqual([[1n], [2n]]);
  });

  it('may have dots and the beginnings of others in their names', async () => {
    const source = await open(
      parquetOf(
        tableOf({
          a: column(new Int8(), [1]),
          'a.b': column(new Int8(), [2]),
          '': column(new Int8(), [3]),
          A: column(new Int8(), [4]),
        }),
      ),
    );
    expect(await rowsOf(source, ['a'])).toEqual([[1n]]);
    expect(await rowsOf(source, ['a.b', ''])).toEqual([[2n, 3n]]);
    expect(await rowsOf(source)).toEqual([[1n, 2n, 3n, 4n]]);
  });

  it('that are nested are described, and refused only when they are read', async () => {
    const list = new List(new Field('item', new Int8(), true));
    const struct = new StructType([new Field('p', new Int8(), true), new Field('q', new Utf8(), true)]);
    const source = await open(
      parquetOf(
        tableOf({
          a: column(new Int8(), [1, 2]),
          l: column(list, [[1], null]),
          s: column(struct, [{ p: 1, q: 'x' }, null]),
          z: column(new Utf8(), ['y', 'z']),
        }),
      ),
    );
    expect(columnsOf(source)).toEqual(['a: Int8', 'l: List<Int8>', 's: Struct', 'z: Utf8']);
    expect(await rowsOf(source, ['z', 'a'])).toEqual([
      ['y', 1n],
      ['z', 2n],
    ]);
    const error = await rejection(rowsOf(source, ['a', 's']));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(/row group 0, column "s": got Struct, wanted a type that is not nested$/);
  });
});

describe('row groups', () => {
  it('are parts of known length, and hold the rows in order', async () => {
    const source = await open(parquetOf(numbered, 300));
    expect(source.rows).toBe(1000);
    expect(source.parts.map(({ rows }) => rows)).toEqual([300, 300, 300, 100]);
    expect(await rowsOf(source)).toEqual(numberedRows);
    expect(await rowsOf(source, ['s', 'i'])).toEqual(numberedRows.map(([i, s]) => [s, i]));
  });

  it('are counted where no column is asked for', async () => {
    const source = await open(parquetOf(numbered, 300));
    expect((await rowsOf(source, [])).length).toBe(1000);
  });

  it('may be none', async () => {
    const source = await open(parquetOf(numbered.slice(0, 0)));
    expect(columnsOf(source)).toEqual(['i: Int32', 's: Utf8']);
    expect(source.rows).toBe(0);
    expect(await rowsOf(source)).toEqual([]);
  });

  it('may be larger than a batch', async () => {
    const many = Array.from({ length: 70_000 }, (_, i) => i);
    const source = await open(parquetOf(tableOf({ i: column(new Int32(), many) })));
    const rows = await rowsOf(source);
    expect(rows.length).toBe(70_000);
    expect(rows.every(([i], at) => i === BigInt(at))).toBe(true);
  });
});

describe('INT96', () => {
  /** The file of a column of 12 bytes, with INT96 written over its type: the two are stored alike. */
  function int96File(values: readonly (Uint8Array | null)[], note?: Uint8Array): Uint8Array {
    const bytes = parquetOf(
      tableOf({
        t: column(new FixedSizeBinary(12), values),
        n: column(
          new Int8(),
          values.map((_, i) => i),
        ),
      }),
    );
    return changed(bytes, (footer) => {
      const element = structsAt(footer, 2)[1];
      element.set(1, { type: 5, value: int96Type });
      element.delete(2);
      for (const group of structsAt(footer, 4)) {
        asStruct(memberAt(structsAt(group, 1)[0], 3).value).set(1, { type: 5, value: int96Type });
      }
      if (note !== undefined) footer.set(5, memberAt(footerOf(note).footer, 5));
    });
  }
  const int96Type = 3;

  /** Nanoseconds of the day, then the Julian day; 1970-01-01 is day 2440588. */
  function int96(day: number, nanoseconds: bigint): Uint8Array {
    const bytes = new Uint8Array(12);
    new DataView(bytes.buffer).setBigInt64(0, nanoseconds, true);
    new DataView(bytes.buffer).setInt32(8, day, true);
    return bytes;
  }

  const day = 86_400_000_000_000n;
  const values = [int96(2440588, 0n), null, int96(2440589, 5n), int96(2440587, day - 1n)];

  it('is a timestamp in nanoseconds without zone', async () => {
    const source = await open(int96File(values));
    expect(columnsOf(source)).toEqual(['t: Timestamp<NANOSECOND>', 'n: Int8']);
    expect(await rowsOf(source)).toEqual([
      [0n, 0n],
      [null, 1n],
      [day + 5n, 2n],
      [-1n, 3n],
    ]);
    expect(await rowsOf(source, ['n', 't'])).toEqual([
      [0n, 0n],
      [1n, null],
      [2n, day + 5n],
      [3n, -1n],
    ]);
  });

  it('is read where the writer noted a timestamp', async () => {
    const note = parquetOf(
      tableOf({ t: column(new TimestampNanosecond(), [0]), n: column(new Int8(), [0]) }),
    );
    expect(await rowsOf(await open(int96File(values, note)), ['t'])).toEqual([
      [0n],
      [null],
      [day + 5n],
      [-1n],
    ]);
  });

  it('that 64 bits of nanoseconds cannot hold is an error', async () => {
    // 2^63 ns are 106751 days and 85636854775808 ns.
    const edge = 2440588 + 106751;
    const last = await open(int96File([int96(edge, 85_636_854_775_807n)]));
    expect(await rowsOf(last, ['t'])).toEqual([[2n ** 63n - 1n]]);
    const beyond = await open(int96File([int96(2440588, 0n), int96(edge, 85_636_854_775_808n)]));
    expect(await rowsOf(beyond, ['n'])).toEqual([[0n], [1n]]);
    const error = await rejection(rowsOf(beyond, ['t']));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(
      /row group 0, column "t", row 1: got an INT96 of Julian day 2547339, wanted/,
    );
  });
});

describe('damage', () => {
  const bytes = parquetOf(numbered, 300);

  it('of the end is seen when the file is opened, with its path', async () => {
    for (const length of [1, 4, 8, 11, bytes.length >> 1, bytes.length - 1]) {
      const path = file(`cut-${length}.parquet`, bytes.subarray(0, length));
      const error = await rejection(open(path));
      expect(error).toBeInstanceOf(InputError);
      expect(error.message.startsWith(`${path}: got `)).toBe(true);
    }
  });

  it('of a row group is seen when it is read, with its path and number', async () => {
    const damaged = bytes.slice();
    // Well inside the pages of the second row group, which begins behind the first quarter.
    const at = Math.floor(bytes.length * 0.35);
    damaged.fill(0xff, at, at + 40);
    const path = file('damaged.parquet', damaged);
    const error = await rejection(rowsOf(await open(path)));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(/damaged\.parquet, row group [01]: got data that cannot be decoded/);
  });

  it('of a footer that promises too much is seen', async () => {
    const wrong = bytes.slice();
    new DataView(wrong.buffer).setUint32(wrong.length - 8, 0x7fffffff, true);
    await expect(open(wrong)).rejects.toThrow(/got a footer of 2147483647 bytes/);
    const encrypted = bytes.slice();
    encrypted[encrypted.length - 1] = 'E'.charCodeAt(0);
    await expect(open(encrypted)).rejects.toThrow('got an encrypted Parquet file');
  });
});
