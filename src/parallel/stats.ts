import type { RangeStats, Stats } from '../core/aggregator.js';
import type { Clock } from './clock.js';
import type { Folded } from './fold.js';
import type { BuiltRange } from './order.js';

/** Every strategy that `stats.strategies` can name. */
export type Strategy = 'counting table' | 'hash table' | 'wide hash table' | 'relayout' | 'spill' | 'recut';

const TABLES = { dense: 'counting table', word: 'hash table', words: 'wide hash table' } as const;

/** What is known of an answer's ranges. */
export interface Tally {
  readonly ranges: readonly Omit<BuiltRange, 'columns'>[];
  readonly recut: boolean;
  readonly spilledBytes: number;
}

function strategiesOf({ layout, relayouts }: Folded, { recut, spilledBytes }: Tally): Strategy[] {
  const strategies: Strategy[] = [TABLES[layout.kind]];
  if (relayouts > 0) strategies.push('relayout');
  if (spilledBytes > 0) strategies.push('spill');
  if (recut) strategies.push('recut');
  return strategies;
}

export function statsOf(folded: Folded, tally: Tally, clock: Clock): Stats {
  const { ranges, spilledBytes } = tally;
  return {
    engine: 'parallel',
    rows: folded.rows,
    groups: ranges.reduce((sum, { rows }) => sum + rows, 0),
    workers: folded.workers,
    strategies: strategiesOf(folded, tally),
    milliseconds: clock.milliseconds,
    ranges: ranges.map(
      ({ rows, partials, worker, milliseconds }): RangeStats => ({
        worker,
        partials,
        groups: rows,
        milliseconds,
      }),
    ),
    spilledBytes,
  };
}
