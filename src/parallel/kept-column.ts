import type { ColumnBuilder, Range } from './builder.js';
import { bytesOf, NumberColumn, nullColumn } from './number-column.js';
import type { OutputProgram } from './program.js';
import { ALL_ONES, flipOf } from './states.js';
import { type BytesStorage, storageOf, widthOf, zeroWord } from './storage.js';
import { TextColumn } from './text-column.js';

/** The column of an aggregate that keeps what one row of each group has. */
export function keptColumn(range: Range, { type, state }: OutputProgram): ColumnBuilder {
  if (type.kind === 'null') return nullColumn(range);
  const { layout, program } = range;
  const { kind, lane, column, second } = program.states[state];
  // of two columns, the place stands behind the best value, and the earliest row wins
  const place = 8 * layout.words + lane + (second < 0 ? 0 : 8);
  const earliest = second < 0 ? flipOf(kind) : ALL_ONES;
  const storage = storageOf(type);
  return storage.shape === 'number'
    ? new KeptNumber(range, place, earliest, storage.kind)
    : new KeptText(range, place, earliest, storage, program.columns[column].pool);
}

class KeptNumber extends NumberColumn {
  constructor(
    range: Range,
    private readonly place: number,
    private readonly earliest: bigint,
    private readonly kind: number,
  ) {
    super(range, widthOf(kind));
  }

  build(refs: number, row: number, n: number): void {
    const { kernels, words } = this.range;
    const { place, earliest, kind } = this;
    this.nulls += kernels.finishKept(
      refs,
      n,
      place,
      earliest,
      zeroWord(kind),
      words,
      this.validity + row / 8,
    );
    kernels.decode(kind, words, this.values + bytesOf(kind, row), n);
  }
}

class KeptText extends TextColumn {
  constructor(
    range: Range,
    private readonly place: number,
    private readonly earliest: bigint,
    storage: BytesStorage,
    private readonly pool: number,
  ) {
    super(range, storage);
  }

  protected find(refs: number, n: number, entries: number): bigint {
    return this.range.kernels.finishKeptTexts(refs, n, this.place, this.earliest, this.pool, entries);
  }
}
