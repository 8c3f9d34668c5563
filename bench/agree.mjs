import { difference } from './difference.mjs';

/** @throws where two answers differ in a bit. */
export async function requireSame(name, table, expectedName, expected) {
  const different = await difference(table, expected);
  if (different !== undefined) throw new Error(`${name} differs from ${expectedName}: ${different}`);
}

/**
 * Holds columns of values (arrays, or Arrow vectors), as another program hands them out, against an answer of ours.
 * @param bound how far a float may be off, relatively.
 * @param floor a float that is less is held to `bound` times this.
 * @throws where they differ.
 */
export function requireEqual(name, columns, table, bound, floor = 0) {
  for (const [c, { name: field }] of table.schema.fields.entries()) {
    const column = table.getChildAt(c);
    const theirs = columns[c];
    if (theirs.length !== column.length) {
      throw new Error(`${name}: got ${theirs.length} groups, wanted ${column.length}`);
    }
    const at = typeof theirs.get === 'function' ? (row) => theirs.get(row) : (row) => theirs[row];
    for (let row = 0; row < column.length; row++) {
      const wanted = column.get(row);
      const came = at(row);
      if (!isEqual(came, wanted, bound, floor)) {
        throw new Error(`${name}, ${field} of group ${row}: got ${came}, wanted ${wanted}`);
      }
    }
  }
}

function isEqual(came, wanted, bound, floor) {
  if (wanted === null) return isNothing(came);
  // counts and integers may come as number or as bigint
  if (typeof wanted === 'bigint') return !isNothing(came) && BigInt(came) === wanted;
  if (typeof wanted === 'number') {
    return !isNothing(came) && Math.abs(Number(came) - wanted) <= bound * Math.max(Math.abs(wanted), floor);
  }
  if (typeof wanted === 'object') {
    const [theirs, ours] = [itemsOf(came), itemsOf(wanted)];
    return theirs.length === ours.length && ours.every((item, i) => isEqual(theirs[i], item, bound, floor));
  }
  return came === wanted;
}

/** Of what has no answer some programs make null, others NaN. */
function isNothing(came) {
  return came === null || came === undefined || Number.isNaN(came);
}

/** Of a list, as DuckDB and Arrow have it. */
function itemsOf(list) {
  return [...(list.items ?? list)];
}

/** The relative error of a sum of so many positive doubles, added in any order (Higham, Accuracy and Stability, 4.2). */
export function naiveBound(rows) {
  return rows * 2 ** -53;
}
