import { type Ratio, unitsOf } from '../core/exact.js';
import {
  type Moments,
  momentUnit,
  roundCorrelation,
  roundCovariance,
  roundDeviation,
  roundVariance,
} from '../core/moments.js';
import type { Value } from '../core/read-values.js';
import type { DataType } from '../core/type.js';
import type { State } from './state.js';

/** Adds numbers and their squares, exactly. */
class Adder implements Moments {
  count = 0n;
  sum = 0n;
  squares = 0n;
  readonly unit: Ratio;

  constructor(type: DataType) {
    this.unit = momentUnit(type);
  }

  add(units: bigint): void {
    this.count += 1n;
    this.sum += units;
    this.squares += units * units;
  }
}

/** A number as a whole multiple of its unit; undefined where it is not finite. */
function wholeOf(value: Value): bigint | undefined {
  if (typeof value !== 'number') return BigInt(value as bigint | boolean);
  return Number.isFinite(value) ? unitsOf(value) : undefined;
}

/** `variance` and `stddev`. */
export class Spread implements State {
  readonly #moments: Adder;
  #count = 0;

  constructor(
    type: DataType,
    private readonly name: 'variance' | 'stddev',
    private readonly population: boolean,
  ) {
    this.#moments = new Adder(type);
  }

  fold(value: Value | null): void {
    if (value === null) return;
    this.#count += 1;
    const units = wholeOf(value);
    if (units !== undefined) this.#moments.add(units);
  }

  finish(): number | null {
    if (this.#count < (this.population ? 1 : 2)) return null;
    if (Number(this.#moments.count) < this.#count) return Number.NaN;
    const round = this.name === 'variance' ? roundVariance : roundDeviation;
    return round(this.#moments, this.population);
  }
}

/** `covariance` and `correlation`. */
export class PairSpread implements State {
  readonly #x: Adder;
  readonly #y: Adder;
  #products = 0n;
  #count = 0;

  constructor(
    x: DataType,
    y: DataType,
    private readonly name: 'covariance' | 'correlation',
  ) {
    this.#x = new Adder(x);
    this.#y = new Adder(y);
  }

  fold(x: Value | null, y: Value | null): void {
    if (x === null || y === null) return;
    this.#count += 1;
    const [a, b] = [wholeOf(x), wholeOf(y)];
    if (a === undefined || b === undefined) return;
    this.#x.add(a);
    this.#y.add(b);
    this.#products += a * b;
  }

  finish(): number | null {
    if (this.#count < 2) return null;
    if (Number(this.#x.count) < this.#count) return Number.NaN;
    const pairs = { x: this.#x, y: this.#y, products: this.#products };
    return this.name === 'covariance' ? roundCovariance(pairs) : (roundCorrelation(pairs) ?? null);
  }
}
