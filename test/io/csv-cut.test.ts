import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutCsv } from '../../dist/io/csv-cut.js';
import { CsvFault, CsvScanner, fieldText, Quoting } from '../../dist/io/csv-scan.js';
import { bytesOf } from '../../dist/io/origin.js';

const comma = 44;

function bytesIn(text: string) {
  const bytes = new TextEncoder().encode(text);
  return { bytes, reader: bytesOf({ name: 'test', bytes, size: bytes.length, id: 'test' }) };
}

/** Null is the unquoted empty field. */
type Field = string | null;

function records(bytes: Uint8Array, from = 0): Field[][] {
  const scanner = new CsvScanner(bytes, comma, from, 16);
  const found: Field[][] = [];
  while (scanner.next()) {
    found.push(
      Array.from({ length: scanner.count }, (_, i) => {
        const [start, end, how] = [scanner.starts[i], scanner.ends[i], scanner.quoting[i]];
        return start === end && how === Quoting.none ? null : fieldText(bytes, start, end, how);
      }),
    );
  }
  return found;
}

const scan = (text: string): Field[][] => records(new TextEncoder().encode(text));

describe('the scanner', () => {
  it.each<[string, string, Field[][]]>([
    [
      'plain fields',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'no line end at the end',
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'CRLF',
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'CRLF after quotes',
      '"a","b"\r\n"c","d"\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['CR at the very end', 'a,b\r', [['a', 'b']]],
    ['a CR inside a field', 'a\rb,c\n', [['a\rb', 'c']]],
    [
      'empty fields',
      ',\n,,\n',
      [
        [null, null],
        [null, null, null],
      ],
    ],
    ['an empty field at the end', 'a,', [['a', null]]],
    ['quoted empty fields', '"",x,""\n', [['', 'x', '']]],
    ['delimiters and line ends in quotes', '"a,b","c\r\nd\ne"\n', [['a,b', 'c\r\nd\ne']]],
    ['doubled quotes', '"""a""",""""\n', [['"a"', '"']]],
    ['quotes inside a field that has none at its beginning', 'a"b"",c\n', [['a"b""', 'c']]],
    ['blank lines', '\n\r\na\n\n\r\nb\n\n', [['a'], ['b']]],
    ['a line of blanks, which is not blank', ' \n', [[' ']]],
    ['characters beyond ASCII', 'é,"€ ""😀"""\n', [['é', '€ "😀"']]],
    ['nothing', '', []],
  ])('finds %s', (_, text, expected) => expect(scan(text)).toEqual(expected));

  it.each([
    ['"a', 0],
    ['x,"a""', 2],
    ['"a"b,c\n', 3],
    ['"a" ,c\n', 3],
  ])('refuses %j', (text, offset) => {
    expect(() => scan(text)).toThrow(CsvFault);
    try {
      scan(text);
    } catch (error) {
      expect(error).toMatchObject({ offset });
    }
  });
});

const field = fc.oneof(
  fc.constant<Field>(null),
  fc.constant<Field>(''),
  fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '\r\n', ' ', 'é', '""'), maxLength: 6 }),
);
/** Two fields at least, since a record of one null is a blank line. */
const table = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 12 });

function written(rows: readonly (readonly Field[])[], end: string): string {
  const text = (it: Field): string =>
    it === null ? '' : /^[a-zé ]+$/.test(it) ? it : `"${it.replaceAll('"', '""')}"`;
  return rows.map((row) => row.map(text).join(',') + end).join('');
}

describe('cuts', () => {
  it('lie between records, whatever is in quotes, however much is read at a time', () => {
    fc.assert(
      fc.property(
        table,
        fc.constantFrom('\n', '\r\n', '\n\n'),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        (rows, end, size, window) => {
          const { bytes, reader } = bytesIn(written(rows, end));
          const cuts = cutCsv(reader, comma, 0, size, window);
          expect(cuts[0]).toBe(0);
          expect(cuts[cuts.length - 1]).toBe(bytes.length);
          const found = cuts.slice(1).map((cut, i) => {
            expect(cut).toBeGreaterThan(cuts[i]);
            return records(bytes.subarray(cuts[i], cut));
          });
          expect(found.flat()).toEqual(rows);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('come as often as asked for', () => {
    const { bytes, reader } = bytesIn('ab,cd\n'.repeat(100));
    expect(cutCsv(reader, comma, 0, 60)).toEqual([0, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600]);
    expect(cutCsv(reader, comma, 0, 61)).toEqual([0, 66, 132, 198, 264, 330, 396, 462, 528, 594, 600]);
    expect(cutCsv(reader, comma, 0, 601)).toEqual([0, bytes.length]);
  });

  it('do not come where a quote is left open', () => {
    const { reader } = bytesIn('a,b\n"c,d\ne,f\n');
    expect(() => cutCsv(reader, comma, 0, 4, 3)).toThrow(CsvFault);
    const doubled = bytesIn('a,"b""\n');
    expect(() => cutCsv(doubled.reader, comma, 0, 4, 3)).toThrow(expect.objectContaining({ offset: 2 }));
  });
});
