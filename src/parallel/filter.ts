import type { CheckedCondition } from '../core/plan.js';
import type { Value } from '../core/read-values.js';
import { encodeValue, encodeWide } from './encode-value.js';
import { BOUND_ABOVE, BOUND_BELOW, BOUND_EQUAL } from './kernels/layout.js';
import type { BytesStorage, Storage } from './storage.js';

/** Encoded words from `least` to `most`. */
export interface WordRange {
  readonly least: bigint;
  readonly most: bigint;
}

/** The rows on which a condition is true, as the workers find them. Columns by index; there is no negation. Plain data. */
export type Filter =
  /** Rows that all parts keep; every row where there is none. */
  | { readonly kind: 'all'; readonly parts: readonly Filter[] }
  /** Rows that a part keeps; no row where there is none. */
  | { readonly kind: 'any'; readonly parts: readonly Filter[] }
  | Test;

/** A filter that looks at one column. */
export type Test =
  | { readonly kind: 'nulls' | 'values'; readonly column: number }
  /** Numbers in one of the ranges, which are not empty, ascend and do not touch; at least one. */
  | { readonly kind: 'words'; readonly column: number; readonly ranges: readonly WordRange[] }
  /** Texts that stand to the bounds (ascending, at least one) as BOUND_* say. */
  | {
      readonly kind: 'texts';
      readonly column: number;
      readonly bounds: readonly Uint8Array[];
      readonly wanted: number;
    };

const NO_ROW: Filter = { kind: 'any', parts: [] };
const GREATEST = (1n << 64n) - 1n;

/**
 * The rows on which a condition is true or, where not `wanted`, those on which it is false; the others are unknown. One
 * answer is enough: `and` is true where all are and false where one is, `or` the other way round, and `not` is true where
 * its condition is false. `storages` are those of the columns. Pure.
 */
export function compileFilter(
  condition: CheckedCondition,
  storages: readonly Storage[],
  wanted = true,
): Filter {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((one) => compileFilter(one, storages, wanted));
      return { kind: (condition.kind === 'and') === wanted ? 'all' : 'any', parts };
    }
    case 'not':
      return compileFilter(condition.condition, storages, !wanted);
    case 'isNull':
      return { kind: wanted ? 'nulls' : 'values', column: condition.column };
    case 'in': {
      const { column, values, orUnknown } = condition;
      if (!wanted && orUnknown) return NO_ROW;
      const storage = storages[column];
      if (storage.shape === 'bytes') {
        return texts(column, storage, values, wanted ? BOUND_EQUAL : BOUND_BELOW | BOUND_ABOVE);
      }
      const words = values.map((value) => encodeValue(storage.kind, value));
      return ranged(
        column,
        words.map((word) => ({ least: word, most: word })),
        wanted,
      );
    }
    case 'compare': {
      const { column, operator, value } = condition;
      const storage = storages[column];
      const isBelow = operator === 'lt' || operator === 'le';
      const isEqual = operator === 'le' || operator === 'ge';
      if (storage.shape === 'bytes') {
        const held = (isBelow ? BOUND_BELOW : BOUND_ABOVE) | (isEqual ? BOUND_EQUAL : 0);
        const all = BOUND_BELOW | BOUND_EQUAL | BOUND_ABOVE;
        return texts(column, storage, [value], wanted ? held : all & ~held);
      }
      const word = encodeValue(storage.kind, value);
      const next = isEqual ? 0n : 1n;
      const range = isBelow ? { least: 0n, most: word - next } : { least: word + next, most: GREATEST };
      return ranged(column, range.least > range.most ? [] : [range], wanted);
    }
  }
}

/** Words in the ranges or, where not `wanted`, between them. */
function ranged(column: number, ranges: readonly WordRange[], wanted: boolean): Filter {
  const kept = joined(wanted ? ranges : gaps(ranges));
  return kept.length === 0 ? NO_ROW : { kind: 'words', column, ranges: kept };
}

/** Makes one of neighbours that touch. */
function joined(ranges: readonly WordRange[]): WordRange[] {
  const all: WordRange[] = [];
  for (const range of ranges) {
    const last = all.at(-1);
    if (last !== undefined && last.most + 1n === range.least) {
      all[all.length - 1] = { least: last.least, most: range.most };
    } else {
      all.push(range);
    }
  }
  return all;
}

function gaps(ranges: readonly WordRange[]): WordRange[] {
  const all: WordRange[] = [];
  let next = 0n;
  for (const { least, most } of ranges) {
    if (next < least) all.push({ least: next, most: least - 1n });
    next = most + 1n;
  }
  if (next <= GREATEST) all.push({ least: next, most: GREATEST });
  return all;
}

function texts(column: number, storage: BytesStorage, values: readonly Value[], wanted: number): Filter {
  // of no values: everything that is not null is not among them
  if (values.length === 0) return (wanted & BOUND_EQUAL) !== 0 ? NO_ROW : { kind: 'values', column };
  const bounds = values.map((value) => {
    if (value instanceof Uint8Array) return value;
    if (typeof value !== 'bigint') throw new TypeError('neither bytes nor a decimal');
    return encodeWide(value, storage.width);
  });
  return { kind: 'texts', column, bounds, wanted };
}
