/** Rows that one worker logged, of one morsel: the tickets of their groups (u32 each) and their words. Addresses. */
export interface Logged {
  /** Index into the program's gathers. */
  readonly gather: number;
  /** The morsel's place in the order of all rows. */
  readonly place: bigint;
  readonly tickets: number;
  readonly words: number;
  readonly rows: number;
}

export interface Piece {
  /** Address of refs. */
  readonly at: number;
  readonly length: number;
}
