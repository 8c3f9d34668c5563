import { type RecordBatch, Table } from 'apache-arrow';
import * as fc from 'fast-check';
import { asc, type Condition, count, desc, type Input, named, type Query } from 'rangefold';
import { batchOf } from '../support/notation.js';
import { Random } from '../support/random.js';
import { aggregatesOf, SUMS } from './aggregates-of.js';
import { type Recipe, recipes, valuesOf } from './column.js';
import type { Kind, Raw } from './kind.js';
import { write } from './write.js';

/** An input and a question about it. */
export interface Scene {
  readonly columns: readonly Recipe[];
  readonly rows: number;
  /** Where batches end, in rows; two that are equal leave an empty batch between them. */
  readonly cuts: readonly number[];
  /** Whether batches are slices of one, or each is written by itself, in memory and dictionaries of its own. */
  readonly apart: boolean;
  readonly form: 'table' | 'array' | 'stream';
  /** In which memory the batches lie. */
  readonly memory: 'own' | 'shared' | 'mixed';
  readonly by: readonly {
    readonly column: number;
    readonly descending: boolean;
    readonly nullsFirst: boolean;
  }[];
  readonly aggregates: readonly {
    readonly aggregate: number;
    readonly column: number;
    readonly other: number;
    readonly share: number;
  }[];
  /** Only sums and means are asked for, of columns that have them. */
  readonly sums: boolean;
  readonly seed: number;
}

export interface SceneOptions {
  readonly rows: fc.Arbitrary<number>;
  /** How many values a column may have beside a dozen. */
  readonly values: number;
  readonly kinds?: readonly Kind[];
  /** The fewest values that a column's own are picked from; by default 1. */
  readonly pool?: number;
  /** Only sums and means are asked for. */
  readonly sums?: boolean;
}

export function scenes({ rows, values, kinds, pool, sums = false }: SceneOptions): fc.Arbitrary<Scene> {
  const columns = (most: number) =>
    fc.array(recipes(values, kinds, pool), { minLength: 1, maxLength: most, size: 'max' });
  const key = fc.record({ column: fc.nat(), descending: fc.boolean(), nullsFirst: fc.boolean() });
  return fc.record({
    columns: fc.oneof({ weight: 3, arbitrary: columns(4) }, { weight: 1, arbitrary: columns(7) }),
    rows,
    cuts: fc.array(fc.nat(10_000), { maxLength: 6 }),
    apart: fc.boolean(),
    form: fc.constantFrom('table', 'array', 'stream'),
    memory: fc.constantFrom('own', 'shared', 'mixed'),
    // Few keys, for groups of many rows, more often than many.
    by: fc.oneof(
      { weight: 3, arbitrary: fc.array(key, { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.array(key, { maxLength: 6, size: 'max' }) },
    ),
    aggregates: fc.array(
      fc.record({
        aggregate: fc.nat(),
        column: fc.nat(),
        other: fc.nat(),
        share: fc.constantFrom(0, 0.1, 0.25, 0.5, 0.9, 1),
      }),
      { maxLength: 5 },
    ),
    sums: fc.constant(sums),
    seed: fc.nat(),
  });
}

/** @param where of every aggregate but the first, which counts rows */
export function queryOf({ columns, by, aggregates, sums }: Scene, where?: Condition): Query {
  const keys = new Map(by.map((key) => [key.column % columns.length, key]));
  return {
    by: [...keys].map(([column, { descending, nullsFirst }]) =>
      (descending ? desc : asc)(`c${column}`, { nulls: nullsFirst ? 'first' : 'last' }),
    ),
    aggregates: [
      named('rows', count()),
      ...aggregates.map(({ aggregate, column, other, share }, i) => {
        const c = column % columns.length;
        const known = sums ? SUMS : aggregatesOf(columns[c].kind);
        // where there is no other column of numbers, the column itself is asked with itself
        const numbers = columns.flatMap(({ kind }, n) => (NUMBERS.includes(kind.values) ? [n] : []));
        const number = numbers.length === 0 ? c : numbers[other % numbers.length];
        const asked = { column: `c${c}`, other: `c${other % columns.length}`, number: `c${number}`, share };
        const one = known[aggregate % known.length](asked);
        return named(`a${i}`, where === undefined ? one : { ...one, where });
      }),
    ],
  };
}

const NUMBERS: readonly string[] = ['int', 'float', 'decimal', 'bool'];

/** The batches of a scene; where `isKept` is given, of those of its rows. */
export function batchesOf(scene: Scene, isKept?: (row: readonly (Raw | null)[]) => boolean): RecordBatch[] {
  const { columns, cuts, apart, seed, memory } = scene;
  const all = columns.map((column) => valuesOf(column, scene.rows));
  const kept = Array.from({ length: scene.rows }, (_, row) => row).filter(
    (row) => isKept === undefined || isKept(all.map((column) => column[row])),
  );
  const rows = kept.length;
  const values = all.map((column) => kept.map((row) => column[row]));
  const random = new Random(seed);
  const ends = cuts.map((cut) => (rows === 0 ? 0 : cut % (rows + 1))).toSorted((a, b) => a - b);
  const pieces = [...ends, rows].map((end, i) => [i === 0 ? 0 : ends[i - 1], end] as const);
  if (!apart) {
    const whole = batch(columns, values, memory, random);
    return pieces.map(([start, end]) => whole.slice(start, end));
  }
  return pieces.map(([start, end]) =>
    batch(
      columns,
      values.map((column) => column.slice(start, end)),
      memory,
      random,
    ),
  );
}

function batch(
  columns: readonly Recipe[],
  values: readonly (readonly (Raw | null)[])[],
  memory: Scene['memory'],
  random: Random,
): RecordBatch {
  return batchOf(
    columns.map(({ kind }, c) => {
      const shared = memory === 'shared' || (memory === 'mixed' && random.below(2) === 0);
      return [`c${c}`, write(kind, values[c], shared ? SharedArrayBuffer : ArrayBuffer, random)];
    }),
  );
}

/** The input of one run; it can be read once. */
export function inputOf({ form, apart }: Scene, batches: readonly RecordBatch[]): Input {
  switch (form) {
    case 'table':
      // a table may hold one dictionary only
      return apart ? batches : new Table([...batches]);
    case 'array':
      return batches;
    case 'stream':
      return stream(batches);
  }
}

async function* stream(batches: readonly RecordBatch[]): AsyncGenerator<RecordBatch> {
  for (const one of batches) {
    await Promise.resolve();
    yield one;
  }
}
