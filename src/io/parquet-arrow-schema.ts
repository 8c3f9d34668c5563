/**
 * The Arrow schema that a Parquet writer noted, for an excerpt: some of its fields, and text and binary in their plain
 * forms. Parquet knows one form of text; whether the writer held it with 32-bit offsets, 64-bit ones or as views is no
 * property of the file, and files of several writers shall agree.
 *
 * The note is a schema message of Arrow IPC in base64. It is changed in place: its list of fields is a FlatBuffers
 * vector of offsets and is made shorter, and a field's type is a number beside a table that is empty for these types.
 * Source: https://flatbuffers.dev/internals and https://github.com/apache/arrow/tree/main/format
 * @param keep one for each field.
 * @returns undefined where the note is of another form, or of other fields: it then tells nothing.
 */
export function excerptSchema(note: string, keep: readonly boolean[]): string | undefined {
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
      const type = member(view, field, fieldType);
      if (type !== undefined) bytes[type] = plainForms[bytes[type]] ?? bytes[type];
    }
    return bytes.toString('base64');
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const messageHeader = 2;
const schemaFields = 1;
const fieldType = 2;

/** By Arrow's type ids: LargeUtf8 and Utf8View become Utf8, LargeBinary and BinaryView Binary. */
const plainForms: Readonly<Record<number, number>> = { 20: 5, 24: 5, 19: 4, 23: 4 };

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
