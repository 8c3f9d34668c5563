import type { RangeStats, Stats } from '../core/aggregator.js';
import { thousands } from '../io/thousands.js';
import { bar } from './bar.js';
import { shortNumber } from './progress.js';

const barCharacters = 40;
/** Ranges that are shown; of more the middle is left out. */
const shownRanges = 16;

/** What a run did, for people: phases one after the other, ranges side by side, each with a bar as long as it took. */
export function statsText(stats: Stats): string {
  const { engine, rows, groups, workers, strategies, milliseconds, ranges, spilledBytes } = stats;
  const total = Object.values(milliseconds).reduce((sum, time) => sum + time, 0);
  const rate = total > 0 ? `, ${shortNumber((rows / total) * 1000)} rows/s` : '';
  const lines = [
    `${engine}, ${count(workers, 'worker')}: ${count(rows, 'row')}, ${count(groups, 'group')}`,
    `${total.toFixed(1)} ms in all${rate}`,
    ...(strategies.length > 0 ? [`strategies: ${strategies.join(', ')}`] : []),
    ...(spilledBytes > 0 ? [`spilled: ${shortNumber(spilledBytes)}B`] : []),
    ...phaseLines(milliseconds, total),
    ...rangeLines(ranges),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function phaseLines(milliseconds: Stats['milliseconds'], total: number): string[] {
  const width = Math.max(...Object.keys(milliseconds).map(({ length }) => length));
  let begun = 0;
  return Object.entries(milliseconds).map(([phase, time]) => {
    const drawn = total > 0 ? bar(begun / total, (begun + time) / total, barCharacters) : '';
    begun += time;
    return `${phase.padEnd(width)}  ${time.toFixed(1).padStart(8)} ms  ${drawn}`;
  });
}

function rangeLines(ranges: Stats['ranges']): string[] {
  if (ranges.length === 0) return [];
  const longest = Math.max(...ranges.map(({ milliseconds }) => milliseconds));
  const cells = (range: RangeStats, i: number): string[] => [
    `range ${i + 1}`,
    `worker ${range.worker}`,
    count(range.groups, 'group'),
    `of ${count(range.partials, 'partial')}`,
    `${range.milliseconds.toFixed(1)} ms`,
  ];
  const all = ranges.map(cells);
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const lines = all.map((row, i) => {
    const share = longest > 0 ? ranges[i].milliseconds / longest : 0;
    const words = row.map((cell, at) => (at < 2 ? cell.padEnd(widths[at]) : cell.padStart(widths[at])));
    return `${words.join('  ')}  ${bar(0, share, barCharacters / 2)}`;
  });
  if (lines.length <= shownRanges) return lines;
  const half = shownRanges / 2;
  return [
    ...lines.slice(0, half),
    `... ${thousands(lines.length - shownRanges)} more ranges ...`,
    ...lines.slice(-half),
  ];
}

function count(n: number, noun: string): string {
  return `${thousands(n)} ${noun}${n === 1 ? '' : 's'}`;
}
