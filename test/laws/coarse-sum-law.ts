import assert from 'node:assert/strict';
import { Float64 as ArrowFloat64, Int32 as ArrowInt32, makeData, makeVector, Table } from 'apache-arrow';
import { type Aggregator, groupingSets, mean, sum } from 'rangefold';
import { Random } from '../support/random.js';

const ROWS = 1 << 16;
/** Rows of the finest groups, too few for a pair of doubles to be emptied in one of them. */
const ROWS_A_GROUP = 8;

/**
 * Many small groups merge into one, and their float sums with them. Of two rows one holds 1 or -1 and a little above, which
 * is left over when the ones are gone, the other is small to the last bit that lies on one worker's grid for values near 1: left to
 * themselves the remainders outgrow 53 bits. The right sums are added as whole numbers.
 */
export async function exactCoarseSums(engines: readonly Aggregator[], seed: number): Promise<void> {
  const random = new Random(seed);
  const values = Float64Array.from({ length: ROWS }, (_, row) => {
    if (row % 2 === 0) return (row % 4 === 0 ? 1 : -1) + 3 * 2 ** -39;
    const small = 2 ** -26 + random.below(2 ** 26) * 2 ** -52 + random.below(2 ** 26) * 2 ** -78;
    return row % 4 === 1 ? small : -small;
  });
  const groups = Int32Array.from({ length: ROWS }, (_, row) => Math.floor(row / ROWS_A_GROUP));
  const table = new Table({
    k: makeVector(makeData({ type: new ArrowInt32(), length: ROWS, data: groups })),
    l: makeVector(makeData({ type: new ArrowInt32(), length: ROWS, data: groups.map((k) => k % 3) })),
    v: makeVector(makeData({ type: new ArrowFloat64(), length: ROWS, data: values })),
  });
  const wanted = [
    exactSum(values),
    ...[0, 1, 2].map((l) => exactSum(values.filter((_, row) => groups[row] % 3 === l))),
  ];
  for (const engine of engines) {
    const asked = { by: groupingSets([['k', 'l'], ['l'], []]), aggregates: { s: sum('v'), m: mean('v') } };
    const { table: answer } = await engine.aggregate(table, asked);
    const sums = answer.getChild('s')?.toArray() as Float64Array;
    const [a, b, c, all] = sums.slice(-4);
    assert.deepEqual([all, a, b, c], wanted);
    const means = answer.getChild('m')?.toArray() as Float64Array;
    // the number of rows is a power of two
    assert.equal(means.at(-1), wanted[0] / ROWS);
  }
}

/** The sum of values below 2 that are multiples of 2^-78, in units of 2^-90, rounded once. */
function exactSum(values: Float64Array): number {
  let sum = 0n;
  for (const x of values) {
    // in two parts, of which each is less than 2^53 of its unit
    const high = Math.trunc(x * 2 ** 39);
    sum += (BigInt(high) << 51n) + BigInt((x - high * 2 ** -39) * 2 ** 78) * 4096n;
  }
  return Number(sum) * 2 ** -90;
}
