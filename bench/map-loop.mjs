/**
 * What a program does without an engine: a loop over the values that apache-arrow hands out, a Map, and a sort, for the
 * count of the rows and the sum of the values that are not null. `get(row)` is used because it came out no slower than
 * iterating (int64: 1.4 times as fast). Several keys are Maps of Maps: keys joined to one string would mix up pairs.
 */
export function mapLoop(table, keys) {
  const columns = keys.map((name) => table.getChild(name));
  const value = table.getChild('value');
  return columns.length === 1 ? byOne(columns[0], value) : bySeveral(columns, value);
}

function byOne(key, value) {
  const groups = new Map();
  for (let row = 0; row < key.length; row++) {
    const k = key.get(row);
    const v = value.get(row);
    const group = groups.get(k);
    if (group === undefined) groups.set(k, { keys: [k], count: 1, sum: v });
    else add(group, v);
  }
  return [...groups.values()].sort((a, b) => compare(a.keys[0], b.keys[0]));
}

function bySeveral(columns, value) {
  const last = columns.length - 1;
  const groups = new Map();
  const all = [];
  for (let row = 0; row < value.length; row++) {
    let inner = groups;
    for (let c = 0; c < last; c++) {
      const k = columns[c].get(row);
      let next = inner.get(k);
      if (next === undefined) {
        next = new Map();
        inner.set(k, next);
      }
      inner = next;
    }
    const k = columns[last].get(row);
    const v = value.get(row);
    const group = inner.get(k);
    if (group === undefined) {
      const made = { keys: columns.map((column) => column.get(row)), count: 1, sum: v };
      inner.set(k, made);
      all.push(made);
    } else add(group, v);
  }
  return all.sort((a, b) => {
    for (let c = 0; c < last; c++) {
      const order = compare(a.keys[c], b.keys[c]);
      if (order !== 0) return order;
    }
    return compare(a.keys[last], b.keys[last]);
  });
}

function add(group, value) {
  group.count++;
  if (value === null) return;
  if (group.sum === null) group.sum = value;
  else group.sum += value;
}

/** Nulls last. */
function compare(a, b) {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Its groups as columns: keys, count, sum. */
export function columnsOf(groups, keys) {
  return [
    ...Array.from({ length: keys }, (_, k) => groups.map((group) => group.keys[k])),
    groups.map(({ count }) => count),
    groups.map(({ sum }) => sum),
  ];
}
