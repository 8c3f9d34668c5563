import { open as openOrdered } from './duckdb.mjs';

/** DuckDB where it may take rows in any order: first, last, list and join are less work then, and not the same answer. */
export function open(threads) {
  return openOrdered(threads, false);
}
