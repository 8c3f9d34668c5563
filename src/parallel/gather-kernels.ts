/** The kernels of rows that are kept, of moments, and of values that are gathered by group; see {@link Kernels}. */
export interface GatherKernels {
  encodeExact(wide: number, out: number, n: number): void;
  keepRow(
    lane: number,
    offsets: number,
    words: number,
    table: number,
    validity: number,
    bit: number,
    place: bigint,
    earliest: bigint,
    skipNulls: number,
    n: number,
  ): void;
  keepBy(
    lane: number,
    offsets: number,
    by: number,
    byValidity: number,
    byBit: number,
    flip: bigint,
    words: number,
    table: number,
    validity: number,
    bit: number,
    place: bigint,
    n: number,
  ): void;
  keepByText(
    lane: number,
    offsets: number,
    by: number,
    byTable: number,
    byPool: number,
    least: number,
    words: number,
    table: number,
    validity: number,
    bit: number,
    place: bigint,
    n: number,
  ): void;
  finishKept(
    refs: number,
    n: number,
    lane: number,
    earliest: bigint,
    zero: bigint,
    out: number,
    validity: number,
  ): number;
  finishKeptTexts(
    refs: number,
    n: number,
    lane: number,
    earliest: bigint,
    pool: number,
    entries: number,
  ): bigint;
  floatSteps(values: number, step: number, n: number, out: number): void;
  unsignedSteps(values: number, n: number, out: number): void;
  addMoments(lane: number, offsets: number, steps: number, n: number, listed: number): number;
  addMomentsApart(
    lane: number,
    offsets: number,
    values: number,
    form: number,
    low: number,
    listed: number,
    count: number,
  ): number;
  addNarrow(lane: number, offsets: number, values: number, n: number): void;
  addNarrowPairs(lane: number, offsets: number, xs: number, ys: number, n: number): void;
  addPairs(
    lane: number,
    offsets: number,
    xs: number,
    ys: number,
    squares: number,
    n: number,
    listed: number,
  ): number;
  addPairsApart(
    lane: number,
    offsets: number,
    xs: number,
    xForm: number,
    xUnit: number,
    ys: number,
    yForm: number,
    yUnit: number,
    squares: number,
    listed: number,
    count: number,
  ): number;
  bothValid(a: number, aBit: number, b: number, bBit: number, n: number, out: number, room: number): void;
  settleMoments(table: number, lane: number, paired: number, squares: number): void;
  validCodes(codes: number, n: number, out: number): void;
  finishVariance(
    refs: number,
    n: number,
    lane: number,
    rows: number,
    nulls: number,
    rest: number,
    population: number,
    root: number,
    scale: number,
    out: number,
    open: number,
    room: number,
  ): number;
  finishCovariance(
    refs: number,
    n: number,
    lane: number,
    rows: number,
    nulls: number,
    rest: number,
    correlation: number,
    scale: number,
    out: number,
    open: number,
    room: number,
    validity: number,
    dropped: number,
  ): number;
  listFresh(
    table: number,
    ticket: number,
    offsets: number,
    words: number,
    coded: number,
    validity: number,
    bit: number,
    picks: number,
    n: number,
    seen: number,
    mask: number,
    out: number,
  ): number;
  logRows(
    table: number,
    ticket: number,
    offsets: number,
    spare: number,
    words: number,
    coded: number,
    validity: number,
    bit: number,
    both: number,
    keepNulls: number,
    picks: number,
    n: number,
    tickets: number,
    out: number,
  ): number;
  homesOfTickets(
    folded: number,
    ticket: number,
    map: number,
    table: number,
    bases: number,
    bounds: number,
    boundCount: number,
    out: number,
  ): void;
  partRows(
    homes: number,
    tickets: number,
    words: number,
    n: number,
    ranges: number,
    ends: number,
    places: number,
    out: number,
    meanings: number,
    pool: number,
  ): void;
  countPlaces(places: number, n: number, counts: number): void;
  startPlaces(counts: number, groups: number): number;
  placeRows(places: number, words: number, n: number, cursors: number, out: number, nulls: number): void;
  bitsOfNulls(nulls: number, words: number, n: number, zero: bigint, validity: number): number;
  sumRows(refs: number, n: number, rows: number): bigint;
  groupsWithRows(refs: number, n: number, rows: number, wanted: bigint): number;
  validGroups(starts: number, n: number, validity: number): number;
  countDistinct(
    words: number,
    starts: number,
    n: number,
    out: number,
    spare: number,
    histogram: number,
  ): void;
  modes(
    words: number,
    starts: number,
    n: number,
    none: bigint,
    out: number,
    spare: number,
    histogram: number,
  ): void;
  quantiles(
    words: number,
    starts: number,
    n: number,
    p: number,
    which: number,
    none: bigint,
    out: number,
    above: number,
    fractions: number,
    spare: number,
    histogram: number,
  ): void;
  bestWords(
    words: number,
    starts: number,
    n: number,
    most: number,
    greatest: number,
    out: number,
    ends: number,
    spare: number,
    histogram: number,
  ): number;
  listTexts(table: number, pool: number, codes: number, refs: number): number;
  rankTexts(refs: number, n: number, pool: number, entries: number): number;
  entriesOf(words: number, n: number, entriesOfRanks: number, out: number): bigint;
  joinedBytes(words: number, starts: number, n: number, separator: number): bigint;
  joinTexts(
    words: number,
    starts: number,
    n: number,
    separator: number,
    length: number,
    out: number,
    offsets: number,
  ): void;
}
