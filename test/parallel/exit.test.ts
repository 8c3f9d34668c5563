import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/** A program, run by a Node of its own. */
const run = (
  code: string,
  ...options: string[]
): Promise<{ readonly status: number | null; readonly output: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [...options, '--input-type=module', '-e', code], {
      cwd: new URL('../..', import.meta.url),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 20_000,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.on('close', (status) => resolve({ status, output }));
  });

describe('a process with an engine that is never closed', () => {
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

/** A module whose part fills the heap of its worker, and one that is read. */
const partsOf = (does: string): string => `{
  module: 'data:text/javascript,' + encodeURIComponent(\`export function* read() {
    ${does}
    yield { rows: 0, columns: [{ type: { kind: 'null' }, length: 0, nulls: 0, bitOffset: 0, values: new Uint8Array() }] };
  }\`),
  data: {},
}`;
const FILL = 'for (const all = []; ; ) all.push(Array.from({ length: 1000 }, () => ({})));';

describe('a worker that runs out of memory', () => {
  it('rejects its run with a WorkerError, and the next run works', async () => {
    const { status, output } = await run(
      `
      import { Field, Null, Schema } from 'apache-arrow';
      import { count, createParallel } from 'rangefold';
      const engine = createParallel({ workers: 2 });
      const schema = new Schema([new Field('k', new Null(), true)]);
      const query = { by: ['k'], aggregates: { n: count() } };
      const ask = (...parts) => engine.aggregate({ schema, parts, batches: () => [] }, query);
      const { name, message } = await ask(${partsOf('')}, ${partsOf(FILL)}).catch((error) => error);
      console.log(name, message.includes('memory'));
      const { stats } = await ask(${partsOf('')});
      console.log(stats.rows);
    `,
      '--max-old-space-size=64',
    );
    // V8 itself may write of the heap before that
    expect(output.trimEnd().split('\n').slice(-2)).toEqual(['WorkerError true', '0']);
    expect(status).toBe(0);
  });
});

describe('close()', () => {
  it('lets the process end at once, whatever its workers are at', async () => {
    const { status, output } = await run(`
      import { Field, Null, Schema } from 'apache-arrow';
      import { count, createParallel } from 'rangefold';
      const engine = createParallel({ workers: 2 });
      const schema = new Schema([new Field('k', new Null(), true)]);
      const parts = [${partsOf('for (;;);')}, ${partsOf('')}];
      const run = engine.aggregate({ schema, parts, batches: () => [] }, { by: ['k'], aggregates: {} });
      setTimeout(() => engine.close(), 300);
      console.log((await run.catch((error) => error)).name);
    `);
    expect({ status, output }).toEqual({ status: 0, output: 'EngineClosedError\n' });
  });
});

describe('a process with an engine', () => {
  it('has loaded no native module when it has read Parquet on its workers', async () => {
    const { status, output } = await run(`
      import { count, createParallel, open } from 'rangefold';
      const engine = createParallel({ workers: 2, tuning: { inlineRows: 0 } });
      const source = await open('node_modules/vega-datasets/data/flights-3m.parquet');
      const { stats } = await engine.aggregate(source, { by: ['origin'], aggregates: { n: count() } });
      console.log(stats.rows, process.report.getReport().sharedObjects.filter((path) => path.endsWith('.node')));
      await engine.close();
    `);
    expect({ status, output }).toEqual({ status: 0, output: '3000000 []\n' });
  });
});
