import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createFolder } from '../support/files.js';

const file = createFolder();
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const bare = fileURLToPath(new URL('../support/import-arrow.mjs', import.meta.url));

/** Milliseconds from the start of a process to its first output. */
function firstOutput(...parameters: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.once('data', () => resolve(performance.now() - start));
    child.on('error', reject).on('exit', (code) => reject(new Error(`no output, exit code ${code}`)));
  });
}

it('the answer to a small CSV begins at most 150 ms after a bare import of apache-arrow is done', async () => {
  const csv = file('small.csv', 'origin,delay\nSFO,10\nLAX,-5\nSFO,25\n');
  const ours: number[] = [];
  const theirs: number[] = [];
  const least = (times: readonly number[]): number => Math.min(...times);
  // The least of several, for whatever else runs here only adds; more of them where the first were all disturbed.
  for (let round = 0; round < 30; round++) {
    theirs.push(await firstOutput(bare));
    ours.push(await firstOutput(main, csv, '--by', 'origin', '--agg', 'mean(delay)'));
    if (round >= 5 && least(ours) - least(theirs) <= 150) break;
  }
  console.log(
    `first output: ${least(ours).toFixed(0)} ms, import('apache-arrow'): ${least(theirs).toFixed(0)} ms (least of ${ours.length})`,
  );
  expect(least(ours) - least(theirs)).toBeLessThanOrEqual(150);
}, 120_000);
