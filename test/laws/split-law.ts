import assert from 'node:assert/strict';
import { Table } from 'apache-arrow';
import { type Aggregation, type Aggregator, count, type Query } from 'rangefold';
import type { Cell } from '../support/cell.js';
import { batchOf, type ColumnNotation, dataOf } from '../support/notation.js';
import type { Random } from '../support/random.js';

/** Rows of a morsel in these tests: few, so that a small input reaches every worker. */
export const MORSEL = 4;

/** Groups, by their place in the order of keys, in the order in which each worker meets them. */
export type Queues = readonly (readonly number[])[];

/** An order of `groups` groups in the eyes of `workers` workers that makes a sampled split hard. */
export type Pattern = (groups: number, workers: number, random: Random) => Queues;

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Deals a list to the workers in stretches. */
function dealt(list: readonly number[], workers: number): Queues {
  const share = Math.ceil(list.length / workers);
  return upTo(workers).map((w) => list.slice(w * share, (w + 1) * share));
}

/** Every `stride`th group of those met is from the lowest region of keys, whatever the phase. */
const strided =
  (stride: number, phase: number): Pattern =>
  (groups, workers, random) => {
    const few = Math.floor(groups / stride);
    const low = random.shuffled(upTo(few));
    const high = random.shuffled(upTo(groups - few).map((i) => few + i));
    const list: number[] = [];
    for (let i = 0; i < groups; i++) {
      const next = i % stride === phase ? (low.pop() ?? high.pop()) : (high.pop() ?? low.pop());
      if (next !== undefined) list.push(next);
    }
    return dealt(list, workers);
  };

/** A share of all groups, the lowest, stands on every worker; each of the others on one. */
const partlyEverywhere =
  (share: number): Pattern =>
  (groups, workers, random) => {
    const common = Math.floor(groups * share);
    const own = dealt(random.shuffled(upTo(groups - common).map((i) => common + i)), workers);
    return own.map((list) => random.shuffled([...upTo(common), ...list]));
  };

export const PATTERNS: Readonly<Record<string, Pattern>> = {
  sorted: (groups, workers) => dealt(upTo(groups), workers),
  reversed: (groups, workers) => dealt(upTo(groups).toReversed(), workers),
  shuffled: (groups, workers, random) => dealt(random.shuffled(upTo(groups)), workers),
  'all on every worker': (groups, workers, random) => upTo(workers).map(() => random.shuffled(upTo(groups))),
  'all on one worker, one on the others': (groups, workers, random) =>
    upTo(workers).map((w) => (w === 0 ? random.shuffled(upTo(groups)) : [random.below(groups)])),
  'every 2nd the lowest': strided(2, 0),
  'every 3rd the lowest': strided(3, 1),
  'every 8th the lowest': strided(8, 0),
  'every 16th the lowest': strided(16, 15),
  'a tenth everywhere': partlyEverywhere(0.1),
  'half everywhere': partlyEverywhere(0.5),
  'nine tenths everywhere': partlyEverywhere(0.9),
};

/** The groups row by row, so that static dealing gives each worker its queue; short queues are filled up with repeats. */
export function rowsOf(queues: Queues): number[] {
  const full = queues.map((queue) => (queue.length === 0 ? [0] : queue));
  const morsels = Math.max(...full.map((queue) => Math.ceil(queue.length / MORSEL)));
  return upTo(morsels * full.length * MORSEL).map((row) => {
    const morsel = Math.floor(row / MORSEL);
    const queue = full[morsel % full.length];
    const place = Math.floor(morsel / full.length) * MORSEL + (row % MORSEL);
    return queue[place % queue.length];
  });
}

/** Key columns of groups, of which each is given by its place in the order of keys. */
export type Keys = (groups: readonly number[]) => Readonly<Record<string, ColumnNotation>>;

const digits = (n: number): string => String(n).padStart(6, '0');

const one =
  (type: string, cell: (group: number) => Cell): Keys =>
  (groups) => ({ k: { type, values: groups.map(cell) } });

export const KEYS: Readonly<Record<string, Keys>> = {
  'wide integers': one('i64', (n) => `${n * 1_000_003 - 5e11}`),
  'neighbouring integers': one('u16', (n) => n),
  'integers that grow apart': one('i32', (n) => n * n),
  floats: one('f64', (n) => (n - 100) / 7),
  'short texts': one('utf8', digits),
  'texts with a long beginning': one('utf8', (n) => `${'the same for all '.repeat(4)}${digits(n)}`),
  'two keys': (groups) => ({
    k: { type: 'i64', values: groups.map((n) => Math.floor(n / 10)) },
    l: { type: 'utf8', values: groups.map((n) => String(n % 10)) },
  }),
};

export function inputOf(keys: Keys, queues: Queues): { readonly input: Table; readonly query: Query } {
  const columns = Object.entries(keys(rowsOf(queues)));
  return {
    input: new Table([batchOf(columns.map(([name, column]) => [name, dataOf(column)]))]),
    query: { by: columns.map(([name]) => name), aggregates: { rows: count() } },
  };
}

/** The most groups that one of `ranges` ranges may have. */
export function shareOf(groups: number, ranges: number): number {
  return Math.max(Math.ceil(groups / ranges), Math.floor((1.25 * groups) / ranges));
}

/** What is known beforehand of a run. */
export interface Wanted {
  readonly workers: number;
  readonly ranges: number;
  readonly groups: number;
  readonly rows: number;
}

/**
 * The law of the split: as many ranges as asked (never more than groups), every one with a group at least and none
 * above its share, and all groups in them, once.
 */
export async function lawfulSplit(
  engine: Aggregator,
  input: Table,
  query: Query,
  wanted: Wanted,
): Promise<Aggregation> {
  const answer = await engine.aggregate(input, query);
  const { table, ranges, stats } = answer;
  const counts = stats.ranges.map(({ groups }) => groups);
  const said = JSON.stringify({ counts, wanted, strategies: stats.strategies });
  assert.equal(stats.workers, wanted.workers, `workers that ran: ${said}`);
  assert.equal(counts.length, Math.min(wanted.ranges, wanted.groups), `ranges: ${said}`);
  assert.deepEqual(
    ranges.map(({ length }) => length),
    counts,
  );
  assert.equal(
    counts.reduce((sum, n) => sum + n, 0),
    wanted.groups,
    said,
  );
  assert.equal(table.numRows, wanted.groups, said);
  assert.ok(Math.min(...counts) >= 1, `no range is empty: ${said}`);
  if (counts.length >= 3 && wanted.groups >= 8) {
    assert.ok(
      Math.max(...counts) <= shareOf(wanted.groups, counts.length),
      `no range is above its share: ${said}`,
    );
  }
  return answer;
}
