import {
  DENSE,
  REF_RECORD,
  REF_SIZE,
  REF_TABLE,
  TABLE_GROUPS,
  TABLE_KIND,
  TABLE_RECORDS,
  TABLE_ROWS,
  TABLE_STRIDE,
  TABLE_WIDES,
  TABLE_WORDS,
} from './layout';

/** Lists the groups of a table, in the order of their ids, from id `from` on: those with rows. Returns the id after the last one looked at. */
export function listGroups(table: usize, from: u32, most: i32, refs: usize, listed: usize): u32 {
  const records = <usize>load<u32>(table, TABLE_RECORDS);
  const stride = load<u32>(table, TABLE_STRIDE);
  const rows = load<u32>(table, TABLE_ROWS);
  const groups = load<u32>(table, TABLE_GROUPS);
  let count = 0;
  let id = from;
  for (; id < groups && count < most; id++) {
    const record = records + <usize>id * stride;
    if (load<u64>(record + rows) == 0) continue;
    const ref = refs + <usize>count * REF_SIZE;
    store<u32>(ref, <u32>record, REF_RECORD);
    store<u32>(ref, <u32>table, REF_TABLE);
    count++;
  }
  store<u32>(listed, count);
  return id;
}

/** Copies the states from the records of `refs`, of a table with `fromWords` key words, into the records at `offsets`. */
export function moveStates(
  table: usize,
  offsets: usize,
  refs: usize,
  n: i32,
  fromWords: u32,
  grids: u32,
): void {
  const start = <usize>load<u32>(table, TABLE_RECORDS);
  const words = load<u32>(table, TABLE_WORDS) << 3;
  const stride = load<u32>(table, TABLE_STRIDE);
  const wides = <usize>load<u32>(table, TABLE_WIDES);
  for (let i = 0; i < n; i++) {
    const ref = refs + <usize>i * REF_SIZE;
    const record = <usize>load<u32>(ref, REF_RECORD);
    const offset = load<u32>(offsets + ((<usize>i) << 2));
    memory.copy(start + offset + words, record + ((<usize>fromWords) << 3), stride - words);
    if (wides == 0) continue;
    const into = wides + ((<usize>(offset / stride) * grids) << 2);
    memory.copy(into, wideSlot(<usize>load<u32>(ref, REF_TABLE), record, 0, grids), (<usize>grids) << 2);
  }
}

/** Where the address of a record's wide sum number `grid` stands; 0 where the table has none. */
export function wideSlot(table: usize, record: usize, grid: u32, grids: u32): usize {
  const wides = <usize>load<u32>(table, TABLE_WIDES);
  if (wides == 0) return 0;
  const id = (<u32>record - load<u32>(table, TABLE_RECORDS)) / load<u32>(table, TABLE_STRIDE);
  return wides + ((<usize>(id * grids + grid)) << 2);
}

/** How many groups a table holds: of a counting table, the slots in use. */
export function countGroups(table: usize): u32 {
  const groups = load<u32>(table, TABLE_GROUPS);
  if (load<u32>(table, TABLE_KIND) != DENSE) return groups;
  const stride = load<u32>(table, TABLE_STRIDE);
  let rows = <usize>load<u32>(table, TABLE_RECORDS) + load<u32>(table, TABLE_ROWS);
  let count: u32 = 0;
  for (let id: u32 = 0; id < groups; id++, rows += stride) if (load<u64>(rows) != 0) count++;
  return count;
}
