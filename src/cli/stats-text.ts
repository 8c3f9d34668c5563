import type { Stats } from '../core/aggregator.js';

/** What a run did, for people. */
export function statsText(stats: Stats): string {
  const { engine, rows, groups, workers, strategies, milliseconds, ranges } = stats;
  const lines = [
    `${engine}, ${count(workers, 'worker')}: ${count(rows, 'row')}, ${count(groups, 'group')}`,
    ...(strategies.length > 0 ? [`strategies: ${strategies.join(', ')}`] : []),
    ...Object.entries(milliseconds).map(
      ([phase, time]) => `${phase.padEnd(12)}${time.toFixed(1).padStart(10)} ms`,
    ),
    ...ranges.map(
      (range, i) =>
        `range ${i + 1}: ${count(range.groups, 'group')} of ${count(range.partials, 'partial')}, worker ${range.worker}, ${range.milliseconds.toFixed(1)} ms`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function count(n: number, noun: string): string {
  return `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;
}
