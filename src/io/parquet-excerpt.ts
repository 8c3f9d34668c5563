import type { Bytes } from './origin.js';
import { excerptSchema } from './parquet-arrow-schema.js';
import { type Chunk, type Footer, magic, type RowGroup, type TopLevelColumn } from './parquet-footer.js';
import {
  intAt,
  type Member,
  memberAt,
  type Struct,
  structsAt,
  Type,
  textAt,
  type Value,
  writeStruct,
} from './thrift.js';

/*
 * parquet-wasm 0.8 decodes whole files when asked without promises (with promises it can hang on damage), does not
 * look at `columns` then, and wraps an INT96 beyond the nanosecond range without a word. So it is given small files
 * that we make: some columns of one row group, and INT96 declared as 12 plain bytes, which have the same encodings.
 */

const fixedLengthByteArray = 7;

/** A file without row groups, from which the decoder reads the schema. */
export function schemaExcerpt(footer: Footer): Uint8Array {
  return file([], excerptFooter(footer, footer.columns, undefined));
}

/** A file of one row group and the columns at `indices`, which ascend. */
export function rowGroupExcerpt(
  footer: Footer,
  group: RowGroup,
  indices: readonly number[],
  bytes: Bytes,
): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = magic.length;
  const columns = indices.map((index) => footer.columns[index]);
  const chunks = columns.flatMap(({ firstLeaf, leaves, int96 }) =>
    group.chunks.slice(firstLeaf, firstLeaf + leaves).map((chunk): Struct => {
      const metadata = moved(chunk, at - chunk.start, int96);
      pieces.push(bytes.read(chunk.start, chunk.end));
      at += chunk.end - chunk.start;
      return new Map<number, Member>([
        [2, { type: Type.i64, value: 0 }],
        [3, { type: Type.struct, value: metadata }],
      ]);
    }),
  );
  const struct: Struct = new Map<number, Member>([
    [1, { type: Type.list, value: { element: Type.struct, items: chunks } }],
    [2, memberAt(group.struct, 2)],
    [3, memberAt(group.struct, 3)],
  ]);
  return file(pieces, excerptFooter(footer, columns, struct));
}

/** The metadata of a chunk in its new place, without statistics and indexes, which nobody reads. */
function moved({ metadata }: Chunk, shift: number, raw: boolean): Struct {
  const kept: Struct = new Map();
  for (const [id, member] of metadata) {
    if (id === 1 && raw) kept.set(id, { ...member, value: fixedLengthByteArray });
    else if (id === 9 || (id === 11 && intAt(metadata, id) > 0)) {
      kept.set(id, { ...member, value: intAt(metadata, id) + shift });
    } else if (id < 8) kept.set(id, member);
  }
  return kept;
}

function excerptFooter(
  footer: Footer,
  columns: readonly TopLevelColumn[],
  group: Struct | undefined,
): Uint8Array {
  const root = new Map(footer.root).set(5, { type: Type.i32, value: columns.length });
  const elements = columns.flatMap((column) => (column.int96 ? [twelveBytes(column)] : column.elements));
  const out: Struct = new Map<number, Member>([
    [1, memberAt(footer.struct, 1)],
    [2, structList([root, ...elements])],
    [3, { type: Type.i64, value: group === undefined ? 0 : intAt(group, 3) }],
    [4, structList(group === undefined ? [] : [group])],
  ]);
  const note = arrowSchemaNote(footer, columns);
  if (note !== undefined) out.set(5, structList([note]));
  const createdBy = footer.struct.get(6);
  if (createdBy !== undefined) out.set(6, createdBy);
  return writeStruct(out);
}

function structList(items: readonly Value[]): Member {
  return { type: Type.list, value: { element: Type.struct, items } };
}

function twelveBytes({ elements: [int96] }: TopLevelColumn): Struct {
  const out: Struct = new Map<number, Member>([
    [1, { type: Type.i32, value: fixedLengthByteArray }],
    [2, { type: Type.i32, value: 12 }],
  ]);
  for (const id of [3, 4]) {
    const member = int96.get(id);
    if (member !== undefined) out.set(id, member);
  }
  return out;
}

/** The writer's note of the Arrow schema that it was given: zones, units and forms that Parquet has no word for. */
function arrowSchemaNote(footer: Footer, columns: readonly TopLevelColumn[]): Struct | undefined {
  const notes = footer.struct.has(5) ? structsAt(footer.struct, 5) : [];
  const note = notes.find((it) => textAt(it, 1) === 'ARROW:schema');
  if (note?.has(2) !== true) return undefined;
  const excerpt = excerptSchema(
    textAt(note, 2),
    footer.columns.map((column) => columns.includes(column)),
  );
  if (excerpt === undefined) return undefined;
  return new Map(note).set(2, { type: Type.binary, value: new TextEncoder().encode(excerpt) });
}

function file(pieces: readonly Uint8Array[], footer: Uint8Array): Uint8Array {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const out = new Uint8Array(magic.length + length + footer.length + 8);
  out.set(magic);
  let at = magic.length;
  for (const piece of [...pieces, footer]) {
    out.set(piece, at);
    at += piece.length;
  }
  new DataView(out.buffer).setUint32(at, footer.length, true);
  out.set(magic, at + 4);
  return out;
}
