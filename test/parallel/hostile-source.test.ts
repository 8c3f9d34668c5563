import { pathToFileURL } from 'node:url';
import { type DataType, Dictionary, Field, Float64, Int8, Int32, Schema, Utf8, Utf8View } from 'apache-arrow';
import { type Aggregator, count, createParallel, InputError, max, type Query, type Source } from 'rangefold';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../support/cells.js';
import { createFolder, rejection } from '../support/files.js';

/** A module that gives one batch of three rows: its columns as the data has them. */
const MODULE = `
export function* read({ batch }) {
  yield batch === 'none' ? undefined : batch;
}
`;

const url = pathToFileURL(createFolder()('part.mjs', MODULE)).href;

const INT = { kind: 'int', bits: 32, signed: true };
const FLOAT = { kind: 'float', bits: 64 };
const TEXT = { kind: 'utf8', form: 'plain' };
const VIEW = { kind: 'utf8', form: 'view' };
const CODES = {
  kind: 'dictionary',
  index: { kind: 'int', bits: 8, signed: true },
  value: TEXT,
  ordered: false,
};
const bytesOf = (...values: number[]): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);
const ROW = { length: 3, nulls: 0, bitOffset: 0 };
const ints = { ...ROW, type: INT, values: bytesOf(1, 2, 2) };
const texts = { ...ROW, type: TEXT, offsets: bytesOf(0, 1, 2, 3), values: Uint8Array.of(97, 98, 98) };
const codes = { ...ROW, type: CODES, values: Uint8Array.of(0, 1, 1), dictionary: { ...texts } };
const views = {
  ...ROW,
  type: VIEW,
  values: bytesOf(13, 0x61616161, 0, 0, 1, 0x62, 0, 0, 1, 0x62, 0, 0),
  buffers: [new Uint8Array(13).fill(97)],
};

const TYPES = new Map<unknown, DataType>([
  [INT, new Int32()],
  [FLOAT, new Float64()],
  [TEXT, new Utf8()],
  [VIEW, new Utf8View()],
  [CODES, new Dictionary(new Utf8(), new Int8())],
]);

/** A source of one good part and one whose column is `column`; the schema says `type`. */
function sourceOf(type: unknown, good: unknown, batch: unknown): Source {
  const part = (data: unknown): Source['parts'][number] => ({ module: url, data: { batch: data } });
  return {
    schema: new Schema([new Field('k', TYPES.get(type) ?? new Int32(), true)]),
    parts: [part({ rows: 3, columns: [good] }), part(batch)],
    batches: () => {
      throw new Error('an engine that reads parts needs no batches');
    },
  };
}

const QUERIES: readonly Query[] = [
  { by: ['k'], aggregates: { n: count() } },
  { by: [], aggregates: { m: max('k') } },
];

let engine: Aggregator;
beforeAll(() => {
  engine = createParallel({ workers: 2 });
});
afterAll(() => engine.close());

const three = (column: unknown): unknown => ({ rows: 3, columns: [column] });

describe('a source whose module gives', () => {
  it.each([
    ['what is right', INT, ints],
    ['texts that are right', TEXT, texts],
    ['codes that are right', CODES, codes],
    ['views that are right', VIEW, views],
  ] as const)('%s is answered', async (_, type, column) => {
    const { table } = await engine.aggregate(sourceOf(type, column, three(column)), QUERIES[0]);
    expect(cellsOf(table).rows.map(([, n]) => n)).toEqual(['2', '4']);
  });

  it.each([
    ['no batch', INT, ints, 'none', /^part 1: got undefined, wanted a batch/],
    ['a batch of no rows', INT, ints, { columns: [ints] }, /^part 1, rows: got undefined/],
    ['rows below none', INT, ints, { rows: -1, columns: [ints] }, /^part 1, rows: got -1/],
    ['half a row', INT, ints, { rows: 2.5, columns: [ints] }, /^part 1, rows: got 2.5/],
    ['no columns', INT, ints, { rows: 3 }, /^part 1, columns: got undefined/],
    ['a column too few', INT, ints, { rows: 3, columns: [] }, /^part 1, columns: got 0 columns, wanted 1/],
    ['a column too many', INT, ints, { rows: 3, columns: [ints, ints] }, /^part 1, columns: got 2 columns/],
    ['no column', INT, ints, three(null), /^part 1, column "k": got null/],
    [
      'a column without a type',
      INT,
      ints,
      three({ ...ints, type: 7 }),
      /column "k": got type none, wanted Int32/,
    ],
    [
      'another type',
      INT,
      ints,
      three({ ...ints, type: FLOAT }),
      /column "k": got type Float64, wanted Int32/,
    ],
    ['a short column', INT, ints, three({ ...ints, length: 2 }), /column "k": got 2 rows, wanted 3/],
    ['a long column', INT, ints, three({ ...ints, length: 4 }), /column "k": got 4 rows, wanted 3/],
    [
      'too few values',
      INT,
      ints,
      three({ ...ints, values: bytesOf(1, 2) }),
      /values: got 8 bytes, wanted .* 12/,
    ],
    ['no values', INT, ints, three({ ...ints, values: undefined }), /values: got undefined/],
    ['values that are no bytes', INT, ints, three({ ...ints, values: [1, 2, 3] }), /values: got an array/],
    ['nulls without validity', INT, ints, three({ ...ints, nulls: 1 }), /validity: got undefined/],
    ['more nulls than rows', INT, ints, three({ ...ints, nulls: 4 }), /nulls: got 4, wanted 0 to 3/],
    [
      'too few bits',
      INT,
      ints,
      three({ ...ints, nulls: 1, bitOffset: 6, validity: Uint8Array.of(0) }),
      /validity: got 1 bytes, wanted .* 2 or more/,
    ],
    ['a wrong bit', INT, ints, three({ ...ints, bitOffset: -8 }), /bitOffset: got -8/],
    ['no offsets', TEXT, texts, three({ ...texts, offsets: undefined }), /offsets: got undefined/],
    ['too few offsets', TEXT, texts, three({ ...texts, offsets: bytesOf(0, 1, 2) }), /offsets: got 12 bytes/],
    [
      'an offset behind the text',
      TEXT,
      texts,
      three({ ...texts, offsets: bytesOf(0, 1, 2, 99) }),
      /column "k": got a wrong offset in row 2/,
    ],
    [
      'offsets that descend',
      TEXT,
      texts,
      three({ ...texts, offsets: bytesOf(0, 3, 1, 3) }),
      /column "k": got /,
    ],
    [
      'an offset below none',
      TEXT,
      texts,
      three({ ...texts, offsets: bytesOf(-5, 1, 2, 3) }),
      /column "k": got a wrong offset in row 0/,
    ],
    ['no dictionary', CODES, codes, three({ ...codes, dictionary: undefined }), /dictionary: got undefined/],
    [
      'a code out of range',
      CODES,
      codes,
      three({ ...codes, values: Uint8Array.of(0, 1, 3) }),
      /got code 3 in row 2/,
    ],
    [
      'a negative code',
      CODES,
      codes,
      three({ ...codes, values: Uint8Array.of(0, 255, 1) }),
      /got code -1 in row 1/,
    ],
    [
      'a dictionary cut short',
      CODES,
      codes,
      three({ ...codes, dictionary: { ...texts, offsets: bytesOf(0, 1) } }),
      /dictionary, offsets: got 8 bytes/,
    ],
    ['no buffer for views', VIEW, views, three({ ...views, buffers: undefined }), /column "k": got /],
    [
      'a buffer cut short',
      VIEW,
      views,
      three({ ...views, buffers: [new Uint8Array(12)] }),
      /column "k": got /,
    ],
    ['buffers that are none', VIEW, views, three({ ...views, buffers: 'abc' }), /buffers: got "abc"/],
    [
      'too few views',
      VIEW,
      views,
      three({ ...views, values: views.values.subarray(16) }),
      /values: got 32 bytes/,
    ],
  ] as const)('%s is an InputError that names part and place', async (_, type, good, batch, words) => {
    for (const query of QUERIES) {
      const error = await rejection(engine.aggregate(sourceOf(type, good, batch), query));
      expect(error).toBeInstanceOf(InputError);
      expect(error.message).toMatch(words);
      expect(error.message).toMatch(/^part 1/);
    }
    const { table } = await engine.aggregate(sourceOf(type, good, three(good)), QUERIES[0]);
    expect(cellsOf(table).rows.map(([, n]) => n)).toEqual(['2', '4']);
  });
});
