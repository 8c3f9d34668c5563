import type { RecordBatch, Schema } from 'apache-arrow';
import { fieldsOf } from '../core/from-arrow.js';
import { type DataType, valueType } from '../core/type.js';
import { columnReaders } from './column-readers.js';
import { cellTextOf } from './json-text.js';

/** Characters shown of a text. */
const shownCharacters = 60;

/**
 * A table for the eye: columns aligned, numbers to the right, the middle of a long table left out. All rows are
 * counted, those at the ends are kept.
 * @param shownRows at either end.
 */
export async function* pretty(
  schema: Schema,
  batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
  shownRows = 20,
): AsyncGenerator<string, void> {
  const fields = fieldsOf(schema);
  const texts = fields.map(({ type }) => cellTextOf(type));
  const head: string[][] = [];
  let tail: string[][] = [];
  let rows = 0;
  for await (const batch of batches) {
    const readers = columnReaders(batch);
    const cells = (row: number): string[] =>
      readers.map((read, i) => {
        const value = read(row);
        return value === null ? 'null' : visible(texts[i](value));
      });
    let row = 0;
    while (row < batch.numRows && head.length < shownRows) head.push(cells(row++));
    const last: string[][] = [];
    for (row = Math.max(row, batch.numRows - shownRows); row < batch.numRows; row++) last.push(cells(row));
    tail = [...tail, ...last].slice(-shownRows);
    rows += batch.numRows;
  }
  yield lines(fields, head, tail, rows).join('\n');
}

function lines(
  fields: readonly { readonly name: string; readonly type: DataType }[],
  head: readonly string[][],
  tail: readonly string[][],
  rows: number,
): string[] {
  const names = fields.map(({ name }) => visible(name));
  const left = rows - head.length - tail.length;
  const widths = names.map((name, i) =>
    [...head, ...tail].reduce((width, cells) => Math.max(width, lengthOf(cells[i])), lengthOf(name)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => {
        const padding = ' '.repeat(widths[i] - lengthOf(cell));
        return isNumber(fields[i].type) ? padding + cell : cell + padding;
      })
      .join('  ')
      .trimEnd();
  return [
    line(names),
    line(widths.map((width) => '-'.repeat(width))),
    ...head.map(line),
    ...(left > 0 ? [`... ${left.toLocaleString('en')} more ...`] : []),
    ...tail.map(line),
    `(${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'})`,
    '',
  ];
}

function isNumber(type: DataType): boolean {
  return ['int', 'float', 'decimal', 'duration', 'interval'].includes(valueType(type).kind);
}

/** Characters, not UTF-16 units. */
function lengthOf(text: string): number {
  return [...text].length;
}

/** One line without control characters, which a terminal would obey. */
function visible(text: string): string {
  const clean = text.replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));
  const characters = [...clean.replace(/\p{Cc}/gu, '\ufffd')];
  return characters.length <= shownCharacters
    ? characters.join('')
    : `${characters.slice(0, shownCharacters - 1).join('')}…`;
}
