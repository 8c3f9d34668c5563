import { InputError, inputError } from '../core/errors.js';
import type { Bytes } from './origin.js';
import { asStruct, intAt, memberAt, readStruct, type Struct, structsAt, textAt } from './thrift.js';

/**
 * What stands at the end of a Parquet file. We read it ourselves because the decoder takes whole files only: see
 * parquet-excerpt.ts.
 * Source: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
 */
export interface Footer {
  readonly struct: Struct;
  /** The first element of the schema, parent of all others. */
  readonly root: Struct;
  readonly columns: readonly TopLevelColumn[];
  readonly rowGroups: readonly RowGroup[];
}

/** A column as Arrow counts them: a nested one is one, though Parquet stores its leaves apart. */
export interface TopLevelColumn {
  readonly name: string;
  /** Its part of the schema, a tree in depth-first order. */
  readonly elements: readonly Struct[];
  /** Its leaves among the column chunks of every row group. */
  readonly firstLeaf: number;
  readonly leaves: number;
  /** Whether it holds INT96, one a row. */
  readonly int96: boolean;
}

export interface RowGroup {
  readonly struct: Struct;
  readonly rows: number;
  /** One a leaf. */
  readonly chunks: readonly Chunk[];
}

export interface Chunk {
  readonly metadata: Struct;
  /** The chunk's bytes in the file. */
  readonly start: number;
  readonly end: number;
}

export const magic: Uint8Array = new TextEncoder().encode('PAR1');

/** Reads and checks the footer. @throws InputError where the file is no Parquet file, or damaged. */
export function readFooter(bytes: Bytes, name: string): Footer {
  if (bytes.size < 12 || !isMagic(bytes.read(0, 4))) {
    throw inputError(name, 'a file that does not begin with PAR1', 'a Parquet file');
  }
  const tail = bytes.read(bytes.size - 8, bytes.size);
  if (String.fromCharCode(...tail.subarray(4)) === 'PARE') {
    throw inputError(name, 'an encrypted Parquet file', 'one that is not encrypted');
  }
  if (!isMagic(tail.subarray(4))) {
    throw inputError(name, 'a file that does not end with PAR1', 'a whole Parquet file');
  }
  const length = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true);
  if (length > bytes.size - 12) {
    throw inputError(name, `a footer of ${length} bytes`, `at most ${bytes.size - 12}`);
  }
  try {
    return footerOf(readStruct(bytes.read(bytes.size - 8 - length, bytes.size - 8)), bytes.size);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw inputError(name, `a damaged footer (${why})`, 'a Parquet footer', error);
  }
}

function isMagic(bytes: Uint8Array): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}

function footerOf(struct: Struct, size: number): Footer {
  const [root, ...elements] = structsAt(struct, 2);
  if (root === undefined) throw new RangeError('an empty schema');
  const columns = topLevelColumns(elements);
  const leaves = columns.reduce((sum, column) => sum + column.leaves, 0);
  const rowGroups = structsAt(struct, 4).map((group) => rowGroup(group, leaves, size));
  return { struct, root, columns, rowGroups };
}

function topLevelColumns(elements: readonly Struct[]): TopLevelColumn[] {
  const columns: TopLevelColumn[] = [];
  let firstLeaf = 0;
  for (let at = 0; at < elements.length; ) {
    const end = treeEnd(elements, at);
    const tree = elements.slice(at, end);
    const leaves = tree.filter((element) => childCount(element) === 0).length;
    columns.push({
      name: textAt(elements[at], 4),
      elements: tree,
      firstLeaf,
      leaves,
      int96: isInt96(elements[at]),
    });
    firstLeaf += leaves;
    at = end;
  }
  return columns;
}

function treeEnd(elements: readonly Struct[], at: number): number {
  let end = at;
  for (let open = 1; open > 0; open--) {
    if (end >= elements.length) throw new RangeError('a schema that breaks off');
    open += childCount(elements[end]);
    end += 1;
  }
  return end;
}

function childCount(element: Struct): number {
  return element.has(5) ? intAt(element, 5) : 0;
}

const int96 = 3;
const repeated = 2;

/** A repeated column is a list, and lists are not read. */
function isInt96(element: Struct): boolean {
  return element.get(1)?.value === int96 && element.get(3)?.value !== repeated;
}

function rowGroup(struct: Struct, leaves: number, size: number): RowGroup {
  const rows = intAt(struct, 3);
  if (rows < 0) throw new RangeError(`a row group of ${rows} rows`);
  const chunks = structsAt(struct, 1).map((chunk) => columnChunk(chunk, size));
  if (chunks.length !== leaves) {
    throw new RangeError(`a row group of ${chunks.length} columns, the schema has ${leaves}`);
  }
  return { struct, rows, chunks };
}

function columnChunk(struct: Struct, size: number): Chunk {
  if (struct.has(1)) throw new RangeError('a column chunk in another file');
  const metadata = asStruct(memberAt(struct, 3).value);
  const dictionary = metadata.has(11) ? intAt(metadata, 11) : 0;
  const data = intAt(metadata, 9);
  // Some writers put 0 where there is no dictionary.
  const start = dictionary > 0 ? Math.min(dictionary, data) : data;
  const end = start + intAt(metadata, 7);
  if (start < magic.length || end < start || end > size)
    throw new RangeError('a column chunk outside the file');
  return { metadata, start, end };
}
