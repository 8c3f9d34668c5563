import { MemoryLimitError } from '../core/errors.js';
import { clearGuards, setGuard } from './guards.js';
import {
  CONTROL_BUMP,
  CONTROL_CANCEL,
  CONTROL_CLAIM,
  CONTROL_HELD,
  CONTROL_LIMIT,
  CONTROL_ROWS,
  CONTROL_SIZE,
  CONTROL_TOP,
  GUARD,
} from './kernels/layout.js';

const PAGE = 65536;
/**
 * What WebAssembly can address, but for one page: a message cannot hold a view of a buffer of 2^32 bytes (Node 20). It is
 * reserved, not used: pages come into being when they are first touched.
 */
const MOST_PAGES = 65535;
/** Blocks are handed out in units of a cache line, so that no two workers write to one line. */
const UNIT = 64;
/** An arena's first line: where its next block begins, and where it ends, in units. */
const ARENA_BUMP = 0;
const ARENA_TOP = 4;
/** What an error says that is short of memory. */
const ARENA = 'memory of a table';

/** Whether an error says that an arena is full: then its table can be spilled. */
export function isArenaFull(error: unknown): error is MemoryLimitError {
  return error instanceof MemoryLimitError && error.parameter === ARENA;
}

/** What is thrown where a block of rows does not fit an empty table. */
export function limitError(workers: number): MemoryLimitError {
  const parameter = 'memoryLimit';
  const came = `too little for the table of each of ${workers} workers`;
  const wanted = 'room for 2,048 rows in it: a higher limit, or fewer workers';
  return new MemoryLimitError(`${parameter}: got ${came}, wanted ${wanted}`, { parameter, came, wanted });
}

/** Bytes zeroed between two looks whether the run goes on: a few milliseconds, also of pages that are touched for the first time. */
const ZERO_BYTES = 1 << 24;

/** Makes the memory that all kernels work in, of at most `most` pages of 64 KiB: as large as can be reserved, and of that size from the start, so that no view on it ever grows stale. */
export function reserveMemory(most: number = MOST_PAGES): WebAssembly.Memory {
  for (let pages = most; ; pages = Math.floor(pages / 2)) {
    try {
      const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
      // the last page stays unused, so that the end of a block is always an address
      const end = ((pages - 1) * PAGE) / UNIT;
      new Int32Array(memory.buffer, CONTROL_TOP, 1)[0] = end;
      new Int32Array(memory.buffer, CONTROL_HELD, 1)[0] = end;
      return memory;
    } catch (error) {
      if (pages <= 1024) {
        throw new MemoryLimitError(`shared memory: got no ${(pages * PAGE) >> 20} MiB to reserve`, {
          parameter: 'shared memory',
          cause: error,
        });
      }
    }
  }
}

/**
 * Kernel memory as a thread sees it. Blocks of a run are cut off one after the other from the bottom; when the run is
 * over all of them are given up at once, so that a worker that died leaves nothing behind, and the next run finds the
 * same pages warm (the first touch of a page costs far more than all later ones).
 * Below `top` lies what the calling thread keeps for the length of a run, cut off from the top down, and above that the
 * columns that the engine holds between runs. A table that may be spilled has a block of its own, an arena, that its
 * blocks are cut off: when the table is written to a file they are given up at once as well.
 */
export class KernelMemory {
  readonly memory: WebAssembly.Memory;
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  private readonly doubles: Float64Array;
  private readonly control: Int32Array;
  private readonly counters: BigInt64Array;
  readonly size: number;
  /** Of an arena, where it begins; else 0. */
  private readonly arenaAt: number;

  constructor(memory: WebAssembly.Memory, arenaAt = 0) {
    this.memory = memory;
    this.arenaAt = arenaAt;
    this.bytes = new Uint8Array(memory.buffer);
    this.words = new Uint32Array(memory.buffer);
    this.doubles = new Float64Array(memory.buffer);
    this.control = new Int32Array(memory.buffer);
    this.counters = new BigInt64Array(memory.buffer, 0, CONTROL_SIZE / 8);
    this.size = memory.buffer.byteLength - PAGE;
  }

  /**
   * Gives up all blocks of the last run. Called by the engine alone, when no task runs.
   * @param limit bytes that the run may use, at most; undefined: all there are.
   */
  reset(limit?: number): void {
    this.giveUp();
    const units = limit === undefined ? 0 : Math.floor(Math.min(limit, this.size) / UNIT);
    Atomics.store(this.control, CONTROL_LIMIT / 4, units);
    this.giveUpHigh();
    Atomics.store(this.control, CONTROL_CANCEL / 4, 0);
    Atomics.store(this.counters, CONTROL_ROWS / 8, 0n);
  }

  /** Gives up what was cut off from the top down. Called by the engine alone, when no task runs. */
  giveUpHigh(): void {
    const { control } = this;
    const held = Atomics.load(control, CONTROL_HELD / 4);
    const limit = Atomics.load(control, CONTROL_LIMIT / 4);
    Atomics.store(control, CONTROL_TOP / 4, limit === 0 ? held : Math.min(held, limit));
  }

  /** Cuts an arena off, for {@link arena}. */
  makeArena(size: number): number {
    const at = this.allocate(size);
    const arena = this.control.subarray(at / 4);
    arena[ARENA_BUMP / 4] = at / UNIT + 1;
    arena[ARENA_TOP / 4] = Math.floor((at + size) / UNIT);
    return at;
  }

  /** The arena that begins at an address. Only one task uses it at a time. */
  arena(at: number): KernelMemory {
    return new KernelMemory(this.memory, at);
  }

  private get bumpIndex(): number {
    return (this.arenaAt === 0 ? CONTROL_BUMP : this.arenaAt + ARENA_BUMP) / 4;
  }

  private get topIndex(): number {
    return (this.arenaAt === 0 ? CONTROL_TOP : this.arenaAt + ARENA_TOP) / 4;
  }

  /** Bytes that are left. */
  get free(): number {
    return this.top - this.used;
  }

  /** Gives up all blocks of the run at hand. Called by the engine alone, when no task runs. */
  giveUp(): void {
    this.release(this.arenaAt === 0 ? CONTROL_SIZE : this.arenaAt + UNIT);
  }

  /** Where the blocks of tasks end. */
  get top(): number {
    return Atomics.load(this.control, this.topIndex) * UNIT;
  }

  /** Says where the columns begin that are held between runs. Called by the engine alone, when no task runs. */
  setTop(top: number): void {
    Atomics.store(this.control, CONTROL_HELD / 4, Math.floor(top / UNIT));
    this.giveUpHigh();
  }

  /** The address behind the last block that was handed out. */
  get used(): number {
    return Atomics.load(this.control, this.bumpIndex) * UNIT;
  }

  /** Gives up all blocks that were handed out since `used` was `mark`. Called by the engine alone, when no task runs. */
  release(mark: number): void {
    if (GUARD > 0) clearGuards(this.words, mark / UNIT, this.used / UNIT);
    Atomics.store(this.control, this.bumpIndex, mark / UNIT);
  }

  /**
   * A block below the top that lasts until the run ends, whatever else is given up. The calling thread alone may call it,
   * also while tasks run.
   * @throws MemoryLimitError where the memory is used up.
   */
  allocateHigh(size: number): number {
    const { control } = this;
    const before = Atomics.load(control, CONTROL_TOP / 4);
    const after = before - Math.max(1, Math.ceil(size / UNIT));
    // the top is moved first, and looked at last by who allocates: one of two that meet sees the other
    if (after > 0) Atomics.store(control, CONTROL_TOP / 4, after);
    if (after <= 0 || Atomics.load(control, CONTROL_BUMP / 4) > after) {
      Atomics.store(control, CONTROL_TOP / 4, before);
      throw this.fullError(size, this.free);
    }
    return after * UNIT;
  }

  /**
   * A block for the rest of the run; its content is whatever was there before. Any thread may call it at any time.
   * @throws MemoryLimitError where the memory is used up.
   */
  allocate(size: number): number {
    const units = Math.max(1, Math.ceil(size / UNIT)) + GUARD;
    // what is larger than all of memory would run over the counter
    const fits = units * UNIT <= this.size;
    const start = Atomics.add(this.control, this.bumpIndex, fits ? units : 0) * UNIT;
    if (!fits || start + units * UNIT > this.top) {
      if (fits) Atomics.sub(this.control, this.bumpIndex, units);
      throw this.fullError(size, this.top - start);
    }
    if (GUARD > 0) setGuard(this.words, start / UNIT + units - 1);
    return start;
  }

  /** What is thrown where `size` bytes more are not there. */
  fullError(size: number, left: number): MemoryLimitError {
    const limit = Atomics.load(this.control, CONTROL_LIMIT / 4) * UNIT;
    const parameter = this.arenaAt > 0 ? ARENA : limit > 0 ? 'memoryLimit' : 'kernel memory';
    const came = `a need for ${size} bytes more`;
    const wanted = `at most ${left} of ${limit === 0 ? this.top : limit}`;
    return new MemoryLimitError(`${parameter}: got ${came}, wanted ${wanted}`, { parameter, came, wanted });
  }

  allocateZeroed(size: number): number {
    const at = this.allocate(size);
    this.zero(at, size);
    return at;
  }

  /** Zeroes a block from its start, up to the next multiple of 8. (Filling shared bytes one by one takes eight times as long.) */
  zero(at: number, size: number): void {
    const end = at + size;
    for (let from = at; from < end; from += ZERO_BYTES) {
      if (from > at) this.heed();
      this.doubles.fill(0, from / 8, Math.ceil(Math.min(end, from + ZERO_BYTES) / 8));
    }
  }

  /** Takes the next number of the claim counter; each is given to one thread only. */
  claim(): number {
    return Atomics.add(this.control, CONTROL_CLAIM / 4, 1);
  }

  resetClaims(): void {
    Atomics.store(this.control, CONTROL_CLAIM / 4, 0);
  }

  /** Tells all tasks of the run to end. */
  cancel(): void {
    Atomics.store(this.control, CONTROL_CANCEL / 4, 1);
  }

  /**
   * To be called between pieces of work that take some milliseconds. (Kernels look themselves; see heed.ts among them.)
   * @throws where the run was cancelled: what is half done is given up with all of the run's memory.
   */
  heed(): void {
    if (Atomics.load(this.control, CONTROL_CANCEL / 4) !== 0) throw new Error('the run was cancelled');
  }

  countRows(rows: number): void {
    Atomics.add(this.counters, CONTROL_ROWS / 8, BigInt(rows));
  }

  get rows(): number {
    return Number(Atomics.load(this.counters, CONTROL_ROWS / 8));
  }

  /** The address of a view that lies in kernel memory, else undefined. */
  addressOf(view: Uint8Array): number | undefined {
    return view.buffer === this.bytes.buffer ? view.byteOffset : undefined;
  }

  /** Stores a double, NaN as the canonical one (JavaScript leaves open which bits a NaN gets). */
  setFloat64(at: number, x: number): void {
    const view = new DataView(this.bytes.buffer, at, 8);
    if (Number.isNaN(x)) view.setBigUint64(0, 0x7ff8000000000000n, true);
    else view.setFloat64(0, x, true);
  }

  /** A copy of a block in memory of its own. */
  copy(at: number, size: number): Uint8Array<ArrayBuffer> {
    const own = new Uint8Array(size);
    own.set(this.bytes.subarray(at, at + size));
    return own;
  }
}
