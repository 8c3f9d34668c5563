import {
  POOL_COUNT,
  POOL_SIZE,
  REF_SIZE,
  SEGMENT_MASK,
  SEGMENT_POOL,
  SEGMENT_SIZE,
  SEGMENT_TEXT,
  TABLE_HOMES,
  TABLE_KIND,
  TABLE_TICKETS,
  TABLE_WORDS,
  WORD,
} from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import { HISTOGRAM } from './order-task.js';
import type { PartInput, PartOutput, PlacedRows, RankInput, RankOutput } from './protocol.js';

/**
 * Ranks the texts of a column over the pools of all tables: sorts them as the order phase sorts groups whose one key is a
 * text. Called once a column, alone on it, after the fold; writes memory of its own.
 */
export function rankTask(memory: KernelMemory, kernels: Kernels, { tables, pool }: RankInput): RankOutput {
  const counts = tables.map((table) => memory.words[(table + pool + POOL_COUNT) / 4]);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const refs = memory.allocate(REF_SIZE * all);
  let listed = 0;
  const ranks = tables.map((table, t) => {
    // a table whose groups are the texts of the pool, each a record of one word: its code
    const header = memory.allocate(pool + POOL_SIZE);
    memory.bytes.copyWithin(header, table, table + pool + POOL_SIZE);
    memory.words[(header + TABLE_KIND) / 4] = WORD;
    memory.words[(header + TABLE_WORDS) / 4] = 1;
    const own = memory.allocateZeroed(4 * (counts[t] + 1));
    memory.words[(header + TABLE_HOMES) / 4] = own;
    const codes = memory.allocate(8 * counts[t]);
    listed += kernels.listTexts(header, pool, codes, refs + REF_SIZE * listed);
    return own;
  });
  const segment = memory.allocateZeroed(SEGMENT_SIZE);
  memory.words[(segment + SEGMENT_TEXT) / 4] = 1;
  memory.words[(segment + SEGMENT_POOL) / 4] = pool;
  memory.words[(segment + SEGMENT_MASK) / 4] = 0xffff_ffff;
  kernels.sort(refs, memory.allocate(REF_SIZE * all), all, segment, 1, memory.allocate(HISTOGRAM));
  const entries = memory.allocate(4 * (all + 1));
  kernels.rankTexts(refs, all, pool, entries);
  return { ranks, entries };
}

/**
 * Parts the rows that one worker logged by range, keeping their order. Called once a table, in parallel, when all groups
 * stand in order; writes memory of its own.
 */
export function partTask(memory: KernelMemory, kernels: Kernels, input: PartInput): PartOutput {
  const { program, folded, foldedWords, table, map, logged, bases, bounds, ranks } = input;
  const basesAt = memory.allocate(4 * bases.length);
  memory.words.set(bases, basesAt / 4);
  const boundsAt = memory.allocate(4 * bounds.length);
  memory.words.set(bounds, boundsAt / 4);
  const homes = memory.allocate(8 * (memory.words[(folded + TABLE_TICKETS) / 4] + 1));
  const ticket = 8 * foldedWords + program.ticket;
  kernels.homesOfTickets(folded, ticket, map?.at ?? 0, table, basesAt, boundsAt, bounds.length, homes);
  const ranges = bounds.length + 1;
  const ends = memory.allocate(4 * ranges);
  const parts = logged.map(({ gather, tickets, words, rows }) => {
    const { form, column } = program.gathers[gather];
    const places = memory.allocate(4 * rows);
    const out = memory.allocate(8 * rows);
    const pool = form === 'entry' ? folded + program.columns[column].pool : 0;
    memory.heed();
    kernels.partRows(homes, tickets, words, rows, ranges, ends, places, out, ranks[gather], pool);
    let start = 0;
    return Array.from(memory.words.subarray(ends / 4, ends / 4 + ranges), (end): PlacedRows => {
      const part = { places: places + 4 * start, words: out + 8 * start, rows: end - start };
      start = end;
      return part;
    });
  });
  return { parts };
}
