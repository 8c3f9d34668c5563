import assert from 'node:assert/strict';
import type { RecordBatch, Table } from 'apache-arrow';
import * as fc from 'fast-check';
import { createParallel, createReference } from 'rangefold';
import { afterAll, it } from 'vitest';
import { runs } from '../support/runs.js';
import { batchesOf, inputOf, queryOf, type Scene, scenes } from './scene.js';

const ENGINES = [
  createReference(),
  createParallel({ workers: 1 }),
  createParallel({ workers: 3, tuning: { groupsPerWorker: 1, samplesPerRange: 1, morselRows: 7 } }),
];
afterAll(() => Promise.all(ENGINES.map((engine) => engine.close())));

/** A table, and its bytes as they were when it was returned. */
interface Kept {
  readonly table: Table;
  readonly bytes: readonly string[];
}

function buffersOf(batches: readonly RecordBatch[]): Uint8Array[] {
  return batches
    .flatMap(({ data }) => data.children)
    .flatMap(({ values, valueOffsets, nullBitmap }) => [values, valueOffsets, nullBitmap])
    .filter((buffer) => ArrayBuffer.isView(buffer))
    .map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
}

const bytesOf = (table: Table): string[] =>
  buffersOf(table.batches).map((buffer) => Buffer.from(buffer).toString('base64'));

function keep(table: Table): Kept {
  for (const { buffer } of buffersOf(table.batches))
    assert.ok(buffer instanceof ArrayBuffer, 'memory of its own');
  return { table, bytes: bytesOf(table) };
}

const few = { rows: fc.nat(200), values: 60 };

/** The first answers are held while the engine is used on and closed. */
const held: Kept[] = [];
const MOST_HELD = 60;

it('no run changes its input; no later run changes a table, nor do changes of the input', async () => {
  await fc.assert(
    fc.asyncProperty(scenes(few), fc.array(scenes(few), { maxLength: 3 }), async (scene, later) => {
      for (const engine of ENGINES) {
        const answer = async (one: Scene): Promise<Kept | undefined> => {
          const batches = batchesOf(one);
          const given = buffersOf(batches).map((buffer) => Buffer.from(buffer));
          const run = engine.aggregate(inputOf(one, batches), queryOf(one));
          const kept = await run.then(
            ({ table }) => keep(table),
            // a sum that does not fit has no table
            () => undefined,
          );
          // what is detached has no byte left
          assert.ok(
            buffersOf(batches).every((buffer, i) => given[i].equals(buffer)),
            'the input is as it was',
          );
          for (const batch of batches) for (const buffer of buffersOf([batch])) buffer.fill(0xff);
          return kept;
        };
        const first = await answer(scene);
        if (first === undefined) continue;
        for (const one of later) await answer(one);
        assert.deepEqual(bytesOf(first.table), first.bytes);
        if (held.length < MOST_HELD) held.push(first);
      }
    }),
    runs(25),
  );
});

it('nor does close()', async () => {
  await Promise.all(ENGINES.map((engine) => engine.close()));
  assert.ok(held.length > 10);
  for (const { table, bytes } of held) assert.deepEqual(bytesOf(table), bytes);
});
