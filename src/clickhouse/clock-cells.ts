import { queryError } from '../core/errors.js';
import type { CheckedKey, CheckedQuery, CheckedTimeBucket } from '../core/plan.js';
import { integerLiteral, integerOf } from './carrier.js';
import { floorSql } from './floor-sql.js';
import type { Reader } from './groups.js';
import { present, type Relation, valueIn } from './relation.js';

/**
 * Where there are times: the numbers of those cells of equal width that have one, ascending. So a table that has times in two millennia
 * only is told the buckets of these.
 */
export interface Cells {
  readonly width: bigint;
  readonly numbers: readonly bigint[];
}

/** How many buckets or stretches of an offset are told a server at most. */
export const MOST_PIECES = 100_000;

/** Whether the buckets of a key follow the calendar or the clock of a zone, so that they are made of the times that there are. */
export function followsClock({ bucket }: CheckedKey): boolean {
  return bucket?.kind === 'time' && (bucket.in === 'months' || bucket.zone !== null);
}

/** Buckets narrower than a day are told by the stretches of an offset, others one by one: cells have a few of either. */
function widthOf({ in: unit, width, day }: CheckedTimeBucket): bigint {
  if (unit === 'months') return width * day * 28n;
  return width < day ? day * 32n : width;
}

/** A SELECT of the cells of the keys that follow a clock, an array each. Undefined where there is no such key. */
export function cellsSelect(
  query: CheckedQuery,
  relation: Relation,
  where: readonly string[],
): string | undefined {
  const arrays = query.keys.filter(followsClock).map((key) => {
    const operand = relation.operands[key.column];
    const width = widthOf(key.bucket as CheckedTimeBucket);
    const number = `intDiv(${floorSql(valueIn(operand), width, 0n, key)}, ${integerLiteral(width)})`;
    return `arraySort(groupUniqArrayIf(${MOST_PIECES + 1})(toInt64(${number}), ${present(operand)}))`;
  });
  if (arrays.length === 0) return undefined;
  return [`SELECT ${arrays.join(', ')}`, `FROM ${relation.from}`, ...where].join('\n');
}

/** What {@link cellsSelect} gave, by key. @throws QueryError where there are too many. */
export function cellsOf(query: CheckedQuery, columns: readonly Reader[]): (Cells | undefined)[] {
  const arrays = columns[Symbol.iterator]();
  return query.keys.map((key) => {
    if (!followsClock(key)) return undefined;
    const numbers = (arrays.next().value?.list(0) ?? []).map((number) => integerOf(number ?? 0n));
    if (numbers.length > MOST_PIECES) throw tooMany(key);
    return { width: widthOf(key.bucket as CheckedTimeBucket), numbers };
  });
}

export function tooMany({ name }: CheckedKey): Error {
  return queryError(
    `key ${JSON.stringify(name)}`,
    `times in more than ${MOST_PIECES} buckets`,
    'fewer: buckets of the calendar or of a time zone are told the server one by one',
  );
}
