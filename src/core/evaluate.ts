import { type Column, isValid } from './column.js';
import type { CheckedCondition } from './plan.js';
import { type Value, valueReader } from './read-values.js';
import { compareKeys } from './semantics.js';
import type { DataType } from './type.js';

/** How conditions see a column: its type, and its values by row. Of a list they only see whether it is null. */
export interface Readable {
  readonly type: DataType;
  readonly read: (row: number) => Value | null;
}

/** A column as conditions see it. */
export function readableOf(column: Column): Readable {
  const { type } = column;
  return {
    type,
    read: type.kind === 'list' ? (row) => (isValid(column, row) ? true : null) : valueReader(column),
  };
}

/** A function from row to true, false or null for unknown, by three-valued logic. `columns` are those of the condition. */
export function evaluator(
  condition: CheckedCondition,
  columns: readonly Readable[],
): (row: number) => boolean | null {
  switch (condition.kind) {
    case 'isNull': {
      const { read } = columns[condition.column];
      return (row) => read(row) === null;
    }
    case 'in': {
      const { read, type } = columns[condition.column];
      const { values } = condition;
      const otherwise = condition.orUnknown ? null : false;
      return (row) => {
        const value = read(row);
        if (value === null) return null;
        return values.some((one) => compareKeys(type, value, one) === 0) ? true : otherwise;
      };
    }
    case 'compare': {
      const { read, type } = columns[condition.column];
      const { operator, value: bound } = condition;
      const holds = OPERATORS[operator];
      return (row) => {
        const value = read(row);
        return value === null ? null : holds(compareKeys(type, value, bound));
      };
    }
    case 'and':
      return joined(condition.conditions, columns, false);
    case 'or':
      return joined(condition.conditions, columns, true);
    case 'not': {
      const inner = evaluator(condition.condition, columns);
      return (row) => {
        const result = inner(row);
        return result === null ? null : !result;
      };
    }
  }
}

const OPERATORS: Readonly<Record<'lt' | 'le' | 'gt' | 'ge', (order: number) => boolean>> = {
  lt: (order) => order < 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
};

/** One `decisive` result decides, for `or` true and for `and` false; else one unknown makes it unknown. */
function joined(
  conditions: readonly CheckedCondition[],
  columns: readonly Readable[],
  decisive: boolean,
): (row: number) => boolean | null {
  const parts = conditions.map((condition) => evaluator(condition, columns));
  return (row) => {
    let result: boolean | null = !decisive;
    for (const part of parts) {
      const one = part(row);
      if (one === decisive) return decisive;
      if (one === null) result = null;
    }
    return result;
  };
}
