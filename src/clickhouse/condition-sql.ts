import type { CheckedCondition } from '../core/plan.js';
import type { Value } from '../core/read-values.js';
import { literal } from './carrier.js';
import { keyOf, type Operand, valueIn } from './relation.js';

/** 1 where a condition is true, and 0 where it is false or unknown. */
export function isTrue(condition: CheckedCondition, operands: readonly Operand[]): string {
  return `ifNull(${conditionSql(condition, operands)}, 0)`;
}

/** A condition as 1, 0 or null. AND, OR and NOT of ClickHouse are those of three-valued logic. */
function conditionSql(condition: CheckedCondition, operands: readonly Operand[]): string {
  switch (condition.kind) {
    case 'isNull':
      return `isNull(${operands[condition.column].sql})`;
    case 'in': {
      const operand = operands[condition.column];
      const otherwise = condition.orUnknown ? UNKNOWN : '0';
      return unlessNull(operand, `if(${isOneOf(operand, condition.values)}, 1, ${otherwise})`);
    }
    case 'compare': {
      const operand = operands[condition.column];
      return unlessNull(operand, compareSql(operand, condition.operator, condition.value));
    }
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((one) => conditionSql(one, operands));
      if (parts.length === 0) return condition.kind === 'and' ? '1' : '0';
      return `(${parts.join(condition.kind === 'and' ? ' AND ' : ' OR ')})`;
    }
    case 'not':
      return `(NOT ${conditionSql(condition.condition, operands)})`;
  }
}

const UNKNOWN = "CAST(NULL, 'Nullable(UInt8)')";

function unlessNull({ sql }: Operand, condition: string): string {
  return `if(isNull(${sql}), ${UNKNOWN}, ${condition})`;
}

function isOneOf(operand: Operand, values: readonly Value[]): string {
  const { type } = operand;
  const numbers = values.filter((value) => !Number.isNaN(value));
  const value = valueIn(operand);
  const key = keyOf({ type, sql: value });
  const parts = [
    ...(numbers.length === 0 ? [] : [`${key} IN (${numbers.map((one) => literal(type, one)).join(', ')})`]),
    ...(numbers.length === values.length ? [] : [`isNaN(${value})`]),
  ];
  return parts.length === 0 ? '0' : `(${parts.join(' OR ')})`;
}

const SIGNS = { lt: '<', le: '<=', gt: '>', ge: '>=' };

/** Of floats NaN is above every number and equal to itself; to ClickHouse all comparisons with it are false. */
function compareSql(operand: Operand, operator: keyof typeof SIGNS, bound: Value): string {
  const value = valueIn(operand);
  const plain = `${value} ${SIGNS[operator]} ${literal(operand.type, bound)}`;
  if (operand.type.kind !== 'float') return plain;
  if (Number.isNaN(bound)) return boundedByNaN(value)[operator];
  return operator === 'gt' || operator === 'ge' ? `(${plain} OR isNaN(${value}))` : plain;
}

function boundedByNaN(value: string): Readonly<Record<keyof typeof SIGNS, string>> {
  return { lt: `NOT isNaN(${value})`, le: '1', gt: '0', ge: `isNaN(${value})` };
}
