import { recut } from '../dist/io/recut.js';

/**
 * Where two tables differ, in schema, values or validity, byte for byte; undefined where they do not. How they are
 * cut into batches makes no difference.
 */
export async function difference(a, b) {
  const schemas = [a, b].map(({ schema }) =>
    schema.fields
      .map((field) => `${field.name}: ${field.type}${field.nullable ? '' : ' not null'}`)
      .join(', '),
  );
  if (schemas[0] !== schemas[1]) return `schema ${schemas[0]} against ${schemas[1]}`;
  if (a.numRows !== b.numRows) return `${a.numRows} rows against ${b.numRows}`;
  const [left, right] = [await columnsOf(a), await columnsOf(b)];
  for (const [i, field] of a.schema.fields.entries()) {
    for (const buffer of ['nullBitmap', 'valueOffsets', 'values']) {
      if (Buffer.compare(bytesOf(left[i]?.[buffer]), bytesOf(right[i]?.[buffer])) !== 0) {
        return `the ${buffer} of column ${field.name}`;
      }
    }
  }
  return undefined;
}

/** The columns in one piece each, offsets from 0, unused bits 0. */
async function columnsOf({ schema, batches, numRows }) {
  for await (const batch of recut(schema, batches, numRows)) return batch.data.children;
  return [];
}

function bytesOf(values) {
  return ArrayBuffer.isView(values)
    ? Buffer.from(values.buffer, values.byteOffset, values.byteLength)
    : Buffer.alloc(0);
}
