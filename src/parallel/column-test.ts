import type { Block } from './block.js';
import type { Dictionary } from './dictionary.js';
import type { Test, WordRange } from './filter.js';
import {
  BLOCK,
  ENTRY_BYTES,
  ENTRY_HEAD,
  ENTRY_LENGTH,
  ENTRY_SIZE,
  RANGE_LEAST,
  RANGE_SIZE,
  RANGE_SPAN,
} from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { ColumnProgram } from './program.js';
import type { Storage } from './storage.js';

/** Values that a test looks at; all are addresses, or the first bit from one on. */
interface Values {
  readonly source: number;
  readonly valueBit: number;
  readonly spans: number;
  readonly validity: number;
  readonly bit: number;
}

/** A test of one column: of its values or, once for each dictionary, of the entries that its codes stand for. */
export class ColumnTest {
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly storage: Storage;
  private readonly test: Test;
  private readonly column: number;
  /** Ranges or bounds, where the kernels read them. */
  private readonly operands: number;
  private readonly wide: number;
  private readonly valid: number;
  /** Bits of the entries of a dictionary, and which one it is. */
  private entries = 0;
  private room = 0;
  private version = -1;

  constructor(memory: KernelMemory, kernels: Kernels, { storage }: ColumnProgram, test: Test) {
    this.memory = memory;
    this.kernels = kernels;
    this.storage = storage;
    this.test = test;
    this.column = test.column;
    this.operands =
      test.kind === 'words'
        ? writeRanges(memory, test.ranges)
        : test.kind === 'texts'
          ? writeBounds(memory, kernels, test.bounds)
          : 0;
    this.wide = memory.allocate(8 * BLOCK);
    this.valid = memory.allocate(BLOCK / 8);
  }

  /** Sets the bits at `out` of the block's rows that pass. */
  run(block: Block, out: number): void {
    const { kernels, column } = this;
    const { n } = block;
    const validity = block.validity[column];
    const bit = block.bit[column];
    const dictionary = block.dictionaries[column];
    if (dictionary !== undefined) {
      this.take(dictionary);
      const nulls = this.test.kind === 'nulls' ? 1n : 0n;
      kernels.testCodes(block.codes(column), validity, bit, this.entries, nulls, out, n);
      return;
    }
    const spans = block.spans[column]?.at ?? 0;
    const values = { source: block.source[column], valueBit: block.valueBit[column], spans, validity, bit };
    this.testValues(values, out, n);
  }

  /** Tests the entries of a dictionary, where it is another than before. */
  private take({ version, entries, size, spans }: Dictionary): void {
    if (this.version === version || entries === undefined) return;
    this.version = version;
    if (this.room < size || this.entries === 0) {
      this.room = Math.max(BLOCK, 2 * size);
      this.entries = this.memory.allocate(this.room / 8 + 8);
    }
    const { values, valueBit, validity, bit } = entries;
    for (let row = 0; row < size; row += BLOCK) {
      const n = Math.min(BLOCK, size - row);
      if (this.test.kind === 'texts') spans?.locate(entries, row, n);
      const source = values + this.storage.width * row;
      this.testValues(
        { source, valueBit: valueBit + row, spans: spans?.at ?? 0, validity, bit: bit + row },
        this.entries + row / 8,
        n,
      );
    }
  }

  private testValues({ source, valueBit, spans, validity, bit }: Values, out: number, n: number): void {
    const { kernels, storage, test, operands } = this;
    if (test.kind === 'texts') {
      kernels.testTexts(spans, operands, test.bounds.length, test.wanted, out, n);
    } else if (test.kind !== 'words') {
      kernels.copyBits(validity, bit, test.kind === 'nulls' ? 1 : 0, out, n);
    } else if (storage.shape === 'number') {
      let wide = source;
      if (storage.width !== 8) {
        wide = this.wide;
        kernels.widen(storage.kind, source, valueBit, wide, n);
      }
      kernels.testWords(storage.kind, wide, operands, test.ranges.length, out, n);
      if (validity === 0) return;
      kernels.copyBits(validity, bit, 0, this.valid, n);
      kernels.joinBits(out, this.valid, 0, n);
    }
  }
}

function writeRanges(memory: KernelMemory, ranges: readonly WordRange[]): number {
  const at = memory.allocate(RANGE_SIZE * ranges.length);
  const view = new DataView(memory.bytes.buffer, at);
  ranges.forEach(({ least, most }, r) => {
    view.setBigUint64(RANGE_SIZE * r + RANGE_LEAST, least, true);
    view.setBigUint64(RANGE_SIZE * r + RANGE_SPAN, most - least, true);
  });
  return at;
}

function writeBounds(memory: KernelMemory, kernels: Kernels, bounds: readonly Uint8Array[]): number {
  const at = memory.allocate(ENTRY_SIZE * bounds.length);
  const view = new DataView(memory.bytes.buffer, at);
  bounds.forEach((bytes, b) => {
    const text = memory.allocate(bytes.length);
    memory.bytes.set(bytes, text);
    view.setBigUint64(
      ENTRY_SIZE * b + ENTRY_HEAD,
      BigInt.asUintN(64, kernels.orderWord(text, bytes.length)),
      true,
    );
    view.setUint32(ENTRY_SIZE * b + ENTRY_BYTES, text, true);
    view.setUint32(ENTRY_SIZE * b + ENTRY_LENGTH, bytes.length, true);
  });
  return at;
}
