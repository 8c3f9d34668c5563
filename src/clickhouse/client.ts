import type { Readable } from 'node:stream';

/**
 * What the engine uses of a client of ClickHouse: the `createClient(...)` of `@clickhouse/client` has it. Address, user, password and
 * timeouts are the client's; the engine never sees them.
 */
export interface ClickHouseClient {
  /** Runs a statement; with `values`, they are the body of the request, and what an INSERT inserts. */
  exec(parameters: {
    readonly query: string;
    readonly values?: Readable;
    readonly clickhouse_settings?: Record<string, string | number>;
    readonly abort_signal?: AbortSignal;
  }): Promise<ClickHouseResponse>;
}

export interface ClickHouseResponse {
  /** The body; it must be read or destroyed. */
  readonly stream: AsyncIterable<Uint8Array> & { destroy(): unknown };
  /** What the server says that it did; counts are digits in text. */
  readonly summary?: { readonly read_rows: string; readonly result_rows: string };
}
