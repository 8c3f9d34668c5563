/**
 * More groups than memory: rows that are made as they are asked for, grouped under a limit of memory and written to a CSV file in
 * key order, by rangefold and by DuckDB, each in a process of its own. Answers are checked: what rangefold writes by
 * arithmetic, and that both files are the same to the byte.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { flags, say, whole } from './flags.mjs';
import { inFreshProcess } from './fresh.mjs';

const HELP = `Usage: npm run build && node bench/spill.mjs [--rows 100000000] [--groups 20000000] [--limit 1000000000] [--workers 2]

DuckDB takes part where bench/rivals is installed (npm ci --prefix bench/rivals).`;

const given = flags({ rows: '1e8', groups: '2e7', limit: '1e9', workers: '2' }, HELP);
const sizes = Object.fromEntries(
  ['rows', 'groups', 'limit', 'workers'].map((name) => [name, whole(name, given[name])]),
);
const { rows, groups, limit, workers } = sizes;

const folder = mkdtempSync(join(tmpdir(), 'rangefold-bench-'));
try {
  say(
    `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), load ${loadavg()[0]?.toFixed(1)}`,
  );
  say(
    `${rows.toLocaleString('en')} rows, ${groups.toLocaleString('en')} groups, ${workers} threads, ${limit / 1e6} MB\n`,
  );
  const ours = await inFreshProcess(new URL('./spill-rangefold.mjs', import.meta.url), { ...sizes, folder });
  show(ours);
  if (existsSync(new URL('./rivals/node_modules', import.meta.url))) {
    const theirs = await inFreshProcess(new URL('./rivals/spill-duckdb.mjs', import.meta.url), {
      ...sizes,
      folder,
    });
    show(theirs);
    if (theirs.hash !== undefined && theirs.hash !== ours.hash)
      throw new Error(`${theirs.name}: wrote another file`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

function show({ name, seconds, cpu, making, growth, spilled, error }) {
  if (error !== undefined) {
    say(`${name}: ${error}`);
    return;
  }
  const made = making === undefined ? '' : `, ${making.toFixed(1)} s of it to make the rows`;
  const wrote = spilled === undefined ? '' : `, ${(spilled / 1e9).toFixed(2)} GB spilled`;
  say(
    `${name}: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU${made}; peak grew by ${Math.round(growth / 1e6)} MB${wrote}`,
  );
}
