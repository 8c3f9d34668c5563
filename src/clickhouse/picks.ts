import { valueFrom } from './carrier.js';
import { countAt, type Finish } from './parts.js';
import { counted, type Question, selectCount } from './question.js';
import { allOf, canonicalFloat, type Operand, present, valueIn } from './relation.js';

/** `min`, `max`, `every` and `some`. Of floats NaN is the greatest, and ClickHouse would skip it. */
export function selectExtreme(question: Question, x: Operand, which: 'min' | 'max'): Finish {
  const { parts } = question;
  const condition = counted(question, x);
  const count = selectCount(parts, condition);
  const value = valueIn(x);
  const carried = valueFrom(x.type);
  if (x.type.kind !== 'float') {
    const part = parts.add(`${which}If(${value}, ${condition})`);
    return (group) => {
      const found = group.value(part);
      return countAt(group, count) === 0 || found === null ? null : carried(found);
    };
  }
  const nans = selectCount(parts, allOf(condition, `isNaN(${value})`));
  const part = parts.add(`${which}If(${value} + 0., ${allOf(condition, `NOT isNaN(${value})`)})`);
  return (group) => {
    const n = countAt(group, count);
    const nan = countAt(group, nans);
    if (n === 0) return null;
    return nan === n || (which === 'max' && nan > 0) ? Number.NaN : group.value(part);
  };
}

/** `first` and `last`. */
export function selectInRowOrder(question: Question, x: Operand, which: 'first' | 'last'): Finish {
  const { rowNumber, where, aggregate } = question;
  const condition = aggregate.ignoreNulls === true ? allOf(present(x), where) : allOf(where);
  const pick = which === 'first' ? 'argMinIf' : 'argMaxIf';
  return picked(question, x, condition, `${pick}(tuple(${x.sql}), ${rowNumber}, ${condition})`);
}

/** `argMin` and `argMax`; ties go to the earliest row. */
export function selectArgExtreme(question: Question, x: Operand, by: Operand, which: 'min' | 'max'): Finish {
  const { rowNumber } = question;
  const condition = counted(question, by);
  const value = valueIn(by);
  const order =
    by.type.kind === 'float'
      ? [`isNaN(${value})`, `if(isNaN(${value}), 0., ${canonicalFloat(value)})`]
      : [value];
  const row = which === 'min' ? rowNumber : `-toInt128(${rowNumber})`;
  const pick = which === 'min' ? 'argMinIf' : 'argMaxIf';
  const sql = `${pick}(tuple(${x.sql}), tuple(${[...order, row].join(', ')}), ${condition})`;
  return picked(question, x, condition, sql);
}

/** What was picked is in a tuple, for ClickHouse would skip a null that stands alone. */
function picked({ parts }: Question, x: Operand, condition: string, sql: string): Finish {
  const count = selectCount(parts, condition);
  const part = parts.add(`tupleElement(${sql}, 1)`);
  const carried = valueFrom(x.type);
  return (group) => {
    const found = group.value(part);
    return countAt(group, count) === 0 || found === null ? null : carried(found);
  };
}
