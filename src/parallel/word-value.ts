import { ENTRY_BYTES, ENTRY_LENGTH, KIND_BIT, KIND_I64 } from './kernels/layout.js';
import type { KernelMemory } from './memory.js';
import { isFloat } from './storage.js';

const MIDDLE = 1n << 63n;
const scratch = new DataView(new ArrayBuffer(8));

/** The number that an encoded word stands for: the inverse of `encode` among the kernels. Bits are 0 and 1. */
export function valueOfWord(kind: number, word: bigint): number | bigint {
  if (isFloat(kind)) {
    scratch.setBigUint64(0, word >= MIDDLE ? word ^ MIDDLE : BigInt.asUintN(64, ~word));
    return scratch.getFloat64(0);
  }
  return kind <= KIND_I64 ? word - MIDDLE : word;
}

/** The number that 8 bytes of a widened column are: the inverse of `widen`. */
export function rawValue(kind: number, view: DataView, at: number): number | bigint {
  if (isFloat(kind)) return view.getFloat64(at, true);
  return kind <= KIND_I64 || kind === KIND_BIT ? view.getBigInt64(at, true) : view.getBigUint64(at, true);
}

/** The decimal that an entry of a text pool stands for: the inverse of `toOrderBytes`. */
export function valueOfEntry(memory: KernelMemory, entry: number): bigint {
  const at = memory.words[(entry + ENTRY_BYTES) / 4];
  const length = memory.words[(entry + ENTRY_LENGTH) / 4];
  let value = 0n;
  for (let byte = 0; byte < length; byte++) value = (value << 8n) | BigInt(memory.bytes[at + byte]);
  return value - (1n << BigInt(8 * length - 1));
}
