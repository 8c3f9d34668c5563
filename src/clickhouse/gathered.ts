import { indexOf, interpolate, positionOf } from '../core/quantile.js';
import type { Value } from '../core/read-values.js';
import { canonical } from '../core/semantics.js';
import { bytesLiteral, floatLiteral, valueFrom } from './carrier.js';
import { countAt, type Finish, type Selected } from './parts.js';
import { counted, type Question, selectCount } from './question.js';
import { allOf, keyOf, type Operand, valueIn } from './relation.js';

/** The values of a group in key order, as an array of SQL; NaNs, which stand behind the others, are only counted. */
interface Gathered {
  readonly sorted: string;
  /** How many values, and how many of them are NaN. */
  readonly count: number;
  readonly nans: number | undefined;
}

function gather(question: Question, x: Operand): Gathered {
  const { parts } = question;
  const condition = counted(question, x);
  const value = valueIn(x);
  const isFloat = x.type.kind === 'float';
  const numbers = isFloat ? allOf(condition, `NOT isNaN(${value})`) : condition;
  return {
    sorted: `arraySort(groupArrayIf(${keyOf({ type: x.type, sql: value })}, ${numbers}))`,
    count: selectCount(parts, condition),
    nans: isFloat ? selectCount(parts, allOf(condition, `isNaN(${value})`)) : undefined,
  };
}

function nansOf(group: Selected, { nans }: Gathered): number {
  return nans === undefined ? 0 : countAt(group, nans);
}

/** The server picks the two values about the position, which is a double by the same two operations there and here. */
export function selectQuantile(question: Question, x: Operand): Finish {
  const { parts, aggregate } = question;
  const { p = 0.5, interpolation = 'linear', input } = aggregate;
  const gathered = gather(question, x);
  const carried = valueFrom(x.type);
  const position = `(${floatLiteral(p)} * (${parts.sqlOf(gathered.count)} - 1))`;
  const [low, high] = ['floor', 'ceil'].map((round) =>
    parts.add(`arrayElement(${gathered.sorted}, toUInt64(greatest(${round}(${position}), 0.)) + 1)`),
  );
  return (group) => {
    const n = countAt(group, gathered.count);
    if (n === 0) return null;
    const numbers = n - nansOf(group, gathered);
    const at = positionOf(p, n);
    const read = (index: number): Value => {
      if (index >= numbers) return Number.NaN;
      return carried(group.value(index === at.low ? low : high) ?? 0n);
    };
    if (interpolation !== 'linear' && interpolation !== 'midpoint')
      return canonical(read(indexOf(at, interpolation)));
    const fraction = interpolation === 'midpoint' && at.fraction > 0 ? 0.5 : at.fraction;
    return interpolate(input, read(at.low), read(at.high), fraction);
  };
}

/** In sorted values the first that has come as often as any is the least of the most frequent. */
export function selectMode(question: Question, x: Operand): Finish {
  const { parts } = question;
  const gathered = gather(question, x);
  const carried = valueFrom(x.type);
  const times = `arrayEnumerateUniq(${gathered.sorted})`;
  const most = parts.add(`arrayMax(${times})`);
  const value = parts.add(`arrayElement(${gathered.sorted}, indexOf(${times}, arrayMax(${times})))`);
  return (group) => {
    if (countAt(group, gathered.count) === 0) return null;
    if (nansOf(group, gathered) > countAt(group, most)) return Number.NaN;
    const found = group.value(value);
    return found === null ? null : canonical(carried(found));
  };
}

/** `top` and `bottom`. */
export function selectEnds(question: Question, x: Operand, which: 'top' | 'bottom'): Finish {
  const { parts, aggregate } = question;
  const { n = 1 } = aggregate;
  const gathered = gather(question, x);
  const carried = valueFrom(x.type);
  const from = which === 'top' ? `arrayReverse(${gathered.sorted})` : gathered.sorted;
  const part = parts.add(`arraySlice(${from}, 1, toUInt64(${n}))`);
  return (group) => {
    if (countAt(group, gathered.count) === 0) return null;
    const numbers = group.list(part).map((value) => (value === null ? null : carried(value)));
    const nans = Array<Value>(Math.min(n, nansOf(group, gathered))).fill(Number.NaN);
    return (which === 'top' ? [...nans, ...numbers] : [...numbers, ...nans]).slice(0, n);
  };
}

/** Not `uniqExact` of texts, which would compare hashes of them. */
export function selectDistinct(question: Question, x: Operand): Finish {
  const { parts } = question;
  const key = keyOf({ type: x.type, sql: valueIn(x) });
  const condition = counted(question, x);
  const part = parts.add(`length(groupUniqArrayIf(${key}, ${condition}))`);
  return (group) => BigInt(countAt(group, part));
}

/** `list`, nulls included. */
export function selectList(question: Question, x: Operand): Finish {
  const { parts, where } = question;
  const carried = valueFrom(x.type);
  const part = parts.add(inRowOrder(question, x.sql, allOf(where)));
  return (group) => group.list(part).map((value) => (value === null ? null : carried(value)));
}

export function selectJoin(question: Question, x: Operand): Finish {
  const { parts, aggregate } = question;
  const condition = counted(question, x);
  const count = selectCount(parts, condition);
  const separator = bytesLiteral(new TextEncoder().encode(aggregate.separator ?? ''));
  const texts = inRowOrder(question, valueIn(x), condition);
  const part = parts.add(`arrayStringConcat(${texts}, ${separator})`);
  return (group) => (countAt(group, count) === 0 ? null : group.value(part));
}

/** In tuples, for ClickHouse would skip a null that stands alone. */
function inRowOrder({ rowNumber }: Question, value: string, condition: string): string {
  const gathered = `groupArrayIf(tuple(${rowNumber}, ${value}), ${condition})`;
  return `arrayMap(t -> tupleElement(t, 2), arraySort(t -> tupleElement(t, 1), ${gathered}))`;
}
