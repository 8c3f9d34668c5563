import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const NAME = `test-${process.pid}`;
const RESULTS = new URL(`../../bench/results/${NAME}.json`, import.meta.url);

afterAll(() => rmSync(RESULTS, { force: true }));

function bench(...flags: string[]): Promise<{ stdout: string; stderr: string }> {
  const path = fileURLToPath(new URL('../../bench/main.mjs', import.meta.url));
  return promisify(execFile)(process.execPath, [path, ...flags]);
}

test('the bench checks, times, prints and writes', async () => {
  const { stdout } = await bench(
    ...['--rows', '20_000', '--baseline-rows', '10000', '--shapes', 'seed,two-texts'],
    ...['--workers', '1,2', '--turns', '3', '--name', NAME],
  );
  expect(stdout).toContain('seed: int64 key, 100,000 groups, shuffled; 20,000 rows, 20,000 groups');
  expect(stdout).toContain('Map loop, 10,000 rows scaled by 2.00');
  const results = JSON.parse(readFileSync(RESULTS, 'utf8'));
  expect(results).toMatchObject({ node: process.version, rows: 20_000, baselineRows: 10_000 });
  expect(results.cpu.length).toBeGreaterThan(0);
  expect(Date.parse(results.date)).toBeGreaterThan(0);
  expect(results.shapes.map(({ name }: { name: string }) => name)).toEqual(['seed', 'two-texts']);
  for (const { parallel, mapLoop, reference } of results.shapes) {
    expect(parallel.map(({ workers }: { workers: number }) => workers)).toEqual([1, 2]);
    for (const { milliseconds, tail } of parallel) {
      expect(milliseconds.runs).toHaveLength(3);
      expect(milliseconds.median).toBeGreaterThan(tail);
    }
    expect(mapLoop.runs).toHaveLength(3);
    expect(reference.median).toBeGreaterThan(0);
  }
  expect(results.memory.input).toBe(20_000 * 16);
}, 120_000);

test('an unknown shape is told, and nothing runs', async () => {
  await expect(bench('--shapes', 'seed,round', '--name', NAME)).rejects.toMatchObject({
    stderr: expect.stringContaining('shape: got round, wanted one of seed, sorted'),
  });
});
