/** Random numbers that a seed repeats. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** A whole number of 32 bits. (mulberry32) */
  bits(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** A number from 0 up to but not including 1. */
  unit(): number {
    return this.bits() / 2 ** 32;
  }

  /** A whole number from 0 up to but not including `end`. */
  below(end: number): number {
    return Math.floor(this.unit() * end);
  }

  /** A whole number of 64 bits. */
  wide(): bigint {
    return (BigInt(this.bits()) << 32n) | BigInt(this.bits());
  }

  /** The items in another order. */
  shuffled<T>(items: readonly T[]): T[] {
    const all = [...items];
    for (let i = all.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [all[i], all[j]] = [all[j], all[i]];
    }
    return all;
  }
}
