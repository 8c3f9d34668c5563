import type { Table } from 'apache-arrow';

/** A table in the memory of an engine. */
export interface HeldTable {
  readonly table: Table;
  /** Gives its memory back; it must not be read any more. Later calls do nothing. */
  release(): void;
}
