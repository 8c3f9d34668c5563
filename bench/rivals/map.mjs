import { columnsOf, mapLoop } from '../map-loop.mjs';

/** A plain loop with a Map, on one thread: what a program does without any library but apache-arrow. */
export async function open() {
  let rows;
  let keys;
  return {
    name: 'Map loop',
    timed: 'get(row), a Map and a sort, 1 thread',
    async load(table, { by }) {
      rows = table;
      keys = by;
    },
    async run() {
      mapLoop(rows, keys);
    },
    async fetch() {
      return columnsOf(mapLoop(rows, keys), keys.length);
    },
    async close() {},
  };
}
