import { Float64, Int32, Int64, makeData, Utf8 } from 'apache-arrow';

const BYTES = 8;

/** Group numbers as a key column. `allocate(size)` makes an (Shared)ArrayBuffer of so many bytes. */
export function keyColumn(key, group, next, allocate) {
  switch (key.kind) {
    case 'int64':
      return int64Keys(key, group, next, allocate);
    case 'int32':
      return int32Keys(key, group, allocate);
    case 'utf8':
      return texts(key, group, allocate);
    default:
      throw new Error(`kind of key: got ${key.kind}`);
  }
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

/** Entries ascend, so that sorted groups are sorted keys. */
function int64Keys({ entries, entryOf }, group, next, allocate) {
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

function int32Keys({ entryOf }, group, allocate) {
  const { length } = group;
  const data = new Int32Array(allocate(4 * length));
  for (let row = 0; row < length; row++) data[row] = entryOf(group[row]);
  return makeData({ type: new Int32(), length, nullCount: 0, data });
}

function texts({ entries, entryOf, digits }, group, allocate) {
  const { length } = group;
  const width = 2 + digits;
  const all = Array.from({ length: entries }, (_, i) => `id${String(i).padStart(digits, '0')}`).join('');
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
