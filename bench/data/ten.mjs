import { valueColumn } from './columns.mjs';
import { random32 } from './random.mjs';
import { rowsOf } from './rows.mjs';
import { shapeOf } from './shapes.mjs';
import { tableFrom, tableOf } from './table.mjs';

/** The rows of `seed`, with a float64 column `other` beside the value. */
export function tenTable(rows, allocate) {
  const table = tableOf(shapeOf('seed'), rows, allocate);
  const { values } = rowsOf({ groups: 1, order: 'sorted', value: 'float64' }, rows, random32(10));
  return tableFrom([
    ...table.schema.fields.map(({ name }, i) => [name, table.batches[0].data.children[i]]),
    ['other', valueColumn(values, allocate)],
  ]);
}
