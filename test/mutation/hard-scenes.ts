import { INTS, TEXTS } from '../laws/kinds.js';
import type { Scene } from '../laws/scene.js';

const [utf8] = TEXTS;
const [, , , int64] = INTS;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Texts that begin each other, longer than the words that texts are compared by. */
const TEXT_POOL = Array.from({ length: 36 }, (_, length) => bytesOf('p'.repeat(length)));
/** Sums of these leave 64 bits and come back. */
const INT_POOL = [-(2n ** 63n), -(2n ** 63n) + 1n, 2n ** 63n - 1n, 2n ** 63n - 2n, -1n, 1n];

/** Scenes in which texts begin each other, null keys stand beside them, and sums of integers carry. */
export const HARD_SCENES: readonly Scene[] = Array.from({ length: 12 }, (_, seed) => ({
  columns: [
    { kind: utf8, pool: TEXT_POOL, more: 0, shape: 'shuffled', nulls: 0.1, seed },
    { kind: int64, pool: INT_POOL, more: 0, shape: 'shuffled', nulls: 0.1, seed: seed + 1 },
  ],
  rows: 90,
  cuts: [30],
  apart: false,
  form: 'array',
  memory: 'mixed',
  by: [{ column: seed % 2, descending: seed % 3 === 0, nullsFirst: seed % 4 < 2 }],
  // of the text its extremes, of the integers those, the mean and the sum as a decimal, which always fits
  aggregates: (
    [
      [1, 0],
      [2, 0],
      [1, 1],
      [17, 1],
      [28, 1],
    ] as const
  ).map(([aggregate, column]) => ({ aggregate, column, other: 0, share: 0 })),
  sums: false,
  seed,
}));
