import { readFile } from 'node:fs/promises';
import type { FinishKernels } from './finish-kernels.js';
import type { GatherKernels } from './gather-kernels.js';
import type { SpillKernels } from './spill-kernels.js';

/**
 * The compiled kernels. An address is a byte offset in kernel memory; the sources in `kernels/` say what each does.
 * 64-bit arguments are bigints.
 */
export interface Kernels extends FinishKernels, GatherKernels, SpillKernels {
  widen(kind: number, source: number, bit: number, out: number, n: number): void;
  zeroNulls(values: number, validity: number, bit: number, n: number): number;
  encode(kind: number, wide: number, out: number, n: number): void;
  decode(kind: number, words: number, out: number, n: number): void;
  extent(words: number, validity: number, bit: number, n: number, out: number): number;
  bucketWords(
    words: number,
    validity: number,
    bit: number,
    from: number,
    n: number,
    pieces: number,
    count: number,
    out: number,
    wrongs: number,
  ): number;
  bucketFloats(
    kind: number,
    values: number,
    validity: number,
    bit: number,
    n: number,
    width: number,
    offset: number,
    out: number,
    wrongs: number,
  ): void;
  takeSteps(words: number, validity: number, n: number, first: bigint, step: bigint, zero: bigint): void;
  gather(codes: number, validity: number, bit: number, table: number, out: number, n: number): void;
  toOrderBytes(source: number, width: number, out: number, n: number): void;
  lookUp(
    codes: number,
    validity: number,
    bit: number,
    entries: number,
    width: number,
    entryBit: number,
    entryValidity: number,
    entryValidityBit: number,
    out: number,
    outBits: number,
    n: number,
  ): void;
  pack(
    field: number,
    kind: number,
    source: number,
    validity: number,
    bit: number,
    words: number,
    stride: number,
    n: number,
  ): number;
  unpack(field: number, refs: number, n: number, zero: bigint, out: number, validity: number): number;
  placeDense(table: number, field: number, kind: number, source: number, offsets: number, n: number): number;
  headsOf(words: number, n: number, heads: number): number;
  spreadHeads(words: number, n: number, from: number, offsets: number): void;
  probeDense(table: number, words: number, offsets: number, n: number): void;
  probe(table: number, words: number, wordStride: number, offsets: number, n: number, room: number): number;
  countRows(table: number, offsets: number, n: number, period: number, due: number): void;
  countNarrow(table: number, lane: number, offsets: number, kind: number, source: number, n: number): void;
  countSigned(table: number, lane: number, offsets: number, values: number, n: number): void;
  countFloat(
    table: number,
    lane: number,
    offsets: number,
    values: number,
    n: number,
    sigma: number,
    low: number,
    high: number,
    period: number,
    due: number,
  ): number;
  rehash(table: number): void;
  countGroups(table: number): number;
  countNulls(lane: number, offsets: number, validity: number, bit: number, n: number): void;
  countZeros(lane: number, offsets: number, codes: number, n: number): void;
  listGroups(table: number, from: number, most: number, refs: number, listed: number): number;
  moveStates(table: number, offsets: number, refs: number, n: number, fromWords: number, grids: number): void;
  wideSlot(table: number, record: number, grid: number, grids: number): number;
  sumNarrow(lane: number, offsets: number, kind: number, values: number, n: number): void;
  sumSigned(lane: number, offsets: number, values: number, n: number): void;
  sumUnsigned(lane: number, offsets: number, values: number, n: number): void;
  sumWords(
    lane: number,
    offsets: number,
    values: number,
    words: number,
    validity: number,
    bit: number,
    n: number,
  ): void;
  sumFloat(
    table: number,
    offset: number,
    grid: number,
    grids: number,
    offsets: number,
    values: number,
    n: number,
    sigma: number,
    low: number,
    high: number,
    fineSigma: number,
    room: number,
  ): number;
  flushFloat(table: number, offset: number, grid: number, grids: number, due: number, n: number): number;
  maxWord(
    lane: number,
    offsets: number,
    kind: number,
    values: number,
    flip: bigint,
    validity: number,
    bit: number,
    n: number,
  ): void;
  keepBest(
    lane: number,
    offsets: number,
    words: number,
    flip: bigint,
    validity: number,
    bit: number,
    most: number,
    n: number,
  ): void;
  maxText(
    lane: number,
    offsets: number,
    codes: number,
    table: number,
    pool: number,
    least: number,
    n: number,
  ): void;
  locate(
    form: number,
    width: number,
    source: number,
    data: number,
    low: bigint,
    high: bigint,
    validity: number,
    bit: number,
    out: number,
    n: number,
  ): number;
  orderWord(at: number, left: number): bigint;
  lookUpNear(pool: number, spans: number, codes: number, n: number, missed: number): number;
  lookUpFar(pool: number, spans: number, codes: number, n: number, missed: number): number;
  searchTexts(
    pool: number,
    spans: number,
    codes: number,
    n: number,
    need: number,
    missed: number,
    count: number,
  ): number;
  viewRanges(views: number, validity: number, bit: number, n: number, buffers: number, count: number): number;
  rehashPool(pool: number): void;
  sample(table: number, segments: number, samples: number, refs: number): number;
  assign(
    table: number,
    segments: number,
    segmentCount: number,
    pivots: number,
    pivotCount: number,
    refs: number,
    ranges: number,
    counts: number,
  ): number;
  scatter(refs: number, ranges: number, n: number, cursors: number, out: number): void;
  sort(refs: number, spare: number, n: number, segments: number, count: number, histogram: number): void;
  mergeRefs(
    refs: number,
    n: number,
    merges: number,
    mergeCount: number,
    homes: number,
    piece: number,
  ): number;
  mergeDense(
    tables: number,
    tableCount: number,
    from: number,
    to: number,
    refs: number,
    merges: number,
    mergeCount: number,
    homes: number,
    piece: number,
  ): number;
  mergeGroups(
    table: number,
    offsets: number,
    refs: number,
    from: number,
    n: number,
    fromWords: number,
    merges: number,
    mergeCount: number,
    period: number,
  ): number;
  mapGroups(table: number, offsets: number, refs: number, n: number, map: number): void;
  followMap(ids: number, map: number, n: number, out: number): void;
  distinctRefs(refs: number, n: number): number;
  touchRefs(refs: number, n: number, size: number): void;
  countPartials(refs: number, n: number): number;
  copyBits(bits: number, bit: number, flip: number, out: number, n: number): void;
  joinBits(into: number, from: number, either: number, n: number): void;
  listBits(bits: number, n: number, out: number): number;
  pickBits(bits: number, bit: number, picks: number, count: number, out: number): void;
  pickValues(source: number, width: number, picks: number, count: number, out: number): void;
  testWords(kind: number, wide: number, ranges: number, count: number, out: number, n: number): void;
  testTexts(spans: number, bounds: number, count: number, wanted: number, out: number, n: number): void;
  testCodes(
    codes: number,
    validity: number,
    bit: number,
    entries: number,
    nulls: bigint,
    out: number,
    n: number,
  ): void;
  checkCodes(codes: number, validity: number, bit: number, size: bigint, n: number): number;
  restrictOffsets(offsets: number, bits: number, spare: number, n: number, out: number): void;
  putWords(words: number, flip: bigint, records: number, stride: number, n: number): void;
  putNulls(validity: number, bit: number, first: number, records: number, stride: number, n: number): void;
  listRefs(
    records: number,
    stride: number,
    n: number,
    table: number,
    segment: number,
    most: bigint,
    refs: number,
  ): number;
  renewRefs(refs: number, n: number, segment: number): bigint;
  listRecords(refs: number, n: number, records: number, stride: number, out: number): void;
  countInto(lane: number, offsets: number, n: number): void;
  wideIn(refs: number, i: number, grid: number, grids: number): number;
  wideAdd(wide: number, x: number): void;
  wideMerge(wide: number, other: number): void;
  wideRound(wide: number): number;
}

/** Compiles the kernels; once an engine, for all its workers. */
export async function compileKernels(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL('./kernels.wasm', import.meta.url)));
}

export function instantiateKernels(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  const imports = { env: { memory, abort: () => undefined } };
  return new WebAssembly.Instance(module, imports).exports as unknown as Kernels;
}
