import { type InputError, inputError } from '../core/errors.js';

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

/** How a field stood in the text. */
export const Quoting = { none: 0, quoted: 1, /** Some quotes in it are doubled. */ doubled: 2 } as const;

/** What is wrong at a place of a text. The one who knows the file makes an InputError with the line of it. */
export class CsvFault extends Error {
  constructor(
    /** In bytes from the start of the text that was scanned. */
    readonly offset: number,
    readonly came: string,
    readonly wanted: string,
    readonly column?: string,
  ) {
    super(came);
  }

  /** The same fault in a text that this one is a piece of. */
  movedBy(bytes: number): CsvFault {
    return new CsvFault(this.offset + bytes, this.came, this.wanted, this.column);
  }

  /** What the user is told. */
  at(name: string, line: number): InputError {
    const column = this.column === undefined ? '' : `, column ${JSON.stringify(this.column)}`;
    return inputError(`${name}, line ${line}${column}`, this.came, this.wanted);
  }
}

/**
 * Finds the fields of one record after another, as RFC 4180 has them: a field that begins with a quote ends with
 * one, quotes inside are doubled, records end with LF or CRLF. Blank lines are no records. A quote inside a field
 * that does not begin with one is a character like others.
 */
export class CsvScanner {
  /** Fields of the record found last; where there are more than was expected, the rest is counted only. */
  count = 0;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly quoting: Uint8Array;
  /** Where that record begins. */
  begin = 0;
  /** Where the next record is looked for. */
  position: number;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly delimiter: number,
    from: number,
    expected: number,
  ) {
    this.position = from;
    this.starts = new Int32Array(expected);
    this.ends = new Int32Array(expected);
    this.quoting = new Uint8Array(expected);
  }

  /** Moves to the next record; false where there is none. @throws CsvFault */
  next(): boolean {
    const { bytes, delimiter, starts, ends, quoting } = this;
    const end = bytes.length;
    let at = this.afterBlankLines();
    if (at >= end) return false;
    this.begin = at;
    let count = 0;
    for (;;) {
      let start = at;
      let stop = at;
      let how: number = Quoting.none;
      if (bytes[at] === quote) {
        start = at + 1;
        how = Quoting.quoted;
        at = start;
        for (;;) {
          while (at < end && bytes[at] !== quote) at += 1;
          if (at >= end) throw new CsvFault(start - 1, 'a quote that is not closed', 'a closing quote');
          if (bytes[at + 1] !== quote) break;
          how = Quoting.doubled;
          at += 2;
        }
        stop = at;
        at += 1;
        if (at < end && bytes[at] === carriageReturn && (at + 1 === end || bytes[at + 1] === lineFeed))
          at += 1;
        if (at < end && bytes[at] !== delimiter && bytes[at] !== lineFeed) {
          throw new CsvFault(at, 'text after a closing quote', 'a delimiter or the end of the line');
        }
      } else {
        while (at < end && bytes[at] !== delimiter && bytes[at] !== lineFeed) at += 1;
        stop = at;
        if (stop > start && bytes[stop - 1] === carriageReturn && bytes[at] !== delimiter) stop -= 1;
      }
      if (count < starts.length) {
        starts[count] = start;
        ends[count] = stop;
        quoting[count] = how;
      }
      count += 1;
      if (at >= end || bytes[at] === lineFeed) break;
      at += 1;
    }
    this.count = count;
    this.position = at + 1;
    return true;
  }

  private afterBlankLines(): number {
    const { bytes } = this;
    let at = this.position;
    for (;;) {
      if (bytes[at] === lineFeed) at += 1;
      else if (bytes[at] === carriageReturn && (at + 1 === bytes.length || bytes[at + 1] === lineFeed))
        at += 2;
      else return at;
    }
  }
}

/** The text of a field without its quotes. */
export function fieldText(bytes: Uint8Array, start: number, end: number, quoting: number): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end));
  return quoting === Quoting.doubled ? text.replaceAll('""', '"') : text;
}
