import {
  and,
  type Comparable,
  type Condition,
  eq,
  ge,
  gt,
  isIn,
  isNull,
  le,
  lt,
  ne,
  not,
  notNull,
  or,
} from 'rangefold';

/**
 * A condition as JSON has it: `["gt", "delay", 3]`, `["isIn", "x", [1, null]]`, `["isNull", "x"]`, `["and", [...], [...]]`,
 * `["not", [...]]`. Values that JSON has no form for are `{ "float": "NaN" }`, `{ "bigint": "9" }`, `{ "date": "2024-01-01" }`
 * and `{ "bytes": "ff00" }`.
 */
export type ConditionNotation = readonly [name: string, ...rest: unknown[]];

type ValueNotation = null | boolean | number | string | Readonly<Record<string, string>>;

const COMPARISONS: ReadonlyMap<string, (column: string, value: Comparable) => Condition> = new Map(
  Object.entries({ eq, ne, lt, le, gt, ge }),
);

export function conditionOf([name, ...rest]: ConditionNotation): Condition {
  const [first, second] = rest;
  const compare = COMPARISONS.get(name);
  if (compare !== undefined) return compare(first as string, comparableOf(second as ValueNotation));
  switch (name) {
    case 'isIn':
      return isIn(first as string, (second as ValueNotation[]).map(comparableOf));
    case 'isNull':
      return isNull(first as string);
    case 'notNull':
      return notNull(first as string);
    case 'and':
      return and(...(rest as ConditionNotation[]).map(conditionOf));
    case 'or':
      return or(...(rest as ConditionNotation[]).map(conditionOf));
    case 'not':
      return not(conditionOf(first as ConditionNotation));
    default:
      throw new Error(`no condition ${name}`);
  }
}

function comparableOf(notation: ValueNotation): Comparable {
  if (notation === null || typeof notation !== 'object') return notation;
  const { float, bigint, date, bytes } = notation;
  if (float !== undefined) return Number(float);
  if (bigint !== undefined) return BigInt(bigint);
  if (date !== undefined) return new Date(date);
  if (bytes !== undefined) return Buffer.from(bytes, 'hex');
  throw new Error(`no value ${JSON.stringify(notation)}`);
}
