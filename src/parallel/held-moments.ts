import {
  MOMENT_SQUARES,
  NARROW_PRODUCTS,
  NARROW_SIZE,
  NARROW_SQUARES,
  PAIR_PRODUCTS,
  PAIR_REST,
  PAIR_SQUARES,
} from './kernels/layout.js';

/** The sums of one column or of two, of their squares and of their products, in units of a state. */
export interface HeldMoments {
  readonly sums: bigint[];
  /** 0 where the state has none. */
  readonly squares: bigint[];
  readonly products: bigint;
}

/** Reads the moments at `state` whose limbs have their rests `rest` bytes on; see carries.ts among the kernels. */
export function wideMoments(record: DataView, state: number, rest: number, paired: boolean): HeldMoments {
  const sum = (at: number, restAt: number): bigint =>
    record.getBigUint64(state + restAt, true) +
    (limbs(record, state + at, 2) << 32n) +
    (record.getBigInt64(state + restAt + 8, true) << 96n);
  const products = (at: number, restAt: number): bigint =>
    record.getBigUint64(state + restAt, true) +
    (limbs(record, state + at, 4) << 64n) +
    (record.getBigInt64(state + restAt + 8, true) << 192n);
  if (!paired) {
    return { sums: [sum(0, rest)], squares: [products(MOMENT_SQUARES, rest + 16)], products: 0n };
  }
  return {
    sums: [sum(0, rest), sum(16, rest + 16)],
    squares:
      rest === PAIR_REST
        ? [products(PAIR_SQUARES, rest + 48), products(PAIR_SQUARES + 32, rest + 64)]
        : [0n, 0n],
    products: products(PAIR_PRODUCTS, rest + 32),
  };
}

/** Reads the narrow moments at `state`. */
export function narrowMoments(record: DataView, state: number, paired: boolean): HeldMoments {
  const double = (at: number, top: bigint): bigint => record.getBigUint64(state + at, true) + (top << 64n);
  const sides = paired ? [0, NARROW_SIZE] : [0];
  return {
    sums: sides.map((at) => record.getBigInt64(state + at, true)),
    squares: sides.map((at) =>
      double(at + NARROW_SQUARES, record.getBigUint64(state + at + NARROW_SQUARES + 8, true)),
    ),
    products: paired ? double(NARROW_PRODUCTS, record.getBigInt64(state + NARROW_PRODUCTS + 8, true)) : 0n,
  };
}

/** The sum of limbs, each 32 bits above the one before it. */
function limbs(record: DataView, at: number, count: number): bigint {
  let value = 0n;
  for (let limb = count - 1; limb >= 0; limb--) {
    value = (value << 32n) + record.getBigInt64(at + 8 * limb, true);
  }
  return value;
}
