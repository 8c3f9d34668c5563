import type { FoldedTable } from './fold.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';
import type { GatherWork, Piece, PlacedRows, RankOutput } from './protocol.js';
import type { Runner } from './runner.js';

/**
 * The gather phase: the values that the fold logged are parted by range, once the groups stand in order and every ticket has
 * a home; texts that are compared get ranks before. `pieces` are what the order phase left, `cuts` the ranges they are cut
 * into. Afterwards each range has what it needs of every gather, in row order.
 */
export async function gatherPhase(
  memory: KernelMemory,
  runner: Runner,
  program: Program,
  tables: readonly FoldedTable[],
  pieces: readonly Piece[],
  cuts: readonly (readonly Piece[])[],
): Promise<GatherWork[][]> {
  const ranks = await rankTexts(runner, program, tables);
  const ranksOf = (gather: number, table: number): number => {
    const { form, column } = program.gathers[gather];
    return form === 'rank' ? (ranks.get(program.columns[column].pool)?.ranks[table] ?? 0) : 0;
  };
  const parted = await runner.all(
    'part',
    tables.map(({ at, logged }, table) => ({
      program,
      table: at,
      logged,
      bases: startsOf(pieces.map(({ length }) => length)),
      bounds: startsOf(cuts.map((cut) => cut.reduce((sum, { length }) => sum + length, 0))).slice(1),
      ranks: program.gathers.map((_, gather) => ranksOf(gather, table)),
    })),
    () => memory.cancel(),
  );
  const all = tables.flatMap(({ logged }, table) =>
    logged.map(({ gather, place }, i) => ({ gather, place, parts: parted[table].output.parts[i] })),
  );
  all.sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0));
  return cuts.map((_, range) =>
    program.gathers.map(({ form, column }, gather): GatherWork => {
      const rows = all.flatMap((one): PlacedRows[] =>
        one.gather === gather && one.parts[range].rows > 0 ? [one.parts[range]] : [],
      );
      const entries = form === 'rank' ? (ranks.get(program.columns[column].pool)?.entries ?? 0) : 0;
      return { rows, entries };
    }),
  );
}

/** The ranks of every text column whose values are gathered to be compared, by the column's pool. */
async function rankTexts(
  runner: Runner,
  program: Program,
  tables: readonly FoldedTable[],
): Promise<Map<number, RankOutput>> {
  const pools = new Set(
    program.gathers.flatMap(({ form, column }) => (form === 'rank' ? [program.columns[column].pool] : [])),
  );
  const ranked = await runner.all(
    'rank',
    [...pools].map((pool) => ({ tables: tables.map(({ at }) => at), pool })),
  );
  return new Map([...pools].map((pool, i) => [pool, ranked[i].output]));
}

/** What stands before each of these lengths, laid end to end. */
function startsOf(lengths: readonly number[]): number[] {
  let sum = 0;
  return lengths.map((length) => {
    sum += length;
    return sum - length;
  });
}
