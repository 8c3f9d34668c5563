import { readdirSync, readFileSync } from 'node:fs';
import * as rangefold from 'rangefold';
import {
  type Aggregate,
  asc,
  bucket,
  cube,
  desc,
  groupingSets,
  type Key,
  named,
  type Query,
  rollup,
  timeBucket,
} from 'rangefold';
import type { AnswerCell } from '../support/cell.js';
import type { ColumnNotation } from '../support/notation.js';
import { type ConditionNotation, conditionOf } from './condition.js';

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
  /** Keys, or sets of them. */
  readonly by: Keys | SetsNotation;
  /** [function, column, both of two, or null, output name, options and further arguments of the function] */
  readonly aggregates: readonly (readonly [
    fn: string,
    column: string | readonly [string, string] | null,
    name: string,
    options?: AggregateNotation,
  ])[];
  readonly where?: ConditionNotation;
  readonly having?: ConditionNotation;
  readonly sort?: Keys;
  readonly limit?: number;
  /** Output columns as `name: type`, keys first, and the rows in order. */
  readonly answer?: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly AnswerCell[])[];
  };
  /** The name of the error's class, and words of its message. */
  readonly error?: { readonly name: string; readonly says: readonly string[] };
}

type Columns = readonly (readonly [name: string, column: ColumnNotation])[];

/** A name, or what is made of the column, the direction, the place of nulls and the output name spelled out. */
type Keys = readonly (string | KeyNotation)[];

type SetsNotation =
  | { readonly rollup: Keys }
  | { readonly cube: Keys }
  | { readonly groupingSets: readonly Keys[] };

export interface KeyNotation {
  readonly key: string;
  readonly bucket?: number | string;
  readonly offset?: number | string;
  readonly timeBucket?: string;
  readonly zone?: string;
  readonly origin?: string;
  readonly desc?: boolean;
  readonly nulls?: 'first' | 'last';
  readonly as?: string;
}

interface AggregateNotation {
  readonly where?: ConditionNotation;
  /** Arguments between the columns and the options: p, n or the separator. */
  readonly given?: readonly unknown[];
}

export function queryOf(item: Omit<Case, 'name' | 'why' | 'columns' | 'answer' | 'error'>): Query {
  const { by, aggregates, where, having, sort, limit } = item;
  return {
    by: byOf(by),
    aggregates: aggregates.map(([fn, column, name, options]) =>
      named(name, aggregateOf(fn, column, options)),
    ),
    ...(where !== undefined && { where: conditionOf(where) }),
    ...(having !== undefined && { having: conditionOf(having) }),
    ...(sort !== undefined && { sort: sort.map(keyOf) }),
    ...(limit !== undefined && { limit }),
  };
}

function byOf(by: Case['by']): Query['by'] {
  if ('rollup' in by) return rollup(...by.rollup.map(keyOf));
  if ('cube' in by) return cube(...by.cube.map(keyOf));
  if ('groupingSets' in by) return groupingSets(by.groupingSets.map((set) => set.map(keyOf)));
  return by.map(keyOf);
}

function keyOf(notation: string | KeyNotation): string | Key {
  if (typeof notation === 'string') return notation;
  const { key, bucket: width, offset, timeBucket: span, zone, origin } = notation;
  const { desc: descending = false, nulls, as } = notation;
  const column =
    width !== undefined
      ? bucket(key, width, { offset })
      : span !== undefined
        ? timeBucket(key, span, { zone, origin })
        : key;
  const made: Key = (descending ? desc : asc)(column, { nulls });
  return as === undefined ? made : made.as(as);
}

function aggregateOf(
  fn: string,
  column: Case['aggregates'][number][1],
  options?: AggregateNotation,
): Aggregate {
  const make = (rangefold as unknown as Record<string, (...given: unknown[]) => Aggregate>)[fn];
  if (make === undefined) throw new Error(`no function ${fn}`);
  const columns = column === null ? [] : typeof column === 'string' ? [column] : column;
  const { given = [], where, ...rest } = options ?? {};
  if (options === undefined) return make(...columns);
  return make(...columns, ...given, { ...rest, ...(where !== undefined && { where: conditionOf(where) }) });
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
