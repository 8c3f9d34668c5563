import { readdirSync, readFileSync } from 'node:fs';
import {
  type Aggregate,
  asc,
  count,
  desc,
  type Key,
  max,
  mean,
  min,
  named,
  type Query,
  sum,
} from 'rangefold';
import type { Cell } from '../support/cell.js';
import type { ColumnNotation } from '../support/notation.js';

/**
 * A question with its right answer, as the files of `cases/` hold them. The answer comes from a standard or from
 * arithmetic, never from an engine.
 */
export interface Case {
  readonly name: string;
  /** Why the answer is right, and the public report of the fault where there is one. */
  readonly why: string;
  /** Input columns as [name, column] pairs, because names may repeat. */
  readonly columns: Columns;
  /** Batches after that of `columns`, of the same schema: each with its own buffers and dictionaries. */
  readonly more?: readonly Columns[];
  /** Keys: a name, or the direction, the place of nulls and the output name spelled out. */
  readonly by: readonly (string | KeyNotation)[];
  /** [function, column or null, output name, options of the function] */
  readonly aggregates: readonly (readonly [
    fn: string,
    column: string | null,
    name: string,
    options?: object,
  ])[];
  /** Output columns as `name: type`, keys first, and the rows in order. */
  readonly answer?: { readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] };
  /** The name of the error's class, and words of its message. */
  readonly error?: { readonly name: string; readonly says: readonly string[] };
}

type Columns = readonly (readonly [name: string, column: ColumnNotation])[];

export interface KeyNotation {
  readonly key: string;
  readonly desc?: boolean;
  readonly nulls?: 'first' | 'last';
  readonly as?: string;
}

const FUNCTIONS = new Map<string, (column: string, options?: object) => Aggregate>(
  Object.entries({ count, sum, mean, min, max }),
);

export function queryOf({ by, aggregates }: Pick<Case, 'by' | 'aggregates'>): Query {
  return {
    by: by.map((key) => (typeof key === 'string' ? key : keyOf(key))),
    aggregates: aggregates.map(([fn, column, name, options]) =>
      named(name, aggregateOf(fn, column, options)),
    ),
  };
}

function keyOf({ key, desc: descending = false, nulls, as }: KeyNotation): Key {
  const options = nulls === undefined ? {} : { nulls };
  const made: Key = descending ? desc(key, options) : asc(key, options);
  return as === undefined ? made : made.as(as);
}

function aggregateOf(fn: string, column: string | null, options?: object): Aggregate {
  const make = FUNCTIONS.get(fn);
  if (make === undefined) throw new Error(`no function ${fn}`);
  return column === null ? count() : make(column, options);
}

/** The cases of every file, under the name of their file. */
export function readCases(): [file: string, cases: Case[]][] {
  const folder = new URL('cases/', import.meta.url);
  return readdirSync(folder)
    .toSorted()
    .map((file) => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Case[],
    ]);
}
