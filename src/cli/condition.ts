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
} from '../core/conditions.js';
import type { DataType } from '../core/type.js';
import type { ParsedCondition, Value } from './grammar.js';
import { numberOf } from './number.js';

/** The type of a column; undefined where it is not known. */
export type TypeOf = (column: string) => DataType | undefined;

/** The condition that a text says. Numbers are read as the types of their columns need them. */
export function conditionOf(parsed: ParsedCondition, typeOf: TypeOf): Condition {
  switch (parsed.kind) {
    case 'and':
    case 'or':
      return JOINS[parsed.kind](...parsed.conditions.map((one) => conditionOf(one, typeOf)));
    case 'not':
      return not(conditionOf(parsed.condition, typeOf));
    case 'null': {
      const { name } = parsed.column;
      return parsed.not ? notNull(name) : isNull(name);
    }
    case 'compare': {
      const { operator, column, value } = parsed;
      return COMPARISONS[operator](column.name, comparableOf(value, typeOf(column.name)));
    }
    case 'in': {
      const { name } = parsed.column;
      const values = parsed.values.map((value) => comparableOf(value, typeOf(name)));
      return turned(parsed.not, isIn(name, values));
    }
    case 'between': {
      const { column, low, high } = parsed;
      const [from, to] = [low, high].map((value) => comparableOf(value, typeOf(column.name)));
      return turned(parsed.not, and(ge(column.name, from), le(column.name, to)));
    }
  }
}

const JOINS = { and, or };
const COMPARISONS = { eq, ne, lt, le, gt, ge };

function turned(isTurned: boolean, condition: Condition): Condition {
  return isTurned ? not(condition) : condition;
}

function comparableOf(value: Value, type: DataType | undefined): Comparable {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'bytes':
      return new Uint8Array(Buffer.from(value.text, 'hex'));
    case 'number':
      return numberOf(value.text, type);
    case 'true':
    case 'false':
      return value.kind === 'true';
    case 'null':
      return null;
  }
}
