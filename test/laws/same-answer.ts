import assert from 'node:assert/strict';
import type { Aggregation, Aggregator, Query } from 'rangefold';
import { type Cells, cellsOf } from '../support/cells.js';
import { batchesOf, inputOf, queryOf, type Scene } from './scene.js';

/** What came of a run: an answer, or an error's class and words. */
type Outcome = { readonly answer: Aggregation; readonly cells: Cells } | { readonly error: string };

/**
 * Every engine gives the answer of the first, bit for bit, or fails in the same words; and its ranges tile it.
 * @param query by default the scene's own
 * @returns the strategies that were used, and how the runs failed where they did.
 */
export async function sameAnswer(
  scene: Scene,
  engines: readonly Named[],
  query: Query = queryOf(scene),
): Promise<Seen> {
  const batches = batchesOf(scene);
  const strategies = new Set<string>();
  let first: Outcome | undefined;
  for (const { name, engine } of engines) {
    const outcome = await outcomeOf(engine.aggregate(inputOf(scene, batches), query));
    first ??= outcome;
    sameOutcome(outcome, first, name);
    if ('error' in outcome) continue;
    checkForm(outcome.answer, scene, query, name);
    for (const strategy of outcome.answer.stats.strategies) strategies.add(strategy);
  }
  return { strategies, error: first !== undefined && 'error' in first ? first.error : undefined };
}

export interface Seen {
  readonly strategies: ReadonlySet<string>;
  readonly error: string | undefined;
}

export interface Named {
  readonly name: string;
  readonly engine: Aggregator;
}

async function outcomeOf(run: Promise<Aggregation>): Promise<Outcome> {
  try {
    const answer = await run;
    return { answer, cells: cellsOf(answer.table) };
  } catch (error) {
    return { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

function sameOutcome(came: Outcome, wanted: Outcome, name: string): void {
  if ('error' in came || 'error' in wanted) {
    assert.equal(
      'error' in came ? came.error : 'an answer',
      'error' in wanted ? wanted.error : 'an answer',
      name,
    );
    return;
  }
  assert.deepEqual(came.cells.columns, wanted.cells.columns, name);
  const rows = Math.max(came.cells.rows.length, wanted.cells.rows.length);
  for (let row = 0; row < rows; row++) {
    const got: string | undefined = came.cells.rows[row]?.join(' | ');
    const right: string | undefined = wanted.cells.rows[row]?.join(' | ');
    if (got !== right) assert.fail(`${name}, row ${row} of ${rows}: got ${got}, wanted ${right}`);
  }
}

/** What is promised of an answer beside its cells. */
function checkForm({ table, ranges, stats }: Aggregation, { rows }: Scene, query: Query, name: string): void {
  let end = 0;
  for (const { start, length } of ranges) {
    assert.equal(start, end, `${name}: ranges tile the table`);
    assert.ok(length > 0, `${name}: no range is empty`);
    end += length;
  }
  assert.equal(end, table.numRows, `${name}: ranges tile the table`);
  assert.equal(stats.rows, rows, `${name}: rows read`);
  const { having, sort, limit } = query;
  if (having !== undefined || sort !== undefined || limit !== undefined) {
    // what is kept of the groups may lie in other ranges than they did
    assert.ok(stats.groups >= table.numRows, `${name}: groups`);
    return;
  }
  assert.equal(stats.groups, table.numRows, `${name}: groups`);
  assert.deepEqual(
    stats.ranges.map(({ groups }) => groups),
    ranges.map(({ length }) => length),
    `${name}: ranges in the stats`,
  );
  // the one group of no rows, where there is no key, is merged of nothing
  const least = rows === 0 || query.where !== undefined ? 0 : 1;
  for (const { groups, partials } of stats.ranges) assert.ok(partials >= least * groups, `${name}: partials`);
}
