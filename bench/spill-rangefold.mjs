import { join } from 'node:path';
import { Field, Int64, makeData, RecordBatch, Schema, Struct } from 'apache-arrow';
import { count, createParallel, sum } from 'rangefold';
import { loadWriter, writeFile } from '../dist/io/write.js';
import { answer } from './fresh.mjs';
import { hashOf, measure } from './spill-measure.mjs';

const BATCH = 1 << 18;
/** Coprime to every number of groups that is none of its multiples: neighbouring rows have keys far apart. */
const STEP = 7919;

const schema = new Schema([new Field('k', new Int64()), new Field('v', new Int64())]);

await answer(async ({ rows, groups, limit, workers, folder }) => {
  let making = 0;
  /** Row r has key r * STEP mod groups and value r. */
  function* batches() {
    for (let at = 0; at < rows; at += BATCH) {
      const begun = performance.now();
      const length = Math.min(BATCH, rows - at);
      const columns = [(row) => (row * STEP) % groups, (row) => row].map((value) => {
        const data = new BigInt64Array(length);
        const low = new Uint32Array(data.buffer);
        for (let i = 0; i < length; i++) low[2 * i] = value(at + i);
        return makeData({ type: new Int64(), length, nullCount: 0, data });
      });
      const type = new Struct(schema.fields);
      const batch = new RecordBatch(schema, makeData({ type, length, nullCount: 0, children: columns }));
      making += performance.now() - begun;
      yield batch;
    }
  }
  const path = join(folder, 'rangefold.csv');
  const measured = measure();
  const engine = createParallel({ workers, memoryLimit: limit, spillDirectory: folder });
  const query = { by: ['k'], aggregates: { n: count(), s: sum('v') } };
  const { batches: found, ...rest } = await engine.stream(batches(), query);
  await loadWriter('csv');
  await writeFile({ ...rest, batches: checked(found, rows, groups) }, 'csv', path);
  const { spilledBytes } = await rest.stats;
  const taken = measured();
  await engine.close();
  return {
    name: 'rangefold',
    ...taken,
    making: making / 1000,
    spilled: spilledBytes,
    hash: await hashOf(path),
  };
});

/** Keys ascend without a gap, and counts and sums are those of all rows together. */
async function* checked(batches, rows, groups) {
  let next = 0n;
  let counted = 0n;
  let total = 0n;
  for await (const batch of batches) {
    const [keys, counts, sums] = [0, 1, 2].map((c) => batch.getChildAt(c).data[0].values);
    for (let i = 0; i < batch.numRows; i++) {
      if (keys[i] !== next++) throw new Error(`got key ${keys[i]}, wanted ${next - 1n}`);
      counted += counts[i];
      total += sums[i];
    }
    yield batch;
  }
  const wanted = (BigInt(rows) * BigInt(rows - 1)) / 2n;
  if (next !== BigInt(groups) || counted !== BigInt(rows) || total !== wanted) {
    throw new Error(
      `got ${next} groups of ${counted} rows and ${total}, wanted ${groups} of ${rows} and ${wanted}`,
    );
  }
}
