import { describe } from '../core/describe.js';
import { queryError } from '../core/errors.js';
import { optionsOf, requireNoMore } from '../core/options-of.js';
import type { ClickHouseClient } from './client.js';

/** Settings of a ClickHouse engine. */
export interface ClickHouseOptions {
  /** A client as `createClient(...)` of `@clickhouse/client` makes it. It stays its maker's: `close()` of the engine does not close it. */
  readonly client: ClickHouseClient;
  /** Where tables are whose names say no database, and where inputs are loaded. Default: the client's. */
  readonly database?: string;
  /**
   * The column of a table that is read in place by which its rows are in order: whole numbers, no two the same. Default: none, and
   * `first`, `last`, `list`, `join`, `argMin` and `argMax` of a table are a QueryError.
   */
  readonly rowNumber?: string;
  /**
   * `exact`: sums and means of floats are those of the other engines, to the last bit. `fast`: as the server adds doubles, which differs
   * from run to run, in about a third of the time. Default `exact`.
   */
  readonly floatSums?: 'exact' | 'fast';
  /** Where other inputs are loaded. Default: at the server of `client`. */
  readonly shards?: ClickHouseShards;
}

/** The shards of a cluster, as the server of the engine's client knows it. */
export interface ClickHouseShards {
  readonly cluster: string;
  /** A client for each shard. */
  readonly clients: readonly ClickHouseClient[];
}

/** @throws QueryError for an option that is unknown or of a wrong kind. */
export function checkOptions(given: ClickHouseOptions): ClickHouseOptions {
  const place = 'createClickHouse(options)';
  const options = optionsOf(given, place, 'an object with `client`');
  const { client, database, rowNumber, floatSums, shards, ...rest } = options;
  requireNoMore(rest, place, 'only client, database, rowNumber, floatSums and shards');
  requireClient(client, 'option client');
  for (const [name, value] of Object.entries({ database, rowNumber })) {
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      throw queryError(`option ${name}`, describe(value), 'a name');
  }
  if (floatSums !== undefined && floatSums !== 'exact' && floatSums !== 'fast')
    throw queryError('option floatSums', describe(floatSums), "'exact' or 'fast'");
  if (shards !== undefined) {
    const { cluster, clients } = optionsOf(shards, 'option shards', '{ cluster, clients }');
    if (typeof cluster !== 'string') throw queryError('option shards.cluster', describe(cluster), 'a name');
    if (!Array.isArray(clients) || clients.length === 0)
      throw queryError('option shards.clients', describe(clients), 'a client for each shard');
    for (const [i, one] of clients.entries()) requireClient(one, `option shards.clients[${i}]`);
  }
  return { ...given };
}

function requireClient(client: unknown, place: string): void {
  const { exec } = Object(client) as { readonly exec?: unknown };
  if (typeof exec !== 'function')
    throw queryError(place, describe(client), 'a client as createClient(...) of @clickhouse/client makes it');
}
