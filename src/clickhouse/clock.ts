/** Wall time by phase, in milliseconds. */
export class Clock {
  readonly milliseconds: Record<string, number> = {};
  #last = performance.now();

  /** Ends a phase. */
  lap(phase: string): void {
    const now = performance.now();
    this.milliseconds[phase] = now - this.#last;
    this.#last = now;
  }
}
