import { ExactSum, roundQuotient } from '../core/exact.js';
import type { Value } from '../core/read-values.js';
import type { State } from './state.js';

/** sum / (count x 10^scale), rounded once. */
export function quotient(sum: bigint, count: bigint, scale: number): number {
  return scale >= 0
    ? roundQuotient(sum, count * 10n ** BigInt(scale))
    : roundQuotient(sum * 10n ** BigInt(-scale), count);
}

export class Count implements State {
  #count = 0;

  constructor(private readonly nullsToo: boolean) {}

  fold(value: Value | null): void {
    if (this.nullsToo || value !== null) this.#count += 1;
  }

  finish(): Value {
    return BigInt(this.#count);
  }
}

export class IntegerSum implements State {
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

export class FloatSum implements State {
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
