import { Readable } from 'node:stream';
import { MemoryLimitError, QueryError, RangefoldError, WorkerError } from '../core/errors.js';
import type { ClickHouseClient, ClickHouseResponse } from './client.js';
import { SELECT_SETTINGS } from './settings.js';

/** Codes of the errors of ClickHouse that have a class of ours. */
const NOT_FOUND = new Set(['60', '81']);
const MEMORY = new Set(['241', '12', '173']);

/** One server, by its user's client. Whatever fails is an error of ours, or the reason of the signal. */
export class Server {
  constructor(private readonly client: ClickHouseClient) {}

  /** Runs a SELECT; what comes is whole, or an error. */
  async select(query: string, signal: AbortSignal): Promise<ClickHouseResponse> {
    return this.#run(
      { query: `${query}\nFORMAT ArrowStream`, clickhouse_settings: { ...SELECT_SETTINGS } },
      signal,
    );
  }

  /** Runs a statement to its end, and reads what it says. */
  async run(query: string, signal?: AbortSignal, body?: readonly Uint8Array[]): Promise<Uint8Array> {
    const values = body === undefined ? {} : { values: Readable.from(body, { objectMode: false }) };
    const { stream } = await this.#run(
      { query, ...values, clickhouse_settings: { wait_end_of_query: 1 } },
      signal,
    );
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of stream) chunks.push(chunk);
    } catch (error) {
      throw faultOf(error, signal);
    }
    return Buffer.concat(chunks);
  }

  async #run(
    parameters: Parameters<ClickHouseClient['exec']>[0],
    signal: AbortSignal | undefined,
  ): Promise<ClickHouseResponse> {
    signal?.throwIfAborted();
    try {
      return await this.client.exec({ ...parameters, ...(signal && { abort_signal: signal }) });
    } catch (error) {
      throw faultOf(error, signal);
    }
  }
}

/** What a failure of a server or of the way to it is to the caller. */
export function faultOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (error instanceof RangefoldError) return error;
  const { message, code } = Object(error) as { readonly message?: unknown; readonly code?: unknown };
  const came = `${code === undefined ? '' : `error ${String(code)}, `}${String(message ?? error)}`;
  const Class = NOT_FOUND.has(String(code))
    ? QueryError
    : MEMORY.has(String(code))
      ? MemoryLimitError
      : WorkerError;
  const wanted = 'an answer';
  return new Class(`ClickHouse: got ${came}, wanted ${wanted}`, {
    parameter: 'ClickHouse',
    came,
    wanted,
    cause: error,
  });
}
