/**
 * Keeps some fields of an Arrow schema as Parquet writers note it: a schema message of Arrow IPC in base64. The
 * message is changed in place: its list of fields is a FlatBuffers vector of offsets, and is made shorter.
 * Source: https://flatbuffers.dev/internals and https://github.com/apache/arrow/tree/main/format
 * @param keep one for each field.
 * @returns undefined where the note is of another form, or of other fields: it then tells nothing.
 */
export function pruneSchema(note: string, keep: readonly boolean[]): string | undefined {
  const bytes = Buffer.from(note, 'base64');
  if (bytes.length < 8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Since Arrow 0.15 a message begins with a mark and its length, before with its length alone.
  const start = view.getUint32(0, true) === 0xffffffff ? 8 : 4;
  try {
    const message = follow(view, start);
    const header = member(view, message, messageHeader);
    const fields = header === undefined ? undefined : member(view, follow(view, header), schemaFields);
    if (fields === undefined) return undefined;
    const vector = follow(view, fields);
    if (view.getUint32(vector, true) !== keep.length) return undefined;
    const kept = keep.flatMap((it, i) => (it ? [follow(view, vector + 4 + 4 * i)] : []));
    view.setUint32(vector, kept.length, true);
    for (const [i, field] of kept.entries()) {
      const at = vector + 4 + 4 * i;
      view.setUint32(at, field - at, true);
    }
    return bytes.toString('base64');
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const messageHeader = 2;
const schemaFields = 1;

/** Where the offset at `at` leads. */
function follow(view: DataView, at: number): number {
  return at + view.getUint32(at, true);
}

/** Where a member of a table lies; undefined where it is absent. */
function member(view: DataView, table: number, id: number): number | undefined {
  const vtable = table - view.getInt32(table, true);
  const slot = 4 + 2 * id;
  if (slot >= view.getUint16(vtable, true)) return undefined;
  const offset = view.getUint16(vtable + slot, true);
  return offset === 0 ? undefined : table + offset;
}
