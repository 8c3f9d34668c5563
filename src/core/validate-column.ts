import { type Column, isValid } from './column.js';
import { inputError } from './errors.js';
import { codeReader, offsetReader } from './read-values.js';
import { layoutOf } from './type.js';

/**
 * Checks, in O(rows), what reading a column by its offsets, views and codes relies on: offsets ascend and stay
 * inside `values`, views stay inside their buffers, codes of rows that have a value are entries of the dictionary.
 * Rows without a value may hold any code or view.
 * @param place names the column in the error, as `batch 3, column "k"`.
 * @throws InputError
 */
export function validateColumn(column: Column, place: string): void {
  const layout = layoutOf(column.type);
  if (layout.form === 'codes') {
    const { dictionary } = column;
    if (dictionary === undefined) throw inputError(place, 'no dictionary', 'a dictionary for its codes');
    const code = codeReader(layout, column);
    for (let row = 0; row < column.length; row++) {
      const entry = code(row);
      if ((entry < 0 || entry >= dictionary.length) && isValid(column, row)) {
        throw inputError(place, `code ${entry} in row ${row}`, `a code from 0 to ${dictionary.length - 1}`);
      }
    }
    validateDictionary(dictionary, `${place}, dictionary`);
  } else if (layout.form === 'offsets') {
    validateOffsets(column, place);
  } else if (layout.form === 'views') {
    validateViews(column, place);
  }
}

// Batches of one stream share their dictionary, often a large one: each is checked once.
const validated = new WeakSet<Column>();

function validateDictionary(dictionary: Column, place: string): void {
  if (validated.has(dictionary)) return;
  validateColumn(dictionary, place);
  validated.add(dictionary);
}

function validateOffsets(column: Column, place: string): void {
  const offset = offsetReader(column);
  let before = offset(0);
  if (before < 0) throw inputError(place, `offset ${before} in row 0`, 'an offset of 0 or more');
  for (let row = 0; row < column.length; row++) {
    const after = offset(row + 1);
    if (after < before) {
      throw inputError(place, `offset ${after} after ${before} in row ${row}`, 'offsets that ascend');
    }
    before = after;
  }
  if (before > column.values.length) {
    throw inputError(
      place,
      `a last offset of ${before}`,
      `at most ${column.values.length}, the bytes there are`,
    );
  }
}

function validateViews(column: Column, place: string): void {
  const buffers = column.buffers ?? [];
  const { values } = column;
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  for (let row = 0; row < column.length; row++) {
    if (!isValid(column, row)) continue;
    const length = view.getInt32(row * 16, true);
    if (length >= 0 && length <= 12) continue;
    const buffer = view.getInt32(row * 16 + 8, true);
    const from = view.getInt32(row * 16 + 12, true);
    if (length < 0 || from < 0 || from + length > (buffers[buffer]?.length ?? 0)) {
      throw inputError(
        place,
        `a view of ${length} bytes at ${from} of buffer ${buffer} in row ${row}`,
        'a view inside its buffer',
      );
    }
  }
}
