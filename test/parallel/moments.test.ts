import { Float64, Table } from 'apache-arrow';
import * as fc from 'fast-check';
import { covariance, variance } from 'rangefold';
import { beforeAll, describe, expect, it } from 'vitest';
import { MomentFold } from '../../dist/parallel/fold-moments.js';
import {
  LIMB_ROWS,
  MOMENT_FLOAT,
  MOMENT_REST,
  MOMENT_SIGNED,
  MOMENT_SIZE,
  MOMENT_SQUARES,
  MOMENT_UNSIGNED,
  PAIR_PRODUCTS,
  PAIR_REST,
  PAIR_SIZE,
  PAIR_SQUARES,
  PRODUCT_REST,
  PRODUCT_SIZE,
  TABLE_GROUPS,
  TABLE_RECORDS,
  TABLE_STRIDE,
  TABLE_UNSETTLED,
} from '../../dist/parallel/kernels/layout.js';
import { GroupTable } from '../../dist/parallel/table.js';
import { unitsOf } from '../support/exact-units.js';
import { column } from '../support/files.js';
import { createThread, foldInProcess, type Thread } from '../support/in-process-run.js';
import { runs } from '../support/runs.js';

const STATE = 64;
const MOST = 64;

let thread: Thread;
let table: number;
let state: number;
let offsets: number;
let xs: number;
let ys: number;
let escaped: number;
let steps: number;
let view: DataView;
beforeAll(async () => {
  thread = await createThread();
  const { memory } = thread;
  table = memory.allocateZeroed(1024);
  state = memory.allocateZeroed(2 * (STATE + PAIR_SIZE));
  offsets = memory.allocateZeroed(4 * MOST);
  xs = memory.allocateZeroed(8 * MOST);
  ys = memory.allocateZeroed(8 * MOST);
  escaped = memory.allocateZeroed(4 * MOST);
  steps = memory.allocateZeroed(16 * MOST);
  view = new DataView(memory.bytes.buffer);
  // two groups: what comes of the second shows that both are settled
  memory.words[(table + TABLE_GROUPS) / 4] = 2;
  memory.words[(table + TABLE_STRIDE) / 4] = STATE + PAIR_SIZE;
  memory.words[(table + TABLE_RECORDS) / 4] = state - STATE;
});

/** What limbs and their rest are worth, in units: `below` bits of them lie below the lowest limb. */
function worth(limbs: number, count: number, rest: number, below: number): bigint {
  let value = view.getBigUint64(rest, true);
  for (let limb = 0; limb < count; limb++) {
    value += view.getBigInt64(limbs + 8 * limb, true) << BigInt(below + 32 * limb);
  }
  return value + (view.getBigInt64(rest + 8, true) << BigInt(below + 32 * count));
}

interface Worth {
  readonly sums: readonly bigint[];
  readonly products: readonly bigint[];
}

const SHAPES = {
  moments: { sums: [0], products: [MOMENT_SQUARES], rest: MOMENT_REST, size: MOMENT_SIZE },
  products: { sums: [0, 16], products: [PAIR_PRODUCTS], rest: PRODUCT_REST, size: PRODUCT_SIZE },
  pairs: {
    sums: [0, 16],
    products: [PAIR_PRODUCTS, PAIR_SQUARES, PAIR_SQUARES + 32],
    rest: PAIR_REST,
    size: PAIR_SIZE,
  },
} as const;
type Shape = keyof typeof SHAPES;
const shapes = Object.keys(SHAPES) as Shape[];

function worthOf(shape: Shape, at: number): Worth {
  const { sums, products, rest } = SHAPES[shape];
  return {
    sums: sums.map((sum, i) => worth(at + sum, 2, at + rest + 16 * i, 32)),
    products: products.map((product, i) => worth(at + product, 4, at + rest + 16 * (sums.length + i), 64)),
  };
}

function settle(shape: Shape): void {
  const squares = shape === 'products' ? 0 : 1;
  thread.kernels.settleMoments(table, STATE, shape === 'moments' ? 0 : 1, squares);
}

/** A double in units of 2^-32; undefined where it is not a whole number of them. */
function inUnits(x: number): bigint | undefined {
  const units = unitsOf(x);
  const unit = 1n << BigInt(1074 - 32);
  return units % unit === 0n ? units / unit : undefined;
}

const integers = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(
    0n,
    1n,
    -1n,
    2n ** 62n,
    2n ** 62n - 1n,
    -(2n ** 62n),
    -(2n ** 62n) - 1n,
    -(2n ** 63n),
    2n ** 63n - 1n,
  ),
  fc.bigInt({ min: -(2n ** 33n), max: 2n ** 33n }),
);

const naturals = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.constantFrom(0n, 1n, 2n ** 62n, 2n ** 62n - 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n),
);

interface Side {
  readonly form: number;
  readonly values: readonly (bigint | number)[];
}

const doubles = fc.oneof(
  fc.double({ noNaN: true, min: -(2 ** 70), max: 2 ** 70 }),
  fc
    .tuple(fc.integer({ min: -(2 ** 31), max: 2 ** 31 }), fc.integer({ min: -34, max: 42 }))
    .map(([m, e]) => m * 2 ** e),
  fc.constantFrom(
    2 ** 71,
    -(2 ** 71),
    2 ** 62,
    -(2 ** 62),
    2 ** -32,
    -(2 ** -32),
    1.5,
    -0,
    2 ** -33,
    2 ** 90,
  ),
);

describe('moments', () => {
  it.each(shapes)('of %s are the exact sums, settled or not', (shape) => {
    const all = { minLength: MOST, maxLength: MOST };
    const side: fc.Arbitrary<Side> = fc.oneof(
      fc.record({ form: fc.constant(MOMENT_SIGNED), values: fc.array(integers, all) }),
      fc.record({ form: fc.constant(MOMENT_UNSIGNED), values: fc.array(naturals, all) }),
      fc.record({ form: fc.constant(MOMENT_FLOAT), values: fc.array(doubles, all) }),
    );
    fc.assert(
      fc.property(side, side, fc.nat(MOST), fc.boolean(), (xSide, ySide, n, settled) => {
        const { memory, kernels } = thread;
        memory.bytes.fill(0, state, state + PAIR_SIZE);
        const put = (at: number, { form, values }: Side): void => {
          values.forEach((value, i) => {
            if (typeof value === 'number') view.setFloat64(at + 8 * i, value, true);
            else if (form === MOMENT_SIGNED) view.setBigInt64(at + 8 * i, value, true);
            else view.setBigUint64(at + 8 * i, value, true);
          });
        };
        put(xs, xSide);
        put(ys, ySide);
        const { form: xForm, values: x } = xSide;
        const { form: yForm, values: y } = ySide;
        const inSteps = (values: number, form: number, out: number): number => {
          if (form === MOMENT_SIGNED) return values;
          if (form === MOMENT_FLOAT) kernels.floatSteps(values, 1, n, out);
          else kernels.unsignedSteps(values, n, out);
          return out;
        };
        const low = -32 + 1074;
        const [a, b] = [inSteps(xs, xForm, steps), inSteps(ys, yForm, steps + 8 * MOST)];
        const squares = shape === 'pairs' ? 1 : 0;
        const listed =
          shape === 'moments'
            ? kernels.addMoments(state, offsets, a, n, escaped)
            : kernels.addPairs(state, offsets, a, b, squares, n, escaped);
        const escapes =
          shape === 'moments'
            ? kernels.addMomentsApart(state, offsets, xs, xForm, low, escaped, listed)
            : kernels.addPairsApart(state, offsets, xs, xForm, low, ys, yForm, low, squares, escaped, listed);
        if (settled) settle(shape);
        const out = new Set(memory.words.slice(escaped / 4, escaped / 4 + escapes));
        const units = (value: bigint | number): bigint | undefined =>
          typeof value === 'bigint' ? value << 32n : inUnits(value);
        let wanted: Worth = {
          sums: SHAPES[shape].sums.map(() => 0n),
          products: SHAPES[shape].products.map(() => 0n),
        };
        for (let i = 0; i < n; i++) {
          const a = units(x[i]);
          const b = units(y[i]);
          const fits = (v: bigint | undefined): boolean => v !== undefined && (v < 0n ? -v : v) <= 2n ** 103n;
          if (out.has(i)) {
            // escapes are what no unit or no room is for, nothing else
            expect(shape === 'moments' ? isEasy(a) : isEasy(a) && isEasy(b)).toBe(false);
            continue;
          }
          expect(fits(a) && (shape === 'moments' || fits(b))).toBe(true);
          if (a === undefined) throw new Error('no whole number of units was added');
          const other = b ?? 0n;
          const parts =
            shape === 'moments'
              ? [a * a]
              : shape === 'products'
                ? [a * other]
                : [a * other, a * a, other * other];
          wanted = {
            sums: wanted.sums.map((sum, s) => sum + (s === 0 ? a : other)),
            products: wanted.products.map((sum, p) => sum + parts[p]),
          };
        }
        expect(worthOf(shape, state)).toEqual(wanted);
      }),
      runs(300),
    );
  });

  it.each(shapes)('of %s keep their worth when limbs as full as may be are settled', (shape) => {
    const { sums, products, rest, size } = SHAPES[shape];
    // what a limb has taken at most before it is settled
    const full = BigInt(LIMB_ROWS) << 33n;
    expect(2n * full).toBeLessThan(2n ** 63n);
    const limb = fc.oneof(fc.bigInt({ min: -full, max: full }), fc.constantFrom(full, -full, 0n, -1n, 1n));
    fc.assert(
      fc.property(fc.array(limb, { minLength: 2 * (size / 8), maxLength: 2 * (size / 8) }), (limbs) => {
        const groups = [state, state + STATE + PAIR_SIZE];
        groups.forEach((at, group) => {
          for (let word = 0; word < size / 8; word++) {
            const value = limbs[group * (size / 8) + word];
            // fractions are not below 0
            const isFraction = word >= rest / 8 && word % 2 === (rest / 8) % 2;
            view.setBigInt64(at + 8 * word, isFraction && value < 0n ? -value : value, true);
          }
        });
        const before = groups.map((at) => worthOf(shape, at));
        settle(shape);
        expect(groups.map((at) => worthOf(shape, at))).toEqual(before);
        const settled = groups.flatMap((at) => [
          ...sums.flatMap((sum) => [0, 8].map((l) => view.getBigUint64(at + sum + l, true))),
          ...products.flatMap((product) =>
            [0, 8, 16, 24].map((l) => view.getBigUint64(at + product + l, true)),
          ),
        ]);
        for (const value of settled) expect(value).toBeLessThan(2n ** 32n);
      }),
      runs(300),
    );
  });

  it('are settled before their limbs have taken more rows than they hold', async () => {
    const run = await createThread();
    const x = Float64Array.from({ length: 1000 }, (_, i) => i - 0.5);
    const input = new Table({ x: column(new Float64(), [...x]), y: column(new Float64(), [...x].reverse()) });
    const query = { by: [], aggregates: { v: variance('x'), c: covariance('x', 'y') } };
    const { program, folded } = await foldInProcess(run, input, query, 1, {});
    const { memory, kernels } = run;
    const at = folded.tables[0].at;
    const unsettled = (at + TABLE_UNSETTLED) / 4;
    // of each row two states have taken one
    expect(memory.words[unsettled]).toBe(2000);
    const groups = new GroupTable(memory, kernels, program, at);
    const state = program.states.find(({ kind }) => kind === 'moments');
    if (state === undefined) throw new Error('the query has no moments');
    const limb = groups.lane(state.lane) + 8;
    const before = new DataView(memory.bytes.buffer).getBigInt64(limb, true);
    expect(before < 0n || before >= 2n ** 32n).toBe(true);
    const fold = new MomentFold(
      memory,
      kernels,
      program,
      groups,
      { escape: () => {} } as never,
      folded.grids,
    );
    const none = { n: 0, values: () => 0, valid: () => ({ at: 0, bit: 0 }) };
    fold.fold(state, none as never, 0);
    expect(new DataView(memory.bytes.buffer).getBigInt64(limb, true)).toBe(before);
    memory.words[unsettled] = LIMB_ROWS + 1;
    fold.fold(state, none as never, 0);
    expect(memory.words[unsettled]).toBe(0);
    expect(new DataView(memory.bytes.buffer).getBigUint64(limb, true)).toBeLessThan(2n ** 32n);
  });
});

/** Whether a value is one of those that never escape: a whole number of steps, 2^62 at most. */
function isEasy(units: bigint | undefined): boolean {
  return units !== undefined && units % 2n ** 32n === 0n && (units < 0n ? -units : units) <= 2n ** 94n;
}
