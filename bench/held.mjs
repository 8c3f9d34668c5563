/** A table as an engine takes it when a measurement begins: in the engine's own memory, as a rival's is in its own. */
export async function held(engine, table) {
  if (engine.hold === undefined) return table;
  return (await engine.hold(table)).table;
}
