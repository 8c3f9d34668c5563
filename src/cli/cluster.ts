import { createClickHouse } from '../clickhouse/index.js';
import { findFields } from '../clickhouse/table.js';
import type { Aggregator, Input } from '../core/aggregator.js';
import type { Field } from '../core/type.js';
import { UsageError } from './usage-error.js';

/** A cluster that a command line names. */
export interface Cluster extends Pick<Aggregator<Input | string>, 'stream'> {
  /** The columns of a table. @throws QueryError where there is none. */
  fieldsOf(table: string, signal: AbortSignal): Promise<readonly Field[]>;
  /** Ends the engine and its connections. */
  close(): Promise<void>;
}

/**
 * Connects to the server of `--url`, by the client of `@clickhouse/client`. User, password and database are those of the environment
 * variables CLICKHOUSE_USER, CLICKHOUSE_PASSWORD and CLICKHOUSE_DATABASE.
 * @throws UsageError where the client is not installed, or the URL is none.
 */
export async function connect(url: string): Promise<Cluster> {
  const { createClient } = await import('@clickhouse/client').catch(() => {
    throw new UsageError(
      '--engine clickhouse: got no @clickhouse/client, wanted it: npm install @clickhouse/client',
    );
  });
  const { CLICKHOUSE_USER, CLICKHOUSE_PASSWORD, CLICKHOUSE_DATABASE } = process.env;
  const client = createClient({
    url: checked(url),
    // What goes wrong is said once, by the command.
    log: { level: SILENT },
    request_timeout: PATIENCE,
    ...(CLICKHOUSE_USER !== undefined && { username: CLICKHOUSE_USER }),
    ...(CLICKHOUSE_PASSWORD !== undefined && { password: CLICKHOUSE_PASSWORD }),
    ...(CLICKHOUSE_DATABASE !== undefined && { database: CLICKHOUSE_DATABASE }),
  });
  const engine = createClickHouse({ client });
  return {
    stream: engine.stream,
    fieldsOf: (table, signal) => findFields(client, table, signal),
    async close() {
      await engine.close();
      await client.close();
    },
  };
}

/** A server that works says nothing, and a query may take long: an hour. */
const PATIENCE = 3_600_000;

/** `ClickHouseLogLevel.OFF` of the client. */
const SILENT = 127;

function checked(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) {
    const { username, password } = new URL(url);
    if (username === '' && password === '') return url;
    throw new UsageError(
      '--url: got a user or password, wanted them in CLICKHOUSE_USER and CLICKHOUSE_PASSWORD',
    );
  }
  throw new UsageError(`--url: got ${JSON.stringify(url)}, wanted one of HTTP, as http://localhost:8123`);
}
