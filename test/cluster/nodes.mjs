import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Whether the servers' library is installed, which is there for Linux on x64 with glibc only. */
export const isInstalled = ['@chdb/lib-linux-x64-gnu', 'ffi-rs'].every((name) =>
  existsSync(join(folder, 'node_modules', name)),
);

/**
 * @typedef {object} Nodes
 * @property {readonly string[]} urls of HTTP, a node each
 * @property {(node: number) => Promise<void>} kill kills a node at once, as a power cut would
 * @property {() => Promise<void>} stop
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 */

/** How long a server may take to start: 1 to 3 seconds on an idle machine. */
const PATIENCE = 90_000;

/** The name of the cluster whose shards the nodes are. */
export const CLUSTER = 'shards';

/**
 * Starts servers on free ports of the loopback interface, since they ask for no password, in temporary folders.
 * @param {number} count
 * @returns {Promise<Nodes>}
 */
export async function startNodes(count) {
  const root = mkdtempSync(join(tmpdir(), 'rangefold-cluster-'));
  const ports = await freePorts(2 * count);
  const shards = ports
    .slice(count)
    .map((port) => `<shard><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`)
    .join('');
  /** @type {ChildProcess[]} */
  const children = [];
  const stop = async () => {
    await Promise.all(children.map(ended));
    rmSync(root, { recursive: true, force: true });
  };
  try {
    for (let node = 0; node < count; node++) {
      const path = join(root, `${node}`);
      mkdirSync(path);
      const settings = {
        listen_host: '127.0.0.1',
        http_port: ports[node],
        tcp_port: ports[count + node],
        path: `${path}/`,
      };
      const lines = Object.entries(settings).map(([name, value]) => `<${name}>${value}</${name}>`);
      const cluster = `<remote_servers><${CLUSTER}>${shards}</${CLUSTER}></remote_servers>`;
      writeFileSync(`${path}.xml`, `<clickhouse>${lines.join('')}${cluster}</clickhouse>`);
      children.push(
        fork(join(folder, 'node.mjs'), [`${path}.xml`], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
      );
    }
    const urls = ports.slice(0, count).map((port) => `http://127.0.0.1:${port}`);
    // A query that comes to a node while it still begins to listen may abort it, so none is asked before all listen.
    await Promise.all(ports.slice(0, count).map((port, node) => listening(port, children[node])));
    await Promise.all(urls.map((url, node) => ready(url, children[node])));
    return { urls, kill: (node) => ended(children[node]), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param {ChildProcess} child */
async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/**
 * HTTP is the last that a node begins to listen to.
 * @param {number} port
 * @param {ChildProcess} child
 */
async function listening(port, child) {
  await until(child, 'it listens', async () => {
    const socket = connect(port, '127.0.0.1');
    const is = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return is;
  });
  await setTimeout(300);
}

/**
 * Waits for an answer that a shard beyond TCP had a part in.
 * @param {string} url
 * @param {ChildProcess} child
 */
async function ready(url, child) {
  const sql = `SELECT count() FROM cluster('${CLUSTER}', system.one)`;
  await until(child, 'it answers', async () => {
    const answer = await fetch(`${url}/?prefer_localhost_replica=0&query=${encodeURIComponent(sql)}`).then(
      (response) => response.text(),
      () => '',
    );
    return /^\d+\n$/.test(answer);
  });
}

/**
 * @param {ChildProcess} child
 * @param {string} what
 * @param {() => Promise<boolean>} holds
 */
async function until(child, what, holds) {
  const end = performance.now() + PATIENCE;
  while (!(await holds())) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`a server ended with ${child.exitCode ?? child.signalCode} before ${what}`);
    if (performance.now() > end) throw new Error(`waited ${PATIENCE} ms until ${what}`);
    await setTimeout(50);
  }
}

/**
 * @param {number} count
 * @returns {Promise<number[]>}
 */
async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  return Promise.all(
    servers.map(async (server) => {
      const address = server.address();
      server.close();
      await once(server, 'close');
      if (address === null || typeof address === 'string') throw new Error('a server without a port');
      return address.port;
    }),
  );
}
