import type { FoldedTable } from './fold.js';
import type { Layout } from './layout.js';
import { planGathers, planRanges, planSamples } from './plan.js';
import type { Program } from './program.js';
import type { OrderInput } from './protocol.js';
import type { Runner } from './runner.js';
import type { Tuning } from './tuning.js';

/** What the order phase does for each range of the split. */
export type RangeWork = OrderInput['work'];

export interface Split {
  readonly work: readonly RangeWork[];
  /** Ranges that the answer is to have, where there are as many groups. */
  readonly ranges: number;
}

/**
 * The split phase: cuts the groups of all tables into ascending ranges by sampled pivots. Afterwards every group of
 * every table is in exactly one range, and all groups of a range are below those of the next.
 */
export async function splitPhase(
  runner: Runner,
  program: Program,
  tables: readonly FoldedTable[],
  layout: Layout,
  tuning: Tuning,
): Promise<Split> {
  const partials = tables.map(({ groups }) => groups);
  const ranges = planRanges(partials, tuning);
  const wanted = isHolistic(program) ? planGathers(partials, tuning) : ranges;
  const addresses = tables.map(({ at }) => at);
  if (isCounting(program, layout)) {
    return { work: splitIds(addresses, 2 ** layout.bits, ranges), ranges: wanted };
  }
  let pivots = { pivots: 0, count: 0 };
  if (ranges > 1) {
    const samples = planSamples(partials, ranges, tuning);
    const { output } = await runner.run('sample', { tables: addresses, samples, ranges, program, layout });
    pivots = output;
  }
  const splits = await runner.all(
    'split',
    addresses.map((table) => ({ table, program, layout, ...pivots })),
  );
  const work = Array.from(
    { length: pivots.count + 1 },
    (_, range): RangeWork => ({
      kind: 'refs',
      pieces: splits.map(({ output }) => output.pieces[range]).filter(({ length }) => length > 0),
    }),
  );
  return { work, ranges: wanted };
}

/** Whether all values of groups are gathered: then the rows count that a range has, not its groups. */
export function isHolistic({ gathers }: Program): boolean {
  return gathers.some(({ owner }) => owner < 0);
}

/** Whether ids are codes in key order, so that nothing needs to be sorted: a counting table without text. */
export function isCounting(program: Program, layout: Layout): boolean {
  return layout.kind === 'dense' && program.keys.every(({ text }) => !text);
}

/** Ids are cut evenly: a slot costs the same whether it is in use or not. */
function splitIds(tables: readonly number[], ids: number, ranges: number): RangeWork[] {
  const cuts = Math.min(ranges, ids);
  return Array.from({ length: cuts }, (_, range) => ({
    kind: 'ids',
    tables,
    from: Math.floor((range * ids) / cuts),
    to: Math.floor(((range + 1) * ids) / cuts),
  }));
}
