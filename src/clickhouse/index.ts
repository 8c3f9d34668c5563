import type { Aggregator, Input, Query, RunOptions } from '../core/aggregator.js';
import { type Answer, streamOf } from '../core/answer.js';
import { check } from '../core/check.js';
import { collect } from '../core/collect.js';
import { queryError } from '../core/errors.js';
import { openInput } from '../core/input.js';
import type { CheckedQuery } from '../core/plan.js';
import { Runs } from '../core/runs.js';
import { type Asked, ask } from './ask.js';
import { Clock } from './clock.js';
import { load, type Place } from './load.js';
import { type ClickHouseOptions, checkOptions } from './options.js';
import { tableNameOf } from './quoted.js';
import { ROW_ORDER } from './select-aggregate.js';
import { Server } from './server.js';
import { findTable } from './table.js';

export type { ClickHouseClient, ClickHouseResponse } from './client.js';
export type { ClickHouseOptions, ClickHouseShards } from './options.js';

/**
 * An engine that lets a ClickHouse server or cluster do the work, and gives the same answers as the others to the last bit. It reads a
 * table in place by its name, as `table` or `database.table`; any other input is loaded into a table of its own first, which is
 * dropped at the end.
 * @throws QueryError for an option that is unknown or of a wrong kind. Runs reject with WorkerError where a server fails, MemoryLimitError
 * where its memory does not suffice, InputError where a table is not what `options.schema` says.
 */
export function createClickHouse(options: ClickHouseOptions): Aggregator<Input | string> {
  const engine = new Engine(checkOptions(options));
  const close = async (): Promise<void> => engine.runs.close();
  return {
    name: 'clickhouse',
    aggregate: async (input, query, options) => collect(await engine.start(input, query, options)),
    stream: async (input, query, options) => streamOf(await engine.start(input, query, options)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Signalled = RunOptions & { readonly signal: AbortSignal };

class Engine {
  readonly runs = new Runs();
  readonly #server: Server;
  readonly #place: Place;
  readonly #floatSums: 'exact' | 'fast';

  constructor(private readonly options: ClickHouseOptions) {
    const { client, database, shards, floatSums = 'exact' } = options;
    this.#server = new Server(client);
    this.#floatSums = floatSums;
    this.#place = {
      database,
      server: this.#server,
      shards: shards === undefined ? [this.#server] : shards.clients.map((one) => new Server(one)),
      cluster: shards?.cluster,
    };
  }

  async start(input: Input | string, query: Query, options: RunOptions = {}): Promise<Answer> {
    const run = this.runs.start(options.signal);
    try {
      const signalled = { ...options, signal: run.signal };
      return typeof input === 'string'
        ? await this.#askTable(input, query, signalled, run.end)
        : await this.#askInput(input, query, signalled, run.end);
    } catch (error) {
      run.end();
      throw error;
    }
  }

  async #askTable(input: string, query: Query, options: Signalled, end: () => void): Promise<Answer> {
    const { rowNumber, database } = this.options;
    const { signal, schema } = options;
    const clock = new Clock();
    const name = tableNameOf(input, database);
    const table = await findTable(this.#server, name, rowNumber, schema, signal);
    const checked = check(query, table.fields);
    if (rowNumber === undefined) requireNoOrder(checked);
    clock.lap('describe');
    const answer = await ask(checked, table.relation(checked), { ...this.#asked(signal, end), clock });
    options.onProgress?.({ phase: 'select', rows: answer.rows });
    return answer;
  }

  async #askInput(input: Input, query: Query, options: Signalled, end: () => void): Promise<Answer> {
    const clock = new Clock();
    const opened = await openInput(input, options);
    try {
      const checked = check(query, opened.fields);
      const { relation, rows, drop } = await load(checked, opened, this.#place, options);
      clock.lap('load');
      try {
        return await ask(checked, relation, { ...this.#asked(options.signal, end), clock, rows });
      } finally {
        await drop();
      }
    } finally {
      await opened.close();
    }
  }

  #asked(signal: AbortSignal, end: () => void): Pick<Asked, 'server' | 'floatSums' | 'signal' | 'end'> {
    return { server: this.#server, floatSums: this.#floatSums, signal, end };
  }
}

/** A table has no order of rows of its own. */
function requireNoOrder({ aggregates }: CheckedQuery): void {
  const ordered = aggregates.find((aggregate) => ROW_ORDER.includes(aggregate.function));
  if (ordered === undefined) return;
  throw queryError(
    `aggregate ${JSON.stringify(ordered.name)}`,
    `${ordered.function} of a table, whose rows have no order`,
    'the option rowNumber of createClickHouse, a column that has it',
  );
}
