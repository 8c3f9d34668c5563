import type { Progress } from '../core/aggregator.js';

/** Shows how far a run is on one line of a terminal. */
export interface ProgressLine {
  show(progress: Progress): void;
  /** Takes the line away. */
  clear(): void;
}

/** Often enough to look alive. */
const interval = 100;

export function createProgressLine(terminal: NodeJS.WriteStream): ProgressLine {
  let last = 0;
  let shown = false;
  return {
    show({ phase, rows, totalRows }) {
      const now = performance.now();
      if (now - last < interval) return;
      last = now;
      shown = true;
      const total = totalRows === undefined ? '' : ` of ${totalRows.toLocaleString('en')}`;
      terminal.write(`\r\x1b[K${phase}: ${rows.toLocaleString('en')}${total} rows`);
    },
    clear() {
      if (shown) terminal.write('\r\x1b[K');
      shown = false;
    },
  };
}
