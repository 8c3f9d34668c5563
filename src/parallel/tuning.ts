/** Constants of the engine that tests and benchmarks may set. The answer depends on none of them. */
export interface Tuning {
  /** How morsels are dealt: to whoever asks next, or every nth to the nth worker. */
  readonly deal: 'claimed' | 'static';
  /** Rows that a worker takes at a time. */
  readonly morselRows: number;
  /** Partial groups per worker below which one worker orders them all. */
  readonly groupsPerWorker: number;
  /** Ranges for each worker that ran. */
  readonly rangesPerWorker: number;
  /** Groups sampled for each range. */
  readonly samplesPerRange: number;
  /** The most bits of a counting table's index. */
  readonly denseBits: number;
  /** The most bits of keys that are packed into one word. */
  readonly wordBits: number;
  /** Rows up to which the calling thread does all work itself: no thread is worth its start, nor the way there and back. */
  readonly inlineRows: number;
  /** Bytes of ordinary memory that are copied before the workers are sent to fold them. */
  readonly roundBytes: number;
  /** Groups of a worker's table from which on it is spilled, however much memory there is. */
  readonly spillGroups: number;
  /** Spilled groups that are written and read together. */
  readonly chunkGroups: number;
  /** Spilled groups that are loaded together, at most. */
  readonly loadGroups: number;
}
