import * as fc from 'fast-check';
import type { Query } from 'rangefold';
import { conditionOf, longLists, type Question, questions } from './question.js';
import { queryOf, type Scene } from './scene.js';

/** Which rows are grouped, and which of them are aggregated. */
export type Pair = readonly [rows: Question, values: Question];

/** Pairs that are at times one question twice. */
export const pairs: fc.Arbitrary<Pair> = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(questions, questions) },
  { weight: 1, arbitrary: questions.map((one) => [one, one] as const) },
);

/** Pairs of which at least one is a long list. */
export const listed: fc.Arbitrary<Pair> = fc.oneof(
  fc.tuple(longLists, questions),
  fc.tuple(questions, longLists),
  fc.tuple(longLists, longLists),
);

/** A scene's own query, of the rows that the questions keep. */
export function askedOf(scene: Scene, [rows, values]: Pair): Query {
  const { columns } = scene;
  const query = queryOf(scene, conditionOf(values, columns));
  return { ...query, where: conditionOf(rows, columns) };
}
