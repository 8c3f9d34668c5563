import type { Cell } from '../core/build.js';
import type { Value } from '../core/read-values.js';
import { integerOf } from './carrier.js';

/** The expressions that a SELECT asks for beside its keys, each once, by their numbers. */
export class Parts {
  readonly #numbers = new Map<string, number>();

  /** The number of an expression. */
  add(sql: string): number {
    const known = this.#numbers.get(sql);
    if (known !== undefined) return known;
    this.#numbers.set(sql, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  sqlOf(number: number): string {
    return this.all()[number];
  }

  all(): string[] {
    return [...this.#numbers.keys()];
  }
}

/** What was selected of one group: parts by number. */
export interface Selected {
  value(part: number): Value | null;
  list(part: number): readonly (Value | null)[];
}

/** What is made of what was selected of a group; an integer may be out of the range of its type. */
export type Finish = (group: Selected) => Cell;

export function integerAt(group: Selected, part: number): bigint {
  return integerOf(group.value(part) ?? 0n);
}

export function countAt(group: Selected, part: number): number {
  return Number(group.value(part));
}
