import type { Progress } from '../core/aggregator.js';

/** Reports this often within a phase. */
const REPORT_MILLISECONDS = 50;

/** Wall time by phase, of those that come again in all; and the progress that a run reports. It begins in the phase `open`. */
export class Clock {
  readonly milliseconds: Record<string, number> = {};
  private phase: string | undefined = 'open';
  private last = performance.now();
  private rows: () => number = () => 0;
  private totalRows: number | undefined;
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly onProgress: ((progress: Progress) => void) | undefined;
  private readonly fail: (error: unknown) => void;

  /** @param fail called with what `onProgress` throws. */
  constructor(onProgress: ((progress: Progress) => void) | undefined, fail: (error: unknown) => void) {
    this.onProgress = onProgress;
    this.fail = fail;
    if (onProgress !== undefined) this.timer = setInterval(() => this.report(), REPORT_MILLISECONDS).unref();
  }

  /** Ends the phase at hand and begins another, or goes on with it. */
  enter(phase: string): void {
    this.lap();
    if (this.phase === phase) return;
    this.phase = phase;
    this.report();
  }

  /** Says where the rows that are folded are counted, from now on. */
  count(rows: () => number, totalRows: number | undefined): void {
    this.rows = rows;
    this.totalRows = totalRows;
  }

  /** Ends the last phase: nothing is reported any more. May be called more than once. */
  end(): void {
    this.lap();
    this.phase = undefined;
    clearInterval(this.timer);
  }

  private lap(): void {
    const { phase, milliseconds } = this;
    const now = performance.now();
    if (phase !== undefined) milliseconds[phase] = (milliseconds[phase] ?? 0) + now - this.last;
    this.last = now;
  }

  private report(): void {
    const { phase, totalRows, onProgress } = this;
    if (phase === undefined || onProgress === undefined) return;
    const rows = this.rows();
    try {
      onProgress(totalRows === undefined ? { phase, rows } : { phase, rows, totalRows });
    } catch (error) {
      this.fail(error);
    }
  }
}
