import type { Ratio } from './exact.js';

/** A width of time: exact seconds, or months of the calendar. */
export type Span =
  | { readonly in: 'seconds'; readonly width: Ratio; readonly weeks: boolean }
  | { readonly in: 'months'; readonly width: bigint };

const SECONDS: ReadonlyMap<string, Ratio> = new Map([
  ['nanosecond', { n: 1n, d: 1_000_000_000n }],
  ['microsecond', { n: 1n, d: 1_000_000n }],
  ['millisecond', { n: 1n, d: 1_000n }],
  ['second', { n: 1n, d: 1n }],
  ['minute', { n: 60n, d: 1n }],
  ['hour', { n: 3_600n, d: 1n }],
  ['day', { n: 86_400n, d: 1n }],
  ['week', { n: 604_800n, d: 1n }],
]);
const MONTHS: ReadonlyMap<string, bigint> = new Map([
  ['month', 1n],
  ['quarter', 3n],
  ['year', 12n],
]);

/** A span in words, as `15 minutes` or `1 month`; undefined where it is none. */
export function parseSpan(text: unknown): Span | undefined {
  const match = typeof text === 'string' ? /^\s*(\d{1,18})\s*([a-z]+?)s?\s*$/i.exec(text) : null;
  if (match === null) return undefined;
  const [, digits, word] = match;
  const count = BigInt(digits);
  if (count === 0n) return undefined;
  const unit = word.toLowerCase();
  const months = MONTHS.get(unit);
  if (months !== undefined) return { in: 'months', width: months * count };
  const seconds = SECONDS.get(unit);
  if (seconds === undefined) return undefined;
  return { in: 'seconds', width: { n: seconds.n * count, d: seconds.d }, weeks: unit === 'week' };
}
