import type { Cell } from '../core/build.js';
import type { Value } from '../core/read-values.js';
import { owned } from './owned.js';
import type { State } from './state.js';

/** All non-null values of a group, in row order. */
export class Gathered implements State {
  readonly #values: Value[] = [];

  constructor(private readonly result: (values: readonly Value[]) => Cell) {}

  fold(value: Value | null): void {
    if (value !== null) this.#values.push(owned(value));
  }

  finish(): Cell {
    return this.result(this.#values);
  }
}

/** All values of a group, nulls included, in row order. */
export class GatheredWithNulls implements State {
  readonly #values: (Value | null)[] = [];

  fold(value: Value | null): void {
    this.#values.push(owned(value));
  }

  finish(): Cell {
    return this.#values;
  }
}
