import { MemoryLimitError } from '../core/errors.js';
import { clearGuards, setGuard } from './guards.js';
import {
  CONTROL_BUMP,
  CONTROL_CANCEL,
  CONTROL_CLAIM,
  CONTROL_ROWS,
  CONTROL_SIZE,
  CONTROL_TOP,
  FREE,
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
/** Bytes zeroed between two looks whether the run goes on: a few milliseconds, also of pages that are touched for the first time. */
const ZERO_BYTES = 1 << 24;

/** Makes the memory that all kernels work in, of at most `most` pages of 64 KiB: as large as can be reserved, and of that size from the start, so that no view on it ever grows stale. */
export function reserveMemory(most: number = MOST_PAGES): WebAssembly.Memory {
  for (let pages = most; ; pages = Math.floor(pages / 2)) {
    try {
      const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
      // the last page stays unused, so that the end of a block is always an address
      new Int32Array(memory.buffer, CONTROL_TOP, 1)[0] = ((pages - 1) * PAGE) / UNIT;
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
 * Above `top` lie the columns that the engine holds between runs.
 */
export class KernelMemory {
  readonly memory: WebAssembly.Memory;
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  private readonly doubles: Float64Array;
  private readonly control: Int32Array;
  private readonly counters: BigInt64Array;
  readonly size: number;

  constructor(memory: WebAssembly.Memory) {
    this.memory = memory;
    this.bytes = new Uint8Array(memory.buffer);
    this.words = new Uint32Array(memory.buffer);
    this.doubles = new Float64Array(memory.buffer);
    this.control = new Int32Array(memory.buffer, 0, CONTROL_SIZE / 4);
    this.counters = new BigInt64Array(memory.buffer, 0, CONTROL_SIZE / 8);
    this.size = memory.buffer.byteLength - PAGE;
  }

  /** Gives up all blocks of the last run. Called by the engine alone, when no task runs. */
  reset(): void {
    this.giveUp();
    Atomics.store(this.control, CONTROL_CANCEL / 4, 0);
    Atomics.store(this.counters, CONTROL_ROWS / 8, 0n);
  }

  /** Gives up all blocks of the run at hand. Called by the engine alone, when no task runs. */
  giveUp(): void {
    this.release(CONTROL_SIZE);
  }

  /** Where the blocks of runs end. Columns that are held between runs lie above. */
  get top(): number {
    return Atomics.load(this.control, CONTROL_TOP / 4) * UNIT;
  }

  /** Moves the top. Called by the engine alone, when no task runs. */
  setTop(top: number): void {
    Atomics.store(this.control, CONTROL_TOP / 4, Math.floor(top / UNIT));
  }

  /** Bytes handed out in this run. */
  get used(): number {
    return Atomics.load(this.control, CONTROL_BUMP / 4) * UNIT;
  }

  /** Gives up all blocks that were handed out since `used` was `mark`. Called by the engine alone, when no task runs. */
  release(mark: number): void {
    if (GUARD > 0) clearGuards(this.words, mark / UNIT, this.used / UNIT);
    Atomics.store(this.control, CONTROL_BUMP / 4, mark / UNIT);
  }

  /**
   * A block for the rest of the run; its content is whatever was there before. Any thread may call it at any time.
   * @throws MemoryLimitError where the memory is used up.
   */
  allocate(size: number): number {
    const units = Math.max(1, Math.ceil(size / UNIT)) + GUARD;
    // what is larger than all of memory would run over the counter
    const fits = units * UNIT <= this.size;
    const start = Atomics.add(this.control, CONTROL_BUMP / 4, fits ? units : 0) * UNIT;
    if (!fits || start + units * UNIT > this.top) {
      if (fits) Atomics.sub(this.control, CONTROL_BUMP / 4, units);
      throw new MemoryLimitError(
        `kernel memory: got a need for ${size} bytes more, wanted at most ${this.top - start} of ${this.top}`,
        {
          parameter: 'kernel memory',
          came: `${size} bytes more`,
          wanted: `at most ${this.size - start} bytes`,
        },
      );
    }
    if (GUARD > 0) setGuard(this.words, start / UNIT + units - 1);
    return start;
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

/**
 * Memory of one worker's table. Blocks are powers of two, and a block given back is kept for the worker: tables grow by
 * doubling, so what one array outgrew the next can use. The lists stand in the table's own header, because a later task
 * of the same table may run on another thread.
 */
export class TableMemory {
  private readonly memory: KernelMemory;
  private readonly lists: number;

  constructor(memory: KernelMemory, table: number) {
    this.memory = memory;
    this.lists = (table + FREE) / 4;
  }

  allocate(size: number): number {
    const power = powerFor(size);
    if (power > 31) return this.memory.allocate(size);
    const { words } = this.memory;
    const head = words[this.lists + power];
    if (head === 0) return this.memory.allocate(2 ** power);
    words[this.lists + power] = words[head / 4];
    return head;
  }

  free(at: number, size: number): void {
    if (at === 0) return;
    const power = powerFor(size);
    const { words } = this.memory;
    words[at / 4] = words[this.lists + power];
    words[this.lists + power] = at;
  }
}

function powerFor(size: number): number {
  return Math.max(6, Math.ceil(Math.log2(Math.max(1, size))));
}
