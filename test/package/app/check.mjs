// What a user's program does, in a project that has installed the package: it prints 'right' where all answers are. Its argument,
// if there is one, is a Parquet file of the same rows.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import { count, createParallel, createReference, desc, InputError, max, mean, open } from 'rangefold';

const rows = 300_000;
const keys = Array.from({ length: rows }, (_, i) => `key ${i % 1000}`);
const table = new Table({
  k: vectorFromArray(keys),
  v: vectorFromArray(Float64Array.from(keys, (_, i) => i)),
});
const text = `k,v\n${keys.map((key, i) => `${key},${i}.0\n`).join('')}`;
const folder = mkdtempSync(join(tmpdir(), 'rangefold package '));
const path = (name, content) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const engines = [createReference(), createParallel({ workers: 2 })];
for (const engine of engines) {
  const inputs = {
    table,
    csv: await open(path('x.csv', text)),
    gzip: await open(path('x.csv.gz', gzipSync(text))),
    arrow: await open(path('x.arrow', tableToIPC(table, 'file'))),
    ...(process.argv[2] !== undefined && { parquet: await open(process.argv[2]) }),
  };
  for (const [name, input] of Object.entries(inputs)) {
    const query = { by: [desc('k')], aggregates: { n: count(), mean: mean('v'), max: max('v') } };
    const answer = await engine.aggregate(input, query);
    assert.equal(answer.table.numRows, 1000, name);
    // The text 'key 999' is the greatest: rows 999, 1999 ... 299999, 300 of them, with the mean in their middle.
    const { k, n, mean: middle, max: last } = answer.table.get(0);
    assert.deepEqual([k, n, middle, last], ['key 999', 300n, 150_499, 299_999], name);
  }
  await assert.rejects(open(path('bad.parquet', 'no')), InputError);
  await engine.close();
}
rmSync(folder, { recursive: true });
console.log('right');
