import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Where figures come from: they mean nothing without it. */
export function machine() {
  return {
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    date: new Date().toISOString(),
  };
}

/** Writes results as JSON and gives the file's path. */
export function write(name, results) {
  const folder = new URL('results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const path = fileURLToPath(new URL(`${name}.json`, folder));
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`);
  return path;
}
