import type { KernelMemory } from './memory.js';

const EMPTY = 0;
const WRITING = 1;
const WRITTEN = 2;

/** Bytes of a board that takes a value of `fields` numbers. */
export function boardSize(fields: number): number {
  return 64 + 512 * (fields + 1);
}

/**
 * One value that the tasks of a run agree on without waiting for each other: the first to offer one writes it, and who
 * comes later takes that instead of its own. Who comes while it is being written keeps its own, which is right as well.
 */
export function agree<T>(memory: KernelMemory, at: number, own: T): T {
  const state = new Int32Array(memory.bytes.buffer, at, 2);
  const before = Atomics.compareExchange(state, 0, EMPTY, WRITING);
  if (before === WRITING) return own;
  if (before === WRITTEN) {
    const text = memory.bytes.slice(at + 8, at + 8 + state[1]);
    return JSON.parse(new TextDecoder().decode(text), (_, value) =>
      isBig(value) ? BigInt(value.big) : value,
    ) as T;
  }
  const text = new TextEncoder().encode(
    JSON.stringify(own, (_, value) => (typeof value === 'bigint' ? { big: String(value) } : value)),
  );
  memory.bytes.set(text, at + 8);
  state[1] = text.length;
  Atomics.store(state, 0, WRITTEN);
  return own;
}

function isBig(value: unknown): value is { readonly big: string } {
  return typeof value === 'object' && value !== null && 'big' in value;
}
