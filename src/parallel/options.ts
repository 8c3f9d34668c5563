import { availableParallelism, tmpdir } from 'node:os';
import { describe } from '../core/describe.js';
import { MemoryLimitError, queryError } from '../core/errors.js';
import { requireKnown } from '../core/options-of.js';
import { ALL_GROUPS, DEFAULT_TUNING, leastLimit } from './plan.js';
import type { Tuning } from './tuning.js';

/** Settings of a parallel engine. */
export interface ParallelOptions {
  /** Threads, 1 to 1,024; default: as many as the machine can run at once. */
  readonly workers?: number;
  /**
   * Bytes of the engine's own that a run may use: kernels, decoders, results; not the caller's input. Groups that do not fit are
   * written to files and come out range by range. At least 6.22 MB a worker. Default: what WebAssembly can address, 4 GiB, for the kernels.
   */
  readonly memoryLimit?: number;
  /** The directory of those files, which are removed when the run ends; default: the system's for temporary files. */
  readonly spillDirectory?: string;
  /** For tests and benchmarks: constants of the engine, each with a measured default. The answer never depends on them. */
  readonly tuning?: Partial<Tuning>;
}

export interface CheckedOptions {
  readonly workers: number;
  readonly memoryLimit: number | undefined;
  readonly spillDirectory: string;
  readonly tuning: Tuning;
}

/** Worker numbers fit the engine's counters, and no machine has more threads to give. */
const MOST_WORKERS = 1024;

/** Bounds of each number of the tuning: least and greatest. */
const BOUNDS: Readonly<Record<Exclude<keyof Tuning, 'deal'>, readonly [number, number]>> = {
  morselRows: [1, 2 ** 24],
  groupsPerWorker: [1, 2 ** 30],
  rangesPerWorker: [1, 64],
  samplesPerRange: [1, 2 ** 16],
  denseBits: [0, 24],
  wordBits: [0, 64],
  inlineRows: [0, 2 ** 24],
  roundBytes: [1, 2 ** 28],
  spillGroups: [1, ALL_GROUPS],
  chunkGroups: [1, 2 ** 16],
  loadGroups: [1, ALL_GROUPS],
};

const NAMES: readonly string[] = ['workers', 'memoryLimit', 'spillDirectory', 'tuning'];

/** @throws QueryError for an option that is unknown or out of its range; MemoryLimitError for a limit that no run can keep. */
export function checkOptions(options: ParallelOptions): CheckedOptions {
  if (typeof options !== 'object' || options === null) {
    throw queryError('createParallel(options)', describe(options), 'an object');
  }
  requireKnown(options, NAMES);
  const { workers = availableParallelism(), memoryLimit, spillDirectory = tmpdir() } = options;
  requireInteger('option workers', workers, [1, MOST_WORKERS]);
  if (memoryLimit !== undefined) {
    requireInteger('option memoryLimit', memoryLimit, [1, Number.MAX_SAFE_INTEGER]);
    const least = leastLimit(workers);
    if (memoryLimit < least) throw limitError(memoryLimit, `at least ${least} bytes for ${workers} workers`);
  }
  if (typeof spillDirectory !== 'string' || spillDirectory === '') {
    throw queryError('option spillDirectory', describe(spillDirectory), 'the path of a directory');
  }
  const tuning = checkTuning(options.tuning);
  // who sets other constants wants to see threads use them
  const inlineRows = options.tuning === undefined ? tuning.inlineRows : (options.tuning.inlineRows ?? 0);
  return { workers, memoryLimit, spillDirectory, tuning: { ...tuning, inlineRows } };
}

function checkTuning(tuning: Partial<Tuning> = {}): Tuning {
  if (typeof tuning !== 'object' || tuning === null)
    throw queryError('option tuning', describe(tuning), 'an object');
  for (const [name, value] of Object.entries(tuning)) {
    if (value === undefined) continue;
    if (name === 'deal') {
      if (value !== 'claimed' && value !== 'static') {
        throw queryError('tuning deal', describe(value), "'claimed' or 'static'");
      }
    } else if (Object.hasOwn(BOUNDS, name)) {
      requireInteger(`tuning ${name}`, value, BOUNDS[name as keyof typeof BOUNDS]);
    } else {
      throw queryError(
        `tuning ${JSON.stringify(name)}`,
        'an unknown constant',
        Object.keys(DEFAULT_TUNING).join(', '),
      );
    }
  }
  return { ...DEFAULT_TUNING, ...withoutUndefined(tuning) };
}

function withoutUndefined(tuning: Partial<Tuning>): Partial<Tuning> {
  return Object.fromEntries(Object.entries(tuning).filter(([, value]) => value !== undefined));
}

function requireInteger(parameter: string, value: unknown, [least, most]: readonly [number, number]): void {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw queryError(parameter, describe(value), `a whole number from ${least} to ${most}`);
  }
}

function limitError(limit: number, wanted: string): MemoryLimitError {
  const came = `${limit} bytes`;
  const parameter = 'option memoryLimit';
  return new MemoryLimitError(`${parameter}: got ${came}, wanted ${wanted}`, { parameter, came, wanted });
}
