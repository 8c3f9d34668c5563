import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const IS_LONG = Number(process.env.RANGEFOLD_RUNS ?? 1) > 1;
const [EARLY, LATE] = IS_LONG ? [1000, 10_000] : [200, 1000];
/**
 * What the heaps of four threads grow by until they are warm: 22 to 31 MB from query 1,000 to 6,000, and from there to 16,000
 * less than 2. A leak of 6 KB a query would take more over 9,000 of them.
 */
const SLACK = 48 << 20;

interface Usage {
  readonly rss: number;
  readonly heapUsed: number;
  /** Bytes of kernel memory in use. */
  readonly kernel: number;
  readonly answered: number;
  readonly failed: number;
  readonly stopped: number;
}

it(`memory is after ${LATE} queries where it was after ${EARLY}`, async () => {
  const script = fileURLToPath(new URL('../support/many-queries.mjs', import.meta.url));
  const [early, late] = await new Promise<Usage[]>((resolve, reject) => {
    const child = spawn(process.execPath, ['--expose-gc', script, `${EARLY}`, `${LATE}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (text) => (output += text));
    child.on('close', (status) => {
      if (status === 0) resolve(JSON.parse(output));
      else reject(new Error(`the queries ended with status ${status}`));
    });
  });
  const grown = (late.rss - early.rss) / 2 ** 20;
  console.info(
    `Memory grew by ${grown.toFixed(1)} MB from query ${EARLY} (${(early.rss / 2 ** 20).toFixed(0)} MB) to query ${LATE}: ` +
      `${late.answered} answered, ${late.failed} failed, ${late.stopped} stopped.`,
  );
  expect(late.answered + late.failed + late.stopped).toBe(LATE);
  for (const count of [late.answered, late.failed, late.stopped]) expect(count).toBeGreaterThan(LATE / 20);
  expect(late.rss - early.rss).toBeLessThan(SLACK);
  expect(late.heapUsed - early.heapUsed).toBeLessThan(4 << 20);
  expect(late.kernel).toBeLessThanOrEqual(early.kernel);
});
