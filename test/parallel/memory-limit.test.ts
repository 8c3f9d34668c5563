import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';

/** In the long tests as many as the limit is meant for. */
const SIZES =
  Number(process.env.RANGEFOLD_RUNS ?? 1) > 1
    ? { rows: 20_000_000, groups: 5_000_000, limit: 300_000_000 }
    : { rows: 4_000_000, groups: 1_000_000, limit: 100_000_000 };

/**
 * A program that groups batches that it makes as they are asked for: row r has key r * 7919 mod groups and value r. It tells the
 * growth of its peak, and whether all is right, by arithmetic: keys ascend without a gap, and the sums are those of all rows.
 */
const PROGRAM = `
  import { Int64, makeData, RecordBatch, Schema, Field, Struct } from 'apache-arrow';
  import { count, createParallel, sum } from 'rangefold';
  const { rows, groups, limit } = JSON.parse(process.argv[1]);
  const schema = new Schema([new Field('k', new Int64()), new Field('v', new Int64())]);
  async function* batches() {
    for (let at = 0; at < rows; at += 65_536) {
      const length = Math.min(65_536, rows - at);
      const columns = [(row) => (row * 7919) % groups, (row) => row].map((value) => {
        const data = new BigInt64Array(length);
        const low = new Uint32Array(data.buffer);
        for (let i = 0; i < length; i++) low[2 * i] = value(at + i);
        return makeData({ type: new Int64(), length, nullCount: 0, data });
      });
      const type = new Struct(schema.fields);
      yield new RecordBatch(schema, makeData({ type, length, nullCount: 0, children: columns }));
    }
  }
  const before = process.memoryUsage.rss();
  const engine = createParallel({ workers: 2, memoryLimit: limit });
  const query = { by: ['k'], aggregates: { n: count(), s: sum('v') } };
  const { batches: answer, stats } = await engine.stream(batches(), query);
  let [next, counted, total, ascends] = [0n, 0n, 0n, true];
  for await (const batch of answer) {
    const [keys, counts, sums] = [0, 1, 2].map((c) => batch.getChildAt(c).data[0].values);
    for (let i = 0; i < batch.numRows; i++) {
      ascends &&= keys[i] === next++;
      counted += counts[i];
      total += sums[i];
    }
  }
  const { strategies } = await stats;
  await engine.close();
  const growth = process.resourceUsage().maxRSS * 1024 - before;
  console.log(JSON.stringify({ growth, strategies, ascends, groups: Number(next), rows: Number(counted), total: String(total) }));
`;

it('a limit of memory is kept where the groups take several times as much', async () => {
  const { rows, groups, limit } = SIZES;
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, JSON.stringify(SIZES)], {
    cwd: new URL('../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  const { growth, strategies, ...answer } = JSON.parse(output) as { growth: number; strategies: string[] };
  const total = (BigInt(rows) * BigInt(rows - 1)) / 2n;
  expect(answer).toEqual({ ascends: true, groups, rows, total: String(total) });
  expect(strategies).toContain('spill');
  expect(growth).toBeLessThan(1.25 * limit + 200e6);
});
