import type { Value } from '../core/read-values.js';
import { canonical } from '../core/semantics.js';
import { owned } from './owned.js';
import type { State } from './state.js';

export class Extreme implements State {
  #best: Value | null = null;

  constructor(private readonly isBetter: (value: Value, best: Value) => boolean) {}

  fold(value: Value | null): void {
    if (value === null || (this.#best !== null && !this.isBetter(value, this.#best))) return;
    this.#best = owned(value);
  }

  finish(): Value | null {
    return this.#best === null ? null : canonical(this.#best);
  }
}

/** A value on the row of the best non-null one of the second column, of several the earliest. */
export class ArgExtreme implements State {
  #best: Value | null = null;
  #value: Value | null = null;

  constructor(private readonly isBetter: (by: Value, best: Value) => boolean) {}

  fold(value: Value | null, by: Value | null): void {
    if (by === null || (this.#best !== null && !this.isBetter(by, this.#best))) return;
    this.#best = owned(by);
    this.#value = owned(value);
  }

  finish(): Value | null {
    return this.#value;
  }
}

/** The value on the first or last row. */
export class InRowOrder implements State {
  #seen = false;
  #value: Value | null = null;

  constructor(
    private readonly which: 'first' | 'last',
    private readonly ignoreNulls: boolean,
  ) {}

  fold(value: Value | null): void {
    if ((value === null && this.ignoreNulls) || (this.#seen && this.which === 'first')) return;
    this.#seen = true;
    this.#value = owned(value);
  }

  finish(): Value | null {
    return this.#value;
  }
}
