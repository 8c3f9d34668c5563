import { ExactSum, roundQuotient } from '../core/exact.js';
import type { CheckedAggregate } from '../core/plan.js';
import type { Value } from '../core/read-values.js';
import { canonical, compareKeys } from '../core/semantics.js';
import { owned } from './owned.js';

/** What an aggregate has seen of a group. */
export interface State {
  /** Takes a row of the group: the value of the aggregate's column there. */
  fold(value: Value | null): void;
  /** The result; an integer may be out of the range of its type. */
  finish(): Value | null;
}

/** A state that has seen nothing. */
export function startState({ function: name, column, input }: CheckedAggregate): State {
  switch (name) {
    case 'count':
      return new Count(column < 0);
    case 'sum':
      return input.kind === 'float' ? new FloatSum((sum) => sum.sum()) : new IntegerSum((sum) => sum);
    case 'mean':
      return input.kind === 'float'
        ? new FloatSum((sum, count) => sum.mean(count))
        : new IntegerSum((sum, count) => quotient(sum, count, input.kind === 'decimal' ? input.scale : 0));
    case 'min':
      return new Extreme((value, best) => compareKeys(input, value, best) < 0);
    case 'max':
      return new Extreme((value, best) => compareKeys(input, value, best) > 0);
  }
}

/** sum / (count x 10^scale), rounded once. */
function quotient(sum: bigint, count: bigint, scale: number): number {
  return scale >= 0
    ? roundQuotient(sum, count * 10n ** BigInt(scale))
    : roundQuotient(sum * 10n ** BigInt(-scale), count);
}

class Count implements State {
  #count = 0;

  constructor(private readonly nullsToo: boolean) {}

  fold(value: Value | null): void {
    if (this.nullsToo || value !== null) this.#count += 1;
  }

  finish(): Value {
    return BigInt(this.#count);
  }
}

class IntegerSum implements State {
  #sum = 0n;
  #count = 0;

  constructor(private readonly result: (sum: bigint, count: bigint) => Value) {}

  fold(value: Value | null): void {
    if (value === null) return;
    this.#sum += BigInt(value as bigint | boolean);
    this.#count += 1;
  }

  finish(): Value | null {
    return this.#count === 0 ? null : this.result(this.#sum, BigInt(this.#count));
  }
}

class FloatSum implements State {
  readonly #sum = new ExactSum();
  #count = 0;

  constructor(private readonly result: (sum: ExactSum, count: bigint) => Value) {}

  fold(value: Value | null): void {
    if (value === null) return;
    this.#sum.add(value as number);
    this.#count += 1;
  }

  finish(): Value | null {
    return this.#count === 0 ? null : this.result(this.#sum, BigInt(this.#count));
  }
}

class Extreme implements State {
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
