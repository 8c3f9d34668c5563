import type { Stats } from '../core/aggregator.js';
import { type Answer, answerOf, type RangeBatch } from '../core/answer.js';
import type { CheckedQuery } from '../core/plan.js';
import { recordBatchOf, schemaOf } from '../core/to-arrow.js';
import type { ClickHouseResponse } from './client.js';
import type { Clock } from './clock.js';
import { type Cells, cellsOf, cellsSelect } from './clock-cells.js';
import { type Finished, Finisher, keep } from './finish.js';
import { readRows } from './groups.js';
import type { Relation } from './relation.js';
import { selectOf, whereOf } from './select.js';
import type { Server } from './server.js';

/** How a question is asked. */
export interface Asked {
  readonly server: Server;
  readonly floatSums: 'exact' | 'fast';
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** To be called once when the run has ended. */
  readonly end: () => void;
  /** Rows that were loaded; undefined of a table that is read in place. */
  readonly rows?: number;
}

/** Asks a server for an answer. When this returns the server has all of it, and what it selects from is needed no longer. */
export async function ask(
  query: CheckedQuery,
  relation: Relation,
  asked: Asked,
): Promise<Answer & { readonly rows: number }> {
  const { server, floatSums, signal, clock, end } = asked;
  const cells = await askCells(query, relation, asked);
  const select = selectOf(query, relation, cells, floatSums);
  const response = await server.select(select.sql, signal);
  clock.lap('select');
  const rows = asked.rows ?? Number(response.summary?.read_rows ?? 0);
  const finisher = new Finisher(query, select);
  const stats = (): Stats => {
    clock.lap('finish');
    // Who leaves a stream early has not seen all groups, but the server has.
    const groups = Math.max(
      finisher.groups,
      Number(response.summary?.result_rows ?? 0) * Math.sign(query.keys.length),
    );
    const { finish } = clock.milliseconds;
    return {
      engine: 'clickhouse',
      rows,
      groups,
      workers: 1,
      strategies: ['select', ...(select.addsFloats ? [`${floatSums} float sums`] : [])],
      milliseconds: clock.milliseconds,
      ranges: groups === 0 ? [] : [{ worker: 0, partials: groups, groups, milliseconds: finish }],
      spilledBytes: 0,
    };
  };
  const batches = batchesOf(query, finisher, response, signal);
  const answer = answerOf(schemaOf(query.output), batches, stats, () => {
    response.stream.destroy();
    end();
  });
  return { ...answer, rows };
}

async function askCells(
  query: CheckedQuery,
  relation: Relation,
  { server, signal }: Asked,
): Promise<readonly (Cells | undefined)[]> {
  const sql = cellsSelect(query, relation, whereOf(query, relation));
  if (sql === undefined) return [];
  let cells: readonly (Cells | undefined)[] = [];
  for await (const { columns } of readRows(await server.select(sql, signal), signal))
    cells = cellsOf(query, columns);
  return cells;
}

/** A batch of the answer for each of the server's; where the answer is to be sorted, one. */
async function* batchesOf(
  query: CheckedQuery,
  finisher: Finisher,
  response: ClickHouseResponse,
  signal: AbortSignal,
): AsyncGenerator<RangeBatch, void, undefined> {
  const schema = schemaOf(query.output);
  const isSorted = query.sort.length > 0;
  const all: Finished[] = [];
  let { limit } = query;
  const made = (finished: Finished): RangeBatch | undefined => {
    const batch = keep({ ...query, ...(limit !== undefined && { limit }) }, finished);
    if (limit !== undefined) limit -= batch.rows;
    return batch.rows === 0 ? undefined : { range: 0, batch: recordBatchOf(schema, batch) };
  };
  for await (const rows of readRows(response, signal)) {
    const finished = finisher.finish(rows);
    // Of what is wrong the first is told, which the rest of the answer decides.
    if (finisher.failed) continue;
    if (isSorted) all.push(finished);
    else {
      const batch = made(finished);
      if (batch !== undefined) yield batch;
    }
  }
  const batch = made(isSorted ? joined([...all, finisher.end()]) : finisher.end());
  if (batch !== undefined) yield batch;
}

function joined(pieces: readonly Finished[]): Finished {
  const [{ cells }] = pieces;
  return {
    groups: pieces.reduce((groups, piece) => groups + piece.groups, 0),
    cells: cells.map((_, i) => pieces.flatMap((piece) => piece.cells[i])),
  };
}
