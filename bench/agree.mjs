import { Type } from 'apache-arrow';
import { difference } from './difference.mjs';

/** @throws where two answers differ in a bit. */
export async function requireSame(name, table, expectedName, expected) {
  const different = await difference(table, expected);
  if (different !== undefined) throw new Error(`${name} differs from ${expectedName}: ${different}`);
}

/**
 * Holds columns of values, as another program hands them out, against an answer of ours.
 * @param bound how far a float sum may be off, relatively.
 * @throws where they differ.
 */
export function requireEqual(name, columns, table, bound) {
  for (const [c, { name: field }] of table.schema.fields.entries()) {
    const column = table.getChildAt(c);
    const theirs = columns[c];
    if (theirs.length !== column.length) {
      throw new Error(`${name}: got ${theirs.length} groups, wanted ${column.length}`);
    }
    const float = column.type.typeId === Type.Float;
    for (let row = 0; row < column.length; row++) {
      const wanted = column.get(row);
      const came = theirs[row];
      // counts and integers may come as number or as bigint
      const equal = float
        ? isNear(came, wanted, bound)
        : typeof wanted === 'bigint'
          ? BigInt(came) === wanted
          : came === wanted;
      if (!equal) throw new Error(`${name}, ${field} of group ${row}: got ${came}, wanted ${wanted}`);
    }
  }
}

function isNear(came, wanted, bound) {
  return typeof came === 'number' && Math.abs(came - wanted) <= bound * Math.abs(wanted);
}

/** The relative error of a sum of so many positive doubles, added in any order (Higham, Accuracy and Stability, 4.2). */
export function naiveBound(rows) {
  return rows * 2 ** -53;
}
