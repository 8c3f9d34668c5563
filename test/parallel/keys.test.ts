import { Table } from 'apache-arrow';
import * as fc from 'fast-check';
import { asc, count, desc } from 'rangefold';
import { beforeAll, describe, expect, it } from 'vitest';
import { columnOf } from '../../dist/core/from-arrow.js';
import { type Value, valueReader } from '../../dist/core/read-values.js';
import { compareGroups, compareKeys } from '../../dist/core/semantics.js';
import { builtColumn } from '../../dist/parallel/assemble.js';
import {
  BLOCK,
  FIELD_BASE,
  FIELD_NUDGE,
  FIELD_NULLS,
  FIELD_SETS,
  FIELD_SHIFT,
  FIELD_SIZE,
  FIELD_SPAN,
  KIND_BIT,
  KIND_I8,
  KIND_I16,
  KIND_I32,
  KIND_I64,
  KIND_U8,
  KIND_U16,
  KIND_U32,
  KIND_U64,
  NULLS_NONE,
} from '../../dist/parallel/kernels/layout.js';
import { storageOf } from '../../dist/parallel/storage.js';
import type { Kind, Raw } from '../laws/kind.js';
import { KINDS } from '../laws/kinds.js';
import { write } from '../laws/write.js';
import { createThread, foldInProcess, type Thread } from '../support/in-process-run.js';
import { batchOf } from '../support/notation.js';
import { Random } from '../support/random.js';
import { runs } from '../support/runs.js';

let thread: Thread;
beforeAll(async () => {
  thread = await createThread();
});

const NUMBERS = KINDS.filter(
  ({ storage, width, entry }) =>
    entry === undefined && (storage === 'bits' || (storage === 'words' && width <= 8)),
);
const sign = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

describe.each(NUMBERS.map((kind) => [kind.name, kind] as const))('the encoded order of %s', (_, kind) => {
  it('is the order of keys, and decoding gives the key back', () => {
    const { memory, kernels } = thread;
    memory.reset();
    const [source, wide, words, back] = [0, 1, 2, 3].map(() => memory.allocate(8 * BLOCK));
    fc.assert(
      fc.property(fc.array(kind.arbitrary, { minLength: 2, maxLength: 20 }), fc.nat(), (raws, seed) => {
        const column = columnOf(write(kind, raws, ArrayBuffer, new Random(seed)));
        const storage = storageOf(column.type);
        if (storage.shape !== 'number') throw new Error(`${kind.name} is no number`);
        const kernelKind = storage.kind;
        memory.bytes.set(column.values, source);
        kernels.widen(kernelKind, source, column.bitOffset, wide, raws.length);
        kernels.encode(kernelKind, wide, words, raws.length);
        const encoded = new BigUint64Array(memory.bytes.buffer, words, raws.length);
        const read = valueReader(column);
        const values = raws.map((_, row) => read(row)) as Value[];
        for (let i = 0; i < raws.length; i++) {
          for (let j = 0; j < raws.length; j++) {
            expect(sign(encoded[i], encoded[j])).toBe(
              Math.sign(compareKeys(column.type, values[i], values[j])),
            );
          }
        }
        kernels.decode(kernelKind, words, back, raws.length);
        const size = kernelKind === KIND_BIT ? (raws.length + 7) >> 3 : kind.width * raws.length;
        const decoded = valueReader({
          type: column.type,
          length: raws.length,
          nulls: 0,
          bitOffset: 0,
          values: memory.bytes.subarray(back, back + size),
        });
        for (let row = 0; row < raws.length; row++) {
          expect(compareKeys(column.type, decoded(row) as Value, values[row])).toBe(0);
        }
      }),
      runs(40),
    );
  });
});

/** One to four key columns, a value or null in each row. */
const keyColumns = fc.array(
  fc.constantFrom(...KINDS).chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      values: fc.array(fc.option(kind.arbitrary), { minLength: 40, maxLength: 40, size: 'max' }),
      descending: fc.boolean(),
      nullsFirst: fc.boolean(),
    }),
  ),
  { minLength: 1, maxLength: 4 },
);

interface KeyColumn {
  readonly kind: Kind;
  readonly values: readonly (Raw | null)[];
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

describe('the order of groups', () => {
  it('is that of compareGroups, whatever the layout', async () => {
    await fc.assert(
      fc.asyncProperty(
        keyColumns,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(0, 18),
        fc.constantFrom(0, 20, 64),
        fc.nat(),
        async (columns: readonly KeyColumn[], rows, denseBits, wordBits, seed) => {
          const random = new Random(seed);
          const input = new Table([
            batchOf(
              columns.map(({ kind, values }, c) => [
                `c${c}`,
                write(kind, values.slice(0, rows), ArrayBuffer, random),
              ]),
            ),
          ]);
          const by = columns.map(({ descending, nullsFirst }, c) =>
            (descending ? desc : asc)(`c${c}`, { nulls: nullsFirst ? 'first' : 'last' }),
          );
          const run = await foldInProcess(thread, input, { by, aggregates: { n: count() } }, 1, {
            denseBits,
            wordBits,
            morselRows: 7,
          });
          const { runner, program, folded, query } = run;
          const { layout, tables } = folded;
          const split = await runner.run('split', {
            table: tables[0].at,
            program,
            layout,
            pivots: 0,
            count: 0,
          });
          const { pieces } = split.output;
          const ordered = await runner.run('order', {
            piece: 0,
            program,
            layout,
            work: { kind: 'refs', pieces },
          });
          const { output: built } = await runner.run('build', {
            program,
            layout,
            pieces: [ordered.output.piece],
            sumsOnly: false,
            gathered: [],
            grids: folded.grids,
          });
          const readers = query.keys.map(({ type }, k) =>
            valueReader(builtColumn(type, built.columns[k], built.rows)),
          );
          const groups = Array.from({ length: built.rows }, (_, row) => readers.map((read) => read(row)));
          for (let row = 1; row < groups.length; row++) {
            expect(compareGroups(query.keys, groups[row - 1], groups[row])).toBeLessThan(0);
          }
          const inputs = columns.map(({ kind, values }, c) =>
            valueReader(columnOf(write(kind, values.slice(0, rows), ArrayBuffer, new Random(c)))),
          );
          for (let row = 0; row < rows; row++) {
            const key = inputs.map((read) => read(row));
            const places = groups.filter((group) => compareGroups(query.keys, group, key) === 0);
            expect(places).toHaveLength(1);
          }
        },
      ),
      runs(120),
    );
  });
});

const WHOLE = [
  ['i8', KIND_I8, 1],
  ['i16', KIND_I16, 2],
  ['i32', KIND_I32, 4],
  ['i64', KIND_I64, 8],
  ['u8', KIND_U8, 1],
  ['u16', KIND_U16, 2],
  ['u32', KIND_U32, 4],
  ['u64', KIND_U64, 8],
] as const;

describe.each(WHOLE)('packing %s', (_, kind, size) => {
  it('stops at the first value that does not fit, else has all codes', () => {
    const { memory, kernels } = thread;
    memory.reset();
    const [field, source, words] = [FIELD_SIZE, 8 * BLOCK, 8 * BLOCK].map((room) => memory.allocate(room));
    const sign = kind <= KIND_I64 ? 2n ** 63n : 0n;
    const bits = BigInt(8 * size);
    const most = 2n ** bits - (sign === 0n ? 1n : 2n ** (bits - 1n) + 1n);
    const least = sign === 0n ? 0n : -(2n ** (bits - 1n));
    const values = fc.array(fc.bigInt({ min: least, max: most }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(
        values,
        fc.bigInt({ min: 0n, max: 3n }),
        fc.nat(3),
        fc.option(fc.nat(8)),
        (all, nudge, shift, out) => {
          const ascending = all.toSorted((a, b) => (a < b ? -1 : 1));
          // the greatest does not fit, wherever it stands, unless all are to fit
          const low = ascending[0];
          const high =
            out === null ? (ascending.at(-1) ?? low) : (ascending[Math.min(out, all.length - 1)] ?? low);
          const view = new DataView(memory.bytes.buffer, field, FIELD_SIZE);
          memory.zero(field, FIELD_SIZE);
          view.setBigUint64(FIELD_BASE, BigInt.asUintN(64, low + sign), true);
          view.setBigUint64(FIELD_SPAN, high - low, true);
          view.setUint32(FIELD_NUDGE, Number(nudge), true);
          view.setUint32(FIELD_SHIFT, shift, true);
          view.setUint32(FIELD_SETS, 1, true);
          view.setUint32(FIELD_NULLS, NULLS_NONE, true);
          for (const [row, v] of all.entries()) {
            for (let byte = 0; byte < size; byte++)
              memory.bytes[source + size * row + byte] = Number(BigInt.asUintN(8, v >> BigInt(8 * byte)));
          }
          const wrong = all.findIndex((v) => v > high);
          const fit = wrong < 0 ? all.length : wrong;
          expect(kernels.pack(field, kind, source, 0, 0, words, 8 * BLOCK, all.length)).toBe(fit);
          const packed = new BigUint64Array(memory.bytes.buffer, words, fit);
          expect([...packed]).toEqual(
            all.slice(0, fit).map((v) => BigInt.asUintN(64, (v - low + nudge) << BigInt(shift))),
          );
        },
      ),
      runs(200),
    );
  });
});
