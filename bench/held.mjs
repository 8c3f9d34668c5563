/**
 * A table as an engine takes it when a measurement begins: in memory that its workers read where it lies, a morsel at
 * a time. The one place to ask an engine to hold the table in memory of its own.
 */
export async function held(_engine, table) {
  return table;
}
