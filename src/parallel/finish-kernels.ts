/** The kernels that write output columns; see {@link Kernels}. */
export interface FinishKernels {
  finishCounts(refs: number, n: number, rows: number, nulls: number, out: number): void;
  finishBest(
    refs: number,
    n: number,
    lane: number,
    rows: number,
    nulls: number,
    most: number,
    flip: bigint,
    out: number,
    ends: number,
  ): number;
  finishValidity(
    refs: number,
    n: number,
    rows: number,
    nulls: number,
    least: bigint,
    validity: number,
  ): number;
  finishSum(refs: number, n: number, low: number, high: number, out: number): number;
  finishFloatSum(refs: number, n: number, lane: number, grid: number, grids: number, out: number): void;
  finishFloatMean(
    refs: number,
    n: number,
    lane: number,
    grid: number,
    grids: number,
    rows: number,
    nulls: number,
    out: number,
    open: number,
  ): number;
  finishMean(
    refs: number,
    n: number,
    low: number,
    high: number,
    unsigned: number,
    rows: number,
    nulls: number,
    out: number,
    open: number,
  ): number;
  finishWords(
    refs: number,
    n: number,
    lane: number,
    rows: number,
    nulls: number,
    flip: bigint,
    zero: bigint,
    out: number,
  ): void;
  finishTexts(refs: number, n: number, lane: number, pool: number, entries: number): bigint;
  keyTexts(refs: number, n: number, codes: number, pool: number, entries: number): bigint;
  writeTexts(
    entries: number,
    n: number,
    offsets: number,
    width: number,
    bytes: number,
    validity: number,
  ): number;
  writeFixed(
    entries: number,
    n: number,
    width: number,
    decimal: number,
    out: number,
    validity: number,
  ): number;
  writeViews(
    entries: number,
    n: number,
    views: number,
    bytes: number,
    validity: number,
    used: number,
  ): number;
}
