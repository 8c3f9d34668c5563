import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

/** 5,000,000 rows, every key another: with more workers each has fewer of them, and no table must hold them all. */
const PROGRAM = `
  import { Field, Int64, makeData, RecordBatch, Schema, Struct, Table } from 'apache-arrow';
  import { createParallel, sum } from 'rangefold';
  const rows = 5_000_000;
  const column = (value) => {
    const data = new BigInt64Array(new SharedArrayBuffer(8 * rows));
    for (let i = 0; i < rows; i++) data[i] = value(i);
    return makeData({ type: new Int64(), length: rows, nullCount: 0, data });
  };
  // 48271 is prime to 2^31 - 1, so that no key comes twice
  const children = [column((i) => BigInt((i * 48_271) % 2_147_483_647)), column((i) => BigInt(i % 10))];
  const schema = new Schema([new Field('k', new Int64()), new Field('v', new Int64())]);
  const data = makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children });
  const engine = createParallel({ workers: Number(process.argv[1]) });
  const { stats } = await engine.aggregate(new Table(schema, [new RecordBatch(schema, data)]), {
    by: ['k'],
    aggregates: { s: sum('v') },
  });
  await engine.close();
  console.log(JSON.stringify({ groups: stats.groups, peak: process.resourceUsage().maxRSS }));
`;

async function peakWith(workers: number): Promise<number> {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', PROGRAM, `${workers}`], {
    cwd,
  });
  const { groups, peak } = JSON.parse(stdout);
  expect(groups).toBe(5_000_000);
  return peak;
}

it('eight workers need at most half as much memory again as one, where every key is another', async () => {
  expect(await peakWith(8)).toBeLessThanOrEqual(1.5 * (await peakWith(1)));
});
