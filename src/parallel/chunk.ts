import type { Program, StateProgram } from './program.js';

/** Codes of texts among the lanes of a group, each before the table that has the text. */
export interface TextLane {
  readonly lane: number;
  readonly pool: number;
}

/** What a program's groups are made of in a file. */
export interface ChunkForm {
  /** The offsets of the pools in a table. */
  readonly pools: readonly number[];
  readonly textLanes: readonly TextLane[];
  /** Of each key the pool of its texts; 0: it is no text. */
  readonly keyPools: readonly number[];
  /** Of each gather the pool that its words are codes of; 0: none. */
  readonly gatherPools: readonly number[];
  /** Of each gather whether the order of its rows counts. */
  readonly ordered: readonly boolean[];
  /** Bytes of a chunk's header. */
  readonly header: number;
  /** Where in the header, counted in numbers of 4 bytes, what stands. */
  readonly nulls: number;
  readonly texts: number;
  readonly wides: number;
  readonly rows: number;
}

/** The numbers that every chunk's header begins with. */
export const CHUNK_BYTES = 0;
export const CHUNK_GROUPS = 1;
const CHUNK_KEYS = 2;

/**
 * A chunk of groups in a file: its header (its bytes, its groups, nulls of each key, texts and their bytes of each pool,
 * wide sums, rows and pieces of each gather); of each key encoded words and, where there are nulls, validity; lanes; wide sums;
 * of each gather its pieces (where order counts), the rows' groups and their words; of each pool lengths and bytes of
 * texts. Codes are those of the chunk, and each section begins at a multiple of 8. Pure.
 */
export function chunkForm(program: Program): ChunkForm {
  const { columns, keys, gathers, outputs } = program;
  const poolOf = (column: number): number => (column < 0 ? 0 : columns[column].pool);
  const pools = columns.map(({ pool }) => pool).filter((pool) => pool !== 0);
  const nulls = CHUNK_KEYS;
  const texts = nulls + keys.length;
  const wides = texts + 2 * pools.length;
  const rows = wides + 1;
  const inOrder = new Set(
    outputs.flatMap((output) => (['list', 'join'].includes(output.function) ? output.gathers : [])),
  );
  return {
    pools,
    textLanes: program.states.flatMap((state) => textLanesOf(state, columns)),
    keyPools: keys.map(({ text, column }) => (text ? poolOf(column) : 0)),
    gatherPools: gathers.map(({ form, column }) =>
      form === 'rank' || form === 'entry' ? poolOf(column) : 0,
    ),
    ordered: gathers.map((_, gather) => inOrder.has(gather)),
    header: 8 * Math.ceil((rows + 2 * gathers.length) / 2),
    nulls,
    texts,
    wides,
    rows,
  };
}

function textLanesOf(
  { kind, column, second, lane }: StateProgram,
  columns: Program['columns'],
): readonly TextLane[] {
  const kept = column < 0 ? 0 : columns[column].pool;
  switch (kind) {
    case 'maxText':
    case 'minText':
      return [{ lane, pool: kept }];
    case 'firstRow':
    case 'lastRow':
    case 'firstValue':
    case 'lastValue':
      return kept === 0 ? [] : [{ lane: lane + 8, pool: kept }];
    case 'argMin':
    case 'argMax':
      return kept === 0 ? [] : [{ lane: lane + 16, pool: kept }];
    case 'argMinText':
    case 'argMaxText':
      return [{ lane, pool: columns[second].pool }, ...(kept === 0 ? [] : [{ lane: lane + 16, pool: kept }])];
    case 'rows':
    case 'nulls':
    case 'nullTexts':
    case 'pairNulls':
    case 'sumNarrow':
    case 'sumSigned':
    case 'sumUnsigned':
    case 'sumWords2':
    case 'sumWords4':
    case 'sumFloat':
    case 'max':
    case 'min':
    case 'top':
    case 'bottom':
    case 'moments':
    case 'pairs':
    case 'products':
    case 'narrowMoments':
    case 'narrowPairs':
    case 'ticket':
      return [];
  }
}
