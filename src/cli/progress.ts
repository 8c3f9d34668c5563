import type { Progress } from '../core/aggregator.js';
import { thousands } from '../io/thousands.js';
import { bar } from './bar.js';

/** Shows how far a run is on one line of a terminal. */
export interface ProgressLine {
  show(progress: Progress): void;
  /** Takes the line away. */
  clear(): void;
}

/** What is needed of a terminal. */
export interface Terminal {
  readonly columns?: number;
  write(text: string): unknown;
}

/** Milliseconds: often enough to look alive. */
const interval = 100;
/** Milliseconds: what is over before has no need of a line. */
const patience = 250;

export function createProgressLine(terminal: Terminal, now = () => performance.now()): ProgressLine {
  const started = now();
  let last = started + patience - interval;
  let shown = false;
  return {
    show(progress) {
      const at = now();
      if (at - last < interval) return;
      last = at;
      shown = true;
      terminal.write(`\r\x1b[K${progressText(progress, at - started, terminal.columns)}`);
    },
    clear() {
      if (shown) terminal.write('\r\x1b[K');
      shown = false;
    },
  };
}

/**
 * Phase, bar, rows, rows a second and the time that is left, as much of it as fits.
 * @param milliseconds since the run was started.
 */
export function progressText(
  { phase, rows, totalRows }: Progress,
  milliseconds: number,
  columns = 80,
): string {
  const rate = milliseconds > 0 ? (rows / milliseconds) * 1000 : 0;
  const words = [`${thousands(rows)} rows`, `${shortNumber(rate)} rows/s`];
  if (totalRows === undefined || totalRows === 0) return fitted([phase, ...words], columns);
  const share = Math.min(1, rows / totalRows);
  const head = [phase, `${Math.floor(share * 100)}%`.padStart(4), bar(0, share, barCharacters)];
  if (share > 0 && share < 1) words.push(`${duration((milliseconds * (1 - share)) / share)} left`);
  return fitted([...head, ...words], columns);
}

const barCharacters = 20;

/** The words that fit, from the first; the last column stays free, or some terminals would break the line. */
function fitted(words: readonly string[], columns: number): string {
  let text = '';
  for (const word of words) {
    const longer = text === '' ? word : `${text}  ${word}`;
    if (longer.length >= columns) break;
    text = longer;
  }
  return text;
}

/** Three digits and a unit. */
export function shortNumber(value: number): string {
  const [unit, size] =
    value >= 999.5e6 ? ['G', 1e9] : value >= 999.5e3 ? ['M', 1e6] : value >= 999.5 ? ['k', 1e3] : ['', 1];
  const scaled = value / size;
  const digits = unit === '' || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
  return unit === '' ? scaled.toFixed(0) : `${scaled.toFixed(digits)} ${unit}`;
}

/** Seconds below a minute, else minutes or hours and the smaller unit with two digits. */
function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const two = (n: number): string => String(n).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)} min`;
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)} h`;
}
