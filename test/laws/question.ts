import * as fc from 'fast-check';
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
import type { Recipe } from './column.js';
import { comparableOf } from './comparable.js';
import type { Raw } from './kind.js';

/** A condition on any columns: `column` and `values` count on from 0 where there are fewer. */
export type Question =
  | { readonly ask: 'and' | 'or'; readonly parts: readonly Question[] }
  | { readonly ask: 'not'; readonly part: Question }
  | { readonly ask: 'isNull' | 'notNull'; readonly column: number }
  | {
      readonly ask: keyof typeof COMPARE;
      readonly column: number;
      readonly values: readonly number[];
      /** Null is one of the values. */
      readonly nulls: boolean;
    };

const COMPARE = {
  lt: (order: number) => order < 0,
  le: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  ge: (order: number) => order >= 0,
  eq: (order: number) => order === 0,
  ne: (order: number) => order !== 0,
  isIn: (order: number) => order === 0,
} as const;
const MAKE = { lt, le, gt, ge, eq, ne } as const;

export const questions: fc.Arbitrary<Question> = fc.letrec<{ any: Question; test: Question }>((tie) => ({
  test: fc.oneof(
    { weight: 1, arbitrary: fc.record({ ask: fc.constantFrom('isNull', 'notNull'), column: fc.nat() }) },
    {
      weight: 6,
      arbitrary: fc.record({
        ask: fc.constantFrom('lt', 'le', 'gt', 'ge', 'eq', 'ne', 'isIn'),
        column: fc.nat(),
        values: fc.oneof(
          { weight: 3, arbitrary: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }) },
          { weight: 1, arbitrary: fc.array(fc.nat(), { minLength: 6, maxLength: 24 }) },
        ),
        nulls: fc.nat(9).map((n) => n === 0),
      }),
    },
  ),
  any: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'question' },
    tie('test'),
    fc.record({
      ask: fc.constantFrom('and', 'or'),
      parts: fc.array(tie('any'), { maxLength: 3, depthIdentifier: 'question' }),
    }),
    fc.record({ ask: fc.constant('not'), part: tie('any') }),
  ),
})).any as fc.Arbitrary<Question>;

/** Lists that are searched, not tried one by one, and their opposites. */
export const longLists: fc.Arbitrary<Question> = fc
  .record({
    ask: fc.constant('isIn' as const),
    column: fc.nat(),
    values: fc.array(fc.nat(), { minLength: 16, maxLength: 40 }),
    nulls: fc.nat(9).map((n) => n === 0),
  })
  .chain((list) => fc.constantFrom<Question>(list, { ask: 'not', part: list }));

/** The values that a question compares with, of those a column has; null where null is one. */
function boundsOf(
  { values, nulls }: Extract<Question, { values: unknown }>,
  { kind, pool }: Recipe,
): { readonly raw: Raw | null; readonly given: Comparable }[] {
  const found = values.flatMap((value) => {
    const raw = pool[value % pool.length];
    const given = comparableOf(kind, raw);
    return given === undefined ? [] : [{ raw, given }];
  });
  return nulls || found.length === 0 ? [{ raw: null, given: null }, ...found] : found;
}

/** The question in the words of a query about columns c0, c1 ... */
export function conditionOf(question: Question, columns: readonly Recipe[]): Condition {
  switch (question.ask) {
    case 'and':
      return and(...question.parts.map((part) => conditionOf(part, columns)));
    case 'or':
      return or(...question.parts.map((part) => conditionOf(part, columns)));
    case 'not':
      return not(conditionOf(question.part, columns));
    case 'isNull':
      return isNull(`c${question.column % columns.length}`);
    case 'notNull':
      return notNull(`c${question.column % columns.length}`);
    default: {
      const c = question.column % columns.length;
      const bounds = boundsOf(question, columns[c]).map(({ given }) => given);
      return question.ask === 'isIn' ? isIn(`c${c}`, bounds) : MAKE[question.ask](`c${c}`, bounds[0]);
    }
  }
}

/** The answer for a row, by three-valued logic (after Kleene): null is unknown. */
export function answerFor(
  question: Question,
  columns: readonly Recipe[],
  row: readonly (Raw | null)[],
): boolean | null {
  switch (question.ask) {
    case 'and':
    case 'or': {
      // false < unknown < true: `and` is the least, `or` the greatest
      const ranks = question.parts.map((part) => rankOf(answerFor(part, columns, row)));
      const rank = question.ask === 'and' ? Math.min(1, ...ranks) : Math.max(-1, ...ranks);
      return rank === 0 ? null : rank > 0;
    }
    case 'not': {
      const inner = answerFor(question.part, columns, row);
      return inner === null ? null : !inner;
    }
    case 'isNull':
      return cellOf(question, columns, row) === null;
    case 'notNull':
      return cellOf(question, columns, row) !== null;
    default: {
      const c = question.column % columns.length;
      const { kind } = columns[c];
      const value = cellOf(question, columns, row);
      if (value === null) return null;
      const bounds = boundsOf(question, columns[c]);
      const { ask } = question;
      const results = (ask === 'isIn' ? bounds : bounds.slice(0, 1)).map(({ raw }) =>
        raw === null ? null : COMPARE[ask](kind.compare(value, raw)),
      );
      return results.includes(true) ? true : results.includes(null) ? null : false;
    }
  }
}

function cellOf(
  { column }: { readonly column: number },
  columns: readonly Recipe[],
  row: readonly (Raw | null)[],
): Raw | null {
  const c = column % columns.length;
  return columns[c].kind.name === 'null' ? null : row[c];
}

function rankOf(answer: boolean | null): number {
  return answer === null ? 0 : answer ? 1 : -1;
}
