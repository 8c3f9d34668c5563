import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLUSTER_URLS, clusterClients } from '../../support/cluster.js';
import { createFolder } from '../../support/files.js';

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const file = createFolder();
const [client] = clusterClients();
const URL_OF = CLUSTER_URLS[0] ?? '';

interface Result {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function rangefold(
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Result> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...parameters],
      { timeout: 60_000, env: { ...process.env, ...env } },
      (error, stdout, stderr) => resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

beforeAll(async () => {
  await client.command({
    query: 'CREATE TABLE orders (k Nullable(String), price Decimal(9, 2)) ENGINE = Memory',
  });
  await client.command({ query: "INSERT INTO orders VALUES ('b', 1.25), ('a', 2), (NULL, 3), ('b', 0.5)" });
});
afterAll(async () => {
  await client.command({ query: 'DROP TABLE orders' });
});

const CLICKHOUSE = ['--engine', 'clickhouse', '--url', URL_OF];

it('asks a table in place, with conditions in the types of its columns', async () => {
  const asked = [
    '--by',
    'k',
    '--agg',
    'sum(price)',
    '--where',
    'price < 2.5',
    '--having',
    'sum_price > 1.7',
    '--format',
    'csv',
  ];
  expect(await rangefold([...CLICKHOUSE, '--table', 'orders', ...asked])).toEqual({
    status: 0,
    stdout: 'k,sum_price\na,2.00\nb,1.75\n',
    stderr: '',
  });
});

it('loads files, and answers them as the other engines do', async () => {
  const path = file('rows.csv', 'k,v\nx,0.1\ny,0.2\nx,0.7\n,1e300\n');
  const asked = [path, '--by', 'k', '--agg', 'mean(v)', '--agg', 'list(v)', '--format', 'json'];
  const wanted = await rangefold([...asked, '--engine', 'reference']);
  expect(wanted.stdout).toContain('0.39999999999999997');
  expect(await rangefold([...asked, ...CLICKHOUSE])).toEqual(wanted);
});

it('takes user and database of the environment, and says what is wrong on one line', async () => {
  const asked = [...CLICKHOUSE, '--table', 'tables', '--by', 'database', '--format', 'csv'];
  const found = await rangefold(asked, { CLICKHOUSE_DATABASE: 'system', CLICKHOUSE_USER: 'default' });
  expect([found.status, found.stderr]).toEqual([0, '']);
  expect(found.stdout).toMatch(/^database,count\n/);
  const missing = await rangefold([...CLICKHOUSE, '--table', 'nowhere', '--by', 'k']);
  expect(missing.status).toBe(1);
  expect(missing.stderr).toMatch(/^rangefold: ClickHouse: got error 60, .*nowhere.*\n$/);
  const stranger = await rangefold(asked, { CLICKHOUSE_USER: 'nobody', CLICKHOUSE_PASSWORD: 'secret' });
  expect(stranger.status).toBe(1);
  expect(stranger.stderr).toMatch(/^rangefold: ClickHouse: got error (516|192), .*nobody.*\n$/);
  expect(stranger.stderr).not.toContain('secret');
});
