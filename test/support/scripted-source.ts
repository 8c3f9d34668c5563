import { pathToFileURL } from 'node:url';
import { Field, Int32, Schema } from 'apache-arrow';
import type { Source } from 'rangefold';
import { createFolder } from './files.js';

/** A module that reads a part as its data tells: 100 rows of the key 7, or a failure. */
const MODULE = `
import { threadId } from 'node:worker_threads';
import { InputError } from '${new URL('../../dist/core/errors.js', import.meta.url)}';

export async function* read({ does }, columns) {
  const values = new Uint8Array(Int32Array.from({ length: 100 }, () => 7).buffer);
  const type = { kind: 'int', bits: 32, signed: true };
  const batch = { rows: 100, columns: columns.map(() => ({ type, length: 100, nulls: 0, bitOffset: 0, values })) };
  if (does === 'read') yield batch;
  if (does === 'read slowly') {
    await new Promise((resolve) => setTimeout(resolve, 30));
    yield batch;
  }
  if (does === 'throw') throw new RangeError('no such luck');
  if (does === 'refuse') throw new InputError('part 1: got garbage, wanted rows', { parameter: 'part 1' });
  if (does === 'throw later') {
    yield batch;
    throw new RangeError('no more luck');
  }
  if (does === 'exit') process.exit(3);
  if (does === 'hang') await new Promise(() => undefined);
  if (does === 'spin') for (;;);
  if (does === 'throw afterwards') {
    setTimeout(() => {
      throw new RangeError('too late');
    }, 20);
    yield batch;
  }
  if (does === 'reject afterwards') {
    setTimeout(() => Promise.reject(new RangeError('too late')), 20);
    yield batch;
  }
  if (does === 'exit afterwards') {
    setTimeout(() => process.exit(4), 20);
    yield batch;
  }
}
`;

/** What a part does when it is read. */
export type Deed =
  | 'read'
  | 'read slowly'
  | 'throw'
  | 'throw later'
  | 'throw afterwards'
  | 'reject afterwards'
  | 'refuse'
  | 'exit'
  | 'exit afterwards'
  | 'hang'
  | 'spin'
  | 'be missing';

/** Makes sources whose parts, read by workers, do as they are told. To be called once a test file. */
export function createSources(): (...deeds: readonly Deed[]) => Source {
  const url = pathToFileURL(createFolder()('part.mjs', MODULE)).href;
  return (...deeds) => ({
    schema: new Schema([new Field('k', new Int32(), true)]),
    parts: deeds.map((does) => ({ module: does === 'be missing' ? `${url}.missing` : url, data: { does } })),
    batches: () => {
      throw new Error('an engine that reads parts needs no batches');
    },
  });
}
