import type { Grouped } from './coarsen.js';
import type { Folded } from './fold.js';
import type { Program } from './program.js';
import type { GatherWork, Piece, PlacedRows, RankOutput } from './protocol.js';
import type { Runner } from './runner.js';

/** What the gather phases of all grouping sets share. */
export interface Gathering {
  /** The ranks of texts, by the pool of their column. */
  readonly ranks: ReadonlyMap<number, RankOutput>;
  /** Key words of the tables that were folded. */
  readonly words: number;
}

/**
 * The gather phase: the values that the fold logged are parted by range, once the groups stand in order and every ticket has
 * a home. Called once a grouping set. `pieces` are what the order phase left, `cuts` the ranges they are cut
 * into. Afterwards each range has what it needs of every gather, in row order.
 */
export async function gatherPhase(
  runner: Runner,
  { program, tables }: Grouped,
  { ranks, words }: Gathering,
  pieces: readonly Piece[],
  cuts: readonly (readonly Piece[])[],
): Promise<GatherWork[][]> {
  const ranksOf = (gather: number, table: number): number => {
    const { form, column } = program.gathers[gather];
    return form === 'rank' ? (ranks.get(program.columns[column].pool)?.ranks[table] ?? 0) : 0;
  };
  // where only what escapes a state is gathered, there mostly is nothing
  if (tables.every(({ logged }) => logged.length === 0)) {
    return cuts.map(() => program.gathers.map(() => ({ rows: [], entries: 0 })));
  }
  const parted = await runner.all(
    'part',
    tables.map(({ at, folded = at, map, logged }, table) => ({
      program,
      folded,
      foldedWords: words,
      table: at,
      map,
      logged,
      bases: startsOf(pieces.map(({ length }) => length)),
      bounds: startsOf(cuts.map((cut) => cut.reduce((sum, { length }) => sum + length, 0))).slice(1),
      ranks: program.gathers.map((_, gather) => ranksOf(gather, table)),
    })),
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

/** Ranks the texts of every column whose values are gathered to be compared. Called once a run, behind the fold. */
export async function prepareGathering(
  runner: Runner,
  program: Program,
  { tables, layout }: Pick<Folded, 'tables' | 'layout'>,
): Promise<Gathering> {
  const pools = new Set(
    program.gathers.flatMap(({ form, column }) => (form === 'rank' ? [program.columns[column].pool] : [])),
  );
  const ranked = await runner.all(
    'rank',
    [...pools].map((pool) => ({ tables: tables.map(({ at }) => at), pool })),
  );
  return { ranks: new Map([...pools].map((pool, i) => [pool, ranked[i].output])), words: layout.words };
}

/** What stands before each of these lengths, laid end to end. */
function startsOf(lengths: readonly number[]): number[] {
  let sum = 0;
  return lengths.map((length) => {
    sum += length;
    return sum - length;
  });
}
