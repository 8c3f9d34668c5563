/**
 * What a program does without an engine: a loop over the values that apache-arrow hands out, a Map, and a sort.
 * `get(row)` is used because it came out no slower than iterating (int64: 1.4 times as fast).
 */
export function mapLoop(table, keys) {
  const columns = keys.map((name) => table.getChild(name));
  const value = table.getChild('value');
  return columns.length === 1 ? byOne(columns[0], value) : byTwo(columns[0], columns[1], value);
}

function byOne(key, value) {
  const groups = new Map();
  for (let row = 0; row < key.length; row++) {
    const k = key.get(row);
    const v = value.get(row);
    const group = groups.get(k);
    if (group === undefined) groups.set(k, { keys: [k], count: 1, sum: v });
    else {
      group.count++;
      group.sum += v;
    }
  }
  return [...groups.values()].sort((a, b) => compare(a.keys[0], b.keys[0]));
}

/** A Map of Maps: keys joined to one string would mix up pairs. */
function byTwo(key1, key2, value) {
  const groups = new Map();
  for (let row = 0; row < key1.length; row++) {
    const k1 = key1.get(row);
    const k2 = key2.get(row);
    const v = value.get(row);
    let inner = groups.get(k1);
    if (inner === undefined) {
      inner = new Map();
      groups.set(k1, inner);
    }
    const group = inner.get(k2);
    if (group === undefined) inner.set(k2, { keys: [k1, k2], count: 1, sum: v });
    else {
      group.count++;
      group.sum += v;
    }
  }
  return [...groups.values()]
    .flatMap((inner) => [...inner.values()])
    .sort((a, b) => compare(a.keys[0], b.keys[0]) || compare(a.keys[1], b.keys[1]));
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
