/** The kernels that take groups out of tables for files, and back; see {@link Kernels}. */
export interface SpillKernels {
  gatherLanes(refs: number, n: number, from: number, size: number, out: number): void;
  scatterLanes(lanes: number, n: number, size: number, records: number, stride: number): void;
  renumberCodes(at: number, stride: number, n: number, map: number, list: number, count: number): number;
  forgetCodes(map: number, list: number, count: number): void;
  listedBytes(pool: number, list: number, count: number): bigint;
  packListed(pool: number, list: number, count: number, lengths: number, bytes: number): void;
  spansOf(lengths: number, count: number, bytes: number, spans: number): void;
  replaceCodes(at: number, stride: number, n: number, codes: number, table: number): void;
  packWides(refs: number, n: number, grids: number, out: number): number;
  layWides(
    wides: number,
    from: number,
    count: number,
    wideList: number,
    first: number,
    grids: number,
    table: number,
  ): number;
  listHeavy(table: number, least: bigint, out: number): number;
  numberTickets(tickets: number, stride: number, n: number, first: number): void;
  dropTickets(tickets: number, stride: number, n: number, ranges: number, low: number, high: number): void;
  placesToTickets(places: number, n: number, first: number): void;
  keepLogged(tickets: number, words: number, n: number, ranges: number, low: number, high: number): number;
}
