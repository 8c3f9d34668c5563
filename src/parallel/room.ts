import type { KernelMemory } from './memory.js';

/** Room in kernel memory that is used again and again; what does not fit any more gets a larger one. */
export class Room {
  private readonly memory: KernelMemory;
  private at = 0;
  private size = 0;

  constructor(memory: KernelMemory) {
    this.memory = memory;
  }

  /** Room for so many bytes. What was in it is lost where it grows. */
  of(bytes: number): number {
    if (bytes > this.size || this.at === 0) {
      // what it had is lost to the task: so each is a good deal larger than the last
      this.size = Math.max(64, bytes, Math.ceil(1.5 * this.size));
      this.at = this.memory.allocate(this.size);
    }
    return this.at;
  }
}

/** Bytes that are put together one section behind the other, each at a multiple of 8. */
export class Sheet {
  used = 0;
  private readonly memory: KernelMemory;
  private start = 0;
  private size = 0;

  constructor(memory: KernelMemory) {
    this.memory = memory;
  }

  /** The offset of a new section. The sheet may move: what has an offset is where {@link at} says, until the next is taken. */
  take(bytes: number): number {
    const offset = this.used;
    this.used += 8 * Math.ceil(bytes / 8);
    if (this.used > this.size) {
      this.size = 2 ** Math.ceil(Math.log2(Math.max(1 << 16, this.used)));
      const more = this.memory.allocate(this.size);
      this.memory.bytes.copyWithin(more, this.start, this.start + offset);
      this.start = more;
    }
    return offset;
  }

  at(offset: number): number {
    return this.start + offset;
  }

  /** All of it, as it lies. */
  get bytes(): Uint8Array {
    return this.memory.bytes.subarray(this.start, this.start + this.used);
  }
}
