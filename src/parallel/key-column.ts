import type { ColumnBuilder, Range } from './builder.js';
import { BLOCK, FIELD_SIZE } from './kernels/layout.js';
import type { KeySteps } from './key-steps.js';
import { bytesOf, NumberColumn, nullColumn } from './number-column.js';
import { type BytesStorage, storageOf, widthOf, zeroWord } from './storage.js';
import { TextColumn } from './text-column.js';

export function keyColumn(range: Range, k: number): ColumnBuilder {
  const type = range.program.keyTypes[k];
  if (type.kind === 'null') return nullColumn(range);
  const storage = storageOf(type);
  if (storage.shape === 'bytes') return new TextKey(range, k, storage);
  return new NumberKey(range, k, storage.kind);
}

class NumberKey extends NumberColumn {
  private readonly field: number;
  private readonly kind: number;
  private readonly steps: KeySteps | undefined;

  constructor(range: Range, k: number, kind: number) {
    super(range, widthOf(kind));
    this.kind = kind;
    this.steps = range.program.keys[k].steps;
    this.field = range.fields + k * FIELD_SIZE;
  }

  build(refs: number, row: number, n: number): void {
    const { kernels, words } = this.range;
    const zero = zeroWord(this.kind);
    const validity = this.validity + row / 8;
    this.nulls += kernels.unpack(this.field, refs, n, zero, words, validity);
    if (this.steps !== undefined) {
      kernels.takeSteps(words, validity, n, this.steps.first, this.steps.step, zero);
    }
    kernels.decode(this.kind, words, this.values + bytesOf(this.kind, row), n);
  }
}

class TextKey extends TextColumn {
  private readonly field: number;
  private readonly pool: number;
  private readonly validity: number;

  constructor(range: Range, k: number, storage: BytesStorage) {
    super(range, storage);
    this.field = range.fields + k * FIELD_SIZE;
    this.pool = range.program.columns[range.program.keys[k].column].pool;
    this.validity = range.memory.allocate(BLOCK / 8);
  }

  protected find(refs: number, n: number, entries: number): bigint {
    const { kernels, words } = this.range;
    kernels.unpack(this.field, refs, n, 0n, words, this.validity);
    return kernels.keyTexts(refs, n, words, this.pool, entries);
  }
}
