import type { CheckedAggregate } from '../core/plan.js';
import type { Parts } from './parts.js';
import { allOf, type Operand, present } from './relation.js';

/** An aggregate with what it is of, in SQL. */
export interface Question {
  readonly aggregate: CheckedAggregate;
  /** Of `count()` of rows none. */
  readonly x: Operand | undefined;
  readonly y: Operand | undefined;
  /** The aggregate's own condition, 0 or 1. */
  readonly where: string | undefined;
  readonly rowNumber: string;
  readonly floatSums: 'exact' | 'fast';
  readonly parts: Parts;
}

/** On which rows there are values of these operands, and the aggregate looks at them. */
export function counted({ where }: Question, ...operands: readonly Operand[]): string {
  return allOf(...operands.map(present), where);
}

/** Selects how many rows there are on which a condition is true. */
export function selectCount(parts: Parts, condition: string): number {
  return parts.add(condition === '1' ? 'count()' : `countIf(${condition})`);
}
