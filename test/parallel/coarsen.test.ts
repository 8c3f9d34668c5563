import { Table } from 'apache-arrow';
import * as fc from 'fast-check';
import { count, createParallel, cube, gt, sum } from 'rangefold';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Value, valueReader } from '../../dist/core/read-values.js';
import { builtColumn } from '../../dist/parallel/assemble.js';
import { coarsenPhase, extentsOf, type Grouped } from '../../dist/parallel/coarsen.js';
import { createThread, type FoldedRun, foldInProcess, type Thread } from '../support/in-process-run.js';
import { batchOf, dataOf } from '../support/notation.js';
import { runs } from '../support/runs.js';

interface Row {
  readonly id: number;
  readonly keys: readonly (Value | null)[];
  readonly rows: Value | null;
}

const REF = 16;

let thread: Thread;
beforeAll(async () => {
  thread = await createThread();
});

/** The groups of one table with their ids, keys and rows, in the order of ids. */
async function groupsOf(
  { memory, kernels, runner, query }: FoldedRun,
  grouped: Grouped,
  t: number,
): Promise<Row[]> {
  const { program, layout, tables } = grouped;
  const { at, groups } = tables[t];
  const refs = memory.allocate(REF * groups);
  const listed = memory.allocate(4);
  kernels.listGroups(at, 0, groups, refs, listed);
  expect(memory.words[listed / 4]).toBe(groups);
  const { output } = await runner.run('build', {
    program,
    layout,
    sumsOnly: false,
    pieces: [{ at: refs, length: groups }],
    gathered: [],
    grids: 0,
  });
  const types = [...program.keyTypes, query.aggregates[0].type];
  const readers = types.map((type, c) => valueReader(builtColumn(type, output.columns[c], groups)));
  // a table's header: the stride and the records
  const [stride, records] = [memory.words[at / 4 + 2], memory.words[at / 4 + 3]];
  return Array.from({ length: groups }, (_, row) => {
    const cells = readers.map((read) => read(row));
    const id = (memory.words[(refs + REF * row) / 4 + 2] - records) / stride;
    return { id, keys: cells.slice(0, -1), rows: cells[cells.length - 1] };
  });
}

const row = fc.tuple(
  fc.option(fc.nat(3)),
  fc.option(fc.constantFrom('x', 'y', 'long enough to be pooled')),
  fc.nat(900),
);

describe('coarsening', () => {
  it('leads each group of the fold to the one that has its keys, through any sets between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 120 }),
        fc.constantFrom(1, 3),
        fc.constantFrom(0, 18),
        fc.subarray([0, 1, 2]),
        fc.subarray([0, 1, 2]),
        async (given, workers, denseBits, first, second) => {
          const batch = batchOf([
            ['a', dataOf({ type: 'i32', values: given.map(([a]) => a) })],
            ['b', dataOf({ type: 'utf8', values: given.map(([, b]) => b) })],
            ['c', dataOf({ type: 'u16', values: given.map(([, , c]) => c) })],
          ]);
          const query = { by: ['a', 'b', 'c'], aggregates: { n: count(), s: sum('c') } };
          const run = await foldInProcess(thread, new Table([batch]), query, workers, {
            morselRows: 7,
            denseBits,
          });
          const { memory, kernels, runner, program, folded, tuning } = run;
          const finest: Grouped = { program, keys: [0, 1, 2], ...folded };
          const extents = await extentsOf(runner, finest);
          const half = await coarsenPhase(memory, kernels, runner, finest, first, extents, tuning);
          const keys = second.filter((key) => first.includes(key));
          const whole = await coarsenPhase(memory, kernels, runner, half, keys, extents, tuning);
          for (const made of [half, whole]) {
            for (const [t, { map }] of made.tables.entries()) {
              const groups = new Map((await groupsOf(run, made, t)).map((group) => [group.id, group]));
              const rows = new Map<number, bigint>();
              for (const { id, keys, rows: n } of await groupsOf(run, finest, t)) {
                const into = memory.words[(map?.at ?? 0) / 4 + id];
                expect(groups.get(into)?.keys).toEqual(made.keys.map((key) => keys[key]));
                rows.set(into, (rows.get(into) ?? 0n) + BigInt(n as bigint));
              }
              for (const { id, rows: n } of groups.values()) expect(n).toBe(rows.get(id));
            }
          }
        },
      ),
      runs(60),
    );
  });

  it('begins with a counting table only where that fits into memory', async () => {
    // 24 bits of keys, and half a kilobyte of sums a group
    const a = [0, 2 ** 22, 2 ** 23 - 100];
    const batch = batchOf([
      ['a', dataOf({ type: 'i32', values: a })],
      ['v', dataOf({ type: 'i64', values: [1, 2, 3] })],
    ]);
    const aggregates = Object.fromEntries(
      Array.from({ length: 32 }, (_, i) => [`s${i}`, sum('v', { where: gt('v', i) })]),
    );
    const engine = createParallel({ workers: 1, tuning: { denseBits: 24 } });
    const { table, stats } = await engine.aggregate(batch, { by: cube('a'), aggregates });
    await engine.close();
    expect(stats.strategies).toEqual(['hash table']);
    expect(Array.from(table.getChild('s1') ?? [])).toEqual([null, 2n, 3n, 5n]);
  });
});
