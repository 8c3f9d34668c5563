import type { RecordBatch, Schema } from 'apache-arrow';
import { fieldsOf } from '../core/from-arrow.js';
import { valueType } from '../core/type.js';
import { columnReaders } from './column-readers.js';
import { fitColumns } from './fit-columns.js';
import { cellTextOf } from './json-text.js';
import { cutToWidth, textWidth } from './text-width.js';
import { thousands } from './thousands.js';

/** What a table is shown on. */
export interface TableView {
  /** Characters of a line. */
  readonly columns: number;
  /** Lines that are seen at once. */
  readonly rows: number;
  readonly colors: boolean;
}

/** Rows shown at either end of a long table, at most. */
const shownRows = 20;
/** Lines of a terminal that are not rows: head, line, gap, count, and the prompt before and after. */
const otherLines = 6;
/** Columns of a terminal that a text takes at most. */
const shownWidth = 60;

/**
 * A table for the eye: columns aligned, numbers to the right, the middle of a long table left out. All rows are
 * counted, those at the ends are kept. On a terminal it is as wide and as high as that: long texts are cut, and where
 * that is not enough the columns in the middle left out.
 */
export async function* pretty(
  schema: Schema,
  batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
  view?: TableView,
): AsyncGenerator<string, void> {
  const fields = fieldsOf(schema);
  const texts = fields.map(({ type }) => cellTextOf(type));
  const ends = view === undefined ? shownRows : endsFor(view.rows);
  const head: Cell[][] = [];
  let tail: Cell[][] = [];
  let rows = 0;
  for await (const batch of batches) {
    const readers = columnReaders(batch);
    const cells = (row: number): Cell[] =>
      readers.map((read, i) => {
        const value = read(row);
        return value === null ? { text: 'null', look: 'dim' } : { text: visible(texts[i](value)) };
      });
    let row = 0;
    while (row < batch.numRows && head.length < ends) head.push(cells(row++));
    const last: Cell[][] = [];
    for (row = Math.max(row, batch.numRows - ends); row < batch.numRows; row++) last.push(cells(row));
    tail = [...tail, ...last].slice(-ends);
    rows += batch.numRows;
  }
  const columns = fields.map(({ name, type }, i): Column => {
    const cells = [...head, ...tail].map((row) => row[i]);
    const isNumber = ['int', 'float', 'decimal', 'duration', 'interval'].includes(valueType(type).kind);
    return { head: { text: visible(name), look: 'bold' }, cells, isNumber };
  });
  yield lines(fitted(columns, view), head.length, rows, view?.colors === true).join('\n');
}

interface Cell {
  readonly text: string;
  readonly look?: 'bold' | 'dim';
}

interface Column {
  readonly head: Cell;
  readonly cells: readonly Cell[];
  /** Numbers stand to the right, and are never cut. */
  readonly isNumber: boolean;
}

function endsFor(terminalRows: number): number {
  return Math.max(3, Math.min(shownRows, Math.floor((terminalRows - otherLines) / 2)));
}

function fitted(columns: readonly Column[], view: TableView | undefined): Column[] {
  const widthOf = ({ head, cells }: Column): number =>
    cells.reduce((width, { text }) => Math.max(width, textWidth(text)), textWidth(head.text));
  if (view === undefined) return [...columns];
  const widths = columns.map(widthOf);
  const fit = fitColumns(
    widths,
    columns.map(({ isNumber }) => isNumber),
    view.columns,
  );
  return fit.map(({ column, width }): Column => {
    if (column === undefined) {
      const dots: Cell = { text: '…', look: 'dim' };
      return { head: dots, cells: (columns[0]?.cells ?? []).map(() => dots), isNumber: false };
    }
    const cut = (cell: Cell): Cell => ({ ...cell, text: cutToWidth(cell.text, width) });
    const { head, cells, isNumber } = columns[column];
    return { head: cut(head), cells: cells.map(cut), isNumber };
  });
}

function lines(columns: readonly Column[], headRows: number, rows: number, colors: boolean): string[] {
  const widths = columns.map(({ head, cells }) =>
    cells.reduce((width, { text }) => Math.max(width, textWidth(text)), textWidth(head.text)),
  );
  const line = (cellOf: (column: Column, width: number) => Cell): string => {
    const parts = columns.map((column, i) => {
      const { text, look } = cellOf(column, widths[i]);
      const padding = ' '.repeat(widths[i] - textWidth(text));
      // The last column is not filled up, so that no line ends in blanks.
      const after = i === columns.length - 1 ? '' : padding;
      const shown = colors && look !== undefined ? `${codes[look]}${text}${codes.none}` : text;
      return column.isNumber ? padding + shown : shown + after;
    });
    return colors ? parts.join('  ') : parts.join('  ').trimEnd();
  };
  const shown = columns[0]?.cells.length ?? 0;
  const row = (at: number): string => line(({ cells }) => cells[at]);
  const left = rows - shown;
  const count = `(${thousands(rows)} ${rows === 1 ? 'row' : 'rows'})`;
  return [
    line(({ head }) => head),
    line((_, width) => ({ text: '-'.repeat(width), look: 'dim' })),
    ...Array.from({ length: headRows }, (_, i) => row(i)),
    ...(left > 0 ? [`... ${thousands(left)} more ...`] : []),
    ...Array.from({ length: shown - headRows }, (_, i) => row(headRows + i)),
    count,
    '',
  ];
}

const codes = { bold: '\x1b[1m', dim: '\x1b[2m', none: '\x1b[0m' } as const;

/** One line without control characters, which a terminal would obey. */
function visible(text: string): string {
  const clean = text.replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));
  return cutToWidth(clean.replace(/\p{Cc}/gu, '\ufffd'), shownWidth);
}
