import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';

describe('a process with an engine that is never closed', () => {
  const run = (code: string): Promise<{ readonly status: number | null; readonly output: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
        cwd: new URL('../..', import.meta.url),
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 20_000,
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
      child.on('close', (status) => resolve({ status, output }));
    });

  it.each([
    ['that was used', ''],
    [
      'whose stream was left unread',
      "await engine.stream(tableFromArrays({ k: [1] }), { by: ['k'], aggregates: {} });",
    ],
    [
      'whose run failed',
      "await engine.aggregate(tableFromArrays({ k: [1] }), { by: ['q'], aggregates: {} }).catch(() => {});",
    ],
  ])('ends by itself, %s', async (_, more) => {
    const { status, output } = await run(`
      import { tableFromArrays } from 'apache-arrow';
      import { count, createParallel } from 'rangefold';
      const engine = createParallel({ workers: 2, tuning: { inlineRows: 0 } });
      const { table } = await engine.aggregate(tableFromArrays({ k: [1, 2, 2] }), { by: ['k'], aggregates: { n: count() } });
      ${more}
      console.log(table.numRows);
    `);
    expect({ status, output }).toEqual({ status: 0, output: '2\n' });
  });

  it('ends by itself where it was never used', async () => {
    const { status, output } = await run(`
      import { createParallel } from 'rangefold';
      createParallel();
    `);
    expect({ status, output }).toEqual({ status: 0, output: '' });
  });
});
