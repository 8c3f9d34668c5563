import { createClient } from '@clickhouse/client';
import { type ClickHouseOptions, createClickHouse } from 'rangefold/clickhouse';

/** Where the servers are that `npm run test:cluster` starts; none in other runs. */
export const CLUSTER_URLS: readonly string[] = process.env.RANGEFOLD_CLUSTER?.split(' ') ?? [];

type Client = ReturnType<typeof createClient>;

/** A client of a server. All shards are asked over TCP, as they are where no shard is on the server that is asked. */
export function clientOf(url: string): Client {
  // A busy machine may keep a small query waiting for longer than the 30 seconds of the client.
  return createClient({
    url,
    request_timeout: 120_000,
    clickhouse_settings: { prefer_localhost_replica: 0 },
  });
}

let clients: readonly Client[] | undefined;

/** A client for each server, the same for all. Their sockets do not keep the process. */
export function clusterClients(): readonly Client[] {
  clients ??= CLUSTER_URLS.map(clientOf);
  return clients;
}

/** An engine that loads inputs onto both shards. */
export function createCluster(options: Partial<ClickHouseOptions> = {}): ReturnType<typeof createClickHouse> {
  const [client, ...others] = clusterClients();
  return createClickHouse({
    client,
    shards: { cluster: 'shards', clients: [client, ...others] },
    ...options,
  });
}
