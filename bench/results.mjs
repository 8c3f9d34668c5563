import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { counted } from './lines.mjs';

/** Load for each core, above which others take so much that medians say little. */
const BUSY = 0.5;

/** Where figures come from: they mean nothing without it. */
export function machine() {
  return {
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    /** Threads that wanted to run in the last minute, on average: what else the machine does. */
    load: loadavg()[0],
    date: new Date().toISOString(),
  };
}

/** The machine in a line, and a second one where it has other work. */
export function introduction({ node, cpu, cores, load, date }) {
  const line = `Node ${node}, ${cpu}, ${counted(cores, 'core')}, ${date}`;
  if (load < BUSY * cores) return line;
  return `${line}\nThe machine is busy (load ${load.toFixed(1)}): look at these figures with care.`;
}

/** Writes results as JSON and gives the file's path. */
export function write(name, results) {
  const folder = new URL('results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const path = fileURLToPath(new URL(`${name}.json`, folder));
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`);
  return path;
}
