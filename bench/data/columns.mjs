import { Dictionary, Float64, Int32, Int64, makeData, makeVector, Utf8 } from 'apache-arrow';
import { unit } from './random.mjs';

const BYTES = 8;
/** One in so many rows of a nullable column is null. */
const NULL_EVERY = 10;

/** Group numbers as a key column. `allocate(size)` makes an (Shared)ArrayBuffer of so many bytes. */
export function keyColumn(key, group, next, allocate) {
  const column = KINDS[key.kind];
  if (column === undefined) throw new Error(`kind of key: got ${key.kind}`);
  const made = column(key, entryOf(key), group, next, allocate);
  return key.nullable ? withNulls(made, next, allocate) : made;
}

const KINDS = {
  int64: int64Keys,
  int32: (_, entryOf, group, __, allocate) => int32Column(entryOf, group, allocate),
  sparse: sparseKeys,
  float64: float64Keys,
  utf8: (key, entryOf, group, _, allocate) => texts(key, entryOf, group, allocate),
  dictionary: (key, entryOf, group, _, allocate) => coded(key, entryOf, group, allocate),
};

function entryOf({ entries, stride }) {
  if (stride === 1) return (group) => group % entries;
  return (group) => Math.floor(group / stride) % entries;
}

export function valueColumn(values, allocate) {
  const { length } = values;
  if (values instanceof Float64Array) {
    const data = new Float64Array(allocate(BYTES * length));
    data.set(values);
    return makeData({ type: new Float64(), length, nullCount: 0, data });
  }
  const words = new Int32Array(allocate(BYTES * length));
  for (let row = 0; row < length; row++) words[2 * row] = values[row];
  return int64(words);
}

/** The same column where one row in ten is null; what lies below a null is what was there. */
export function withNulls({ type, length, values, valueOffsets }, next, allocate) {
  const nullBitmap = new Uint8Array(allocate(Math.ceil(length / 64) * 8));
  let nullCount = 0;
  for (let row = 0; row < length; row++) {
    if (unit(next) < 1 / NULL_EVERY) nullCount++;
    else nullBitmap[row >> 3] |= 1 << (row & 7);
  }
  return makeData({ type, length, nullCount, nullBitmap, data: values, valueOffsets });
}

/** Entries ascend, so that sorted groups are sorted keys. */
function int64Keys({ entries }, entryOf, group, next, allocate) {
  const keys = new Int32Array(2 * entries);
  for (let i = 0; i < keys.length; i++) keys[i] = next();
  const sorted = new BigInt64Array(keys.buffer).sort();
  const entry = new Int32Array(sorted.buffer);
  const words = new Int32Array(allocate(BYTES * group.length));
  // halves, because reading 64 bits at once makes a BigInt of every row
  for (let row = 0; row < group.length; row++) {
    const at = 2 * entryOf(group[row]);
    words[2 * row] = entry[at];
    words[2 * row + 1] = entry[at + 1];
  }
  return int64(words);
}

function int64(words) {
  const length = words.length / 2;
  return makeData({ type: new Int64(), length, nullCount: 0, data: new BigInt64Array(words.buffer) });
}

export function int32Column(entryOf, group, allocate) {
  const { length } = group;
  const data = new Int32Array(allocate(4 * length));
  for (let row = 0; row < length; row++) data[row] = entryOf(group[row]);
  return makeData({ type: new Int32(), length, nullCount: 0, data });
}

function sparseKeys({ entries }, entryOf, group, next, allocate) {
  const keys = Int32Array.from(distinct(entries, next));
  return int32Column((number) => keys[entryOf(number)], group, allocate);
}

function float64Keys({ entries }, entryOf, group, next, allocate) {
  const keys = distinct(entries, () => Math.round(unit(next) * 1e9) / 1e3);
  const { length } = group;
  const data = new Float64Array(allocate(BYTES * length));
  for (let row = 0; row < length; row++) data[row] = keys[entryOf(group[row])];
  return makeData({ type: new Float64(), length, nullCount: 0, data });
}

/** So many different values, as they are drawn. */
function distinct(entries, draw) {
  const seen = new Set();
  while (seen.size < entries) seen.add(draw());
  return [...seen];
}

export function textOf(i, digits) {
  return `id${String(i).padStart(digits, '0')}`;
}

/** `first`: the number in the first entry's text. */
export function texts({ entries, digits, first = 0 }, entryOf, group, allocate) {
  const { length } = group;
  const width = 2 + digits;
  const all = Array.from({ length: entries }, (_, i) => textOf(first + i, digits)).join('');
  const entry = Buffer.from(all, 'latin1');
  const valueOffsets = new Int32Array(allocate(4 * (length + 1)));
  const data = new Uint8Array(allocate(width * length));
  for (let row = 0; row < length; row++) {
    const from = width * entryOf(group[row]);
    const to = width * row;
    for (let i = 0; i < width; i++) data[to + i] = entry[from + i];
    valueOffsets[row + 1] = to + width;
  }
  return makeData({ type: new Utf8(), length, nullCount: 0, valueOffsets, data });
}

/** The dictionary's entries stand in another order than that of the keys. */
function coded(key, entryOf, group, allocate) {
  const { entries } = key;
  const { length } = group;
  const numbers = Int32Array.from({ length: entries }, (_, i) => entries - 1 - i);
  const dictionary = makeVector(texts(key, (number) => number, numbers, allocate));
  const data = new Int32Array(allocate(4 * length));
  for (let row = 0; row < length; row++) data[row] = entries - 1 - entryOf(group[row]);
  const type = new Dictionary(new Utf8(), new Int32(), 0, false);
  return makeData({ type, length, nullCount: 0, data, dictionary });
}
