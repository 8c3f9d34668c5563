import * as fc from 'fast-check';
import { and, asc, desc, ge, type Key, lt, type Query } from 'rangefold';
import { conditionOf, type Question, questions } from './question.js';
import { queryOf, type Scene } from './scene.js';

/** What is taken of a scene's answer. */
export interface Choice {
  readonly having: Question | undefined;
  /** Groups of so many rows or more, and of fewer than so many more. */
  readonly rows: readonly [least: number, more: number] | undefined;
  readonly sort: readonly {
    readonly column: number;
    readonly descending: boolean;
    readonly nullsFirst: boolean;
  }[];
  readonly limit: number | undefined;
}

export const choices: fc.Arbitrary<Choice> = fc.record({
  having: fc.option(questions, { nil: undefined, freq: 1 }),
  rows: fc.option(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 5 })), {
    nil: undefined,
    freq: 1,
  }),
  sort: fc.array(fc.record({ column: fc.nat(), descending: fc.boolean(), nullsFirst: fc.boolean() }), {
    maxLength: 3,
  }),
  limit: fc.option(fc.oneof(fc.nat(3), fc.nat(200)), { nil: undefined }),
});

/** A scene's own query, and of its answer what the choice says. */
export function chosenOf(scene: Scene, { having, rows, sort, limit }: Choice): Query {
  const query = queryOf(scene);
  const names = [
    ...(query.by as Key[]).map(({ key }) => String(key)),
    ...(query.aggregates as [string, unknown][]).map(([name]) => name),
  ];
  const keys = new Set(scene.by.map(({ column }) => column % scene.columns.length));
  // conditions on keys are questions about their columns
  const asked =
    having !== undefined && keys.size === scene.columns.length ? [conditionOf(having, scene.columns)] : [];
  const counted = rows === undefined ? [] : [ge('rows', rows[0]), lt('rows', rows[0] + rows[1])];
  const by = new Map(sort.map((one) => [names[one.column % names.length], one]));
  return {
    ...query,
    ...(asked.length + counted.length === 0 ? {} : { having: and(...asked, ...counted) }),
    ...(by.size === 0
      ? {}
      : {
          sort: [...by].map(([name, { descending, nullsFirst }]) =>
            (descending ? desc : asc)(name, { nulls: nullsFirst ? 'first' : 'last' }),
          ),
        }),
    ...(limit === undefined ? {} : { limit }),
  };
}
